"""mem0 on pgvector with the index it makes by itself; no model: ``infer=False`` and vectors given beforehand."""

import logging
import os
from typing import Any

from mem0 import Memory
from protocol import Lookup, clocked, serve


class StillEmbedder:
    """What mem0 asks for a vector."""

    def __init__(self) -> None:
        self.lookup = Lookup()

    def embed(self, text: str, memory_action: str = "add") -> list[float]:
        """The vector given beforehand."""
        return self.lookup.vector

    def embed_batch(self, texts: list[str], memory_action: str = "add") -> list[list[float]]:
        """The same for each."""
        return self.lookup(texts)


class Mem0:
    """One ``Memory``; its history goes where it goes by itself, into SQLite."""

    def __init__(self) -> None:
        self.embedder = StillEmbedder()
        self.url = ""

    def setup(self, url: str) -> dict[str, Any]:
        """Make the table and the indexes."""
        self.url = url
        self.reconnect()
        self.memory.vector_store.create_col()
        return {}

    def reconnect(self) -> dict[str, Any]:
        """A fresh connection: nothing is prepared on it."""
        store = {"connection_string": self.url, "collection_name": "mem0", "embedding_model_dims": 384}
        unused = {"provider": "openai", "config": {"api_key": "unused"}}
        self.memory = Memory.from_config(
            {
                "vector_store": {"provider": "pgvector", "config": store},
                "llm": unused,
                "embedder": unused,
                "history_db_path": os.path.join(os.environ["HOME"], "history.db"),
            }
        )
        self.memory.embedding_model = self.embedder
        return {}

    def search(self, subject: str, text: str, vector: list[float], k: int) -> dict[str, Any]:
        """The best ``k`` of a user."""
        self.embedder.lookup.vector = vector
        ms, found = clocked(lambda: self.memory.search(text, top_k=k, filters={"user_id": subject}))
        return {"ms": ms, "ids": [item["id"] for item in found["results"]]}

    def write_fact(self, subject: str, key: str, text: str, vector: list[float]) -> dict[str, Any]:
        """Add one memory as it stands."""
        self.embedder.lookup.vector = vector
        return {"ms": clocked(lambda: self.memory.add(text, user_id=subject, infer=False))[0]}


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    peer = Mem0()
    serve({name: getattr(peer, name) for name in ("setup", "reconnect", "search", "write_fact")})
