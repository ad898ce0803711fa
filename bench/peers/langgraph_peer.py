"""LangGraph on PostgreSQL: its store with the index it makes by itself, and its checkpointer."""

import contextlib
from functools import partial
from typing import Annotated, Any, TypedDict

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.store.postgres import PostgresStore
from protocol import Lookup, clocked, serve

TEXT = "I would like to move the meeting to Thursday, since the venue in Lisbon is closed on Wednesday. " * 3


class State(TypedDict):
    """What a conversation keeps."""

    messages: Annotated[list[Any], add_messages]


class LangGraph:
    """The store and the checkpointer, each on a connection of its own, as ``from_conn_string`` makes it."""

    def __init__(self) -> None:
        self.embedder = Lookup()
        self.open = contextlib.ExitStack()
        self.url = ""
        self.made = 0

    def setup(self, url: str) -> dict[str, Any]:
        """Make the tables and the indexes."""
        self.url = url
        self.reconnect()
        self.store.setup()
        self.saver.setup()
        return {}

    def reconnect(self) -> dict[str, Any]:
        """Fresh connections: nothing is prepared on them."""
        self.open.close()
        index = {"dims": 384, "embed": self.embedder, "fields": ["text"]}
        self.store = self.open.enter_context(PostgresStore.from_conn_string(self.url, index=index))
        self.saver = self.open.enter_context(PostgresSaver.from_conn_string(self.url))
        self.graph = self._graph()
        return {}

    def _graph(self) -> Any:
        graph = StateGraph(State)
        graph.add_node("answer", lambda state: {"messages": [AIMessage(TEXT)]})
        graph.add_edge(START, "answer")
        graph.add_edge("answer", END)
        return graph.compile(checkpointer=self.saver)

    def search(self, subject: str, text: str, vector: list[float], k: int) -> dict[str, Any]:
        """The best ``k`` of a namespace."""
        self.embedder.vector = vector
        ms, found = clocked(lambda: self.store.search((subject,), query=text, limit=k))
        return {"ms": ms, "ids": [item.key for item in found]}

    def write_fact(self, subject: str, key: str, text: str, vector: list[float]) -> dict[str, Any]:
        """Put one item."""
        self.embedder.vector = vector
        return {"ms": clocked(lambda: self.store.put((subject,), key, {"text": text}))[0]}

    def write_turn(self, thread: str, held: int) -> dict[str, Any]:
        """Save the state of a thread that has ``held`` messages, the last one new."""
        self.made += 1
        config = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
        checkpoint = empty_checkpoint()
        version = f"{self.made:032}"
        checkpoint["channel_values"] = {"messages": [HumanMessage(TEXT, id=str(n)) for n in range(held)]}
        checkpoint["channel_versions"] = {"messages": version}
        metadata: Any = {"source": "loop", "step": self.made}
        put = partial(self.saver.put, config, checkpoint, metadata, {"messages": version})
        return {"ms": clocked(put)[0]}

    def grow(self, thread: str, messages: int) -> dict[str, Any]:
        """Talk until the thread has ``messages``; the checkpoint it then stands at."""
        config: dict[str, Any] = {"configurable": {"thread_id": thread}}
        for _ in range(messages // 2):
            self.graph.invoke({"messages": [HumanMessage(TEXT)]}, config)
        return {"checkpoint": self.graph.get_state(config).config["configurable"]["checkpoint_id"]}

    def talk(self, thread: str, checkpoint: str) -> dict[str, Any]:
        """One exchange from a checkpoint on, so that the length stays the same."""
        config: dict[str, Any] = {"configurable": {"thread_id": thread, "checkpoint_id": checkpoint}}
        return {"ms": clocked(lambda: self.graph.invoke({"messages": [HumanMessage(TEXT)]}, config))[0]}


if __name__ == "__main__":
    peer = LangGraph()
    names = ("setup", "reconnect", "search", "write_fact", "write_turn", "grow", "talk")
    serve({name: getattr(peer, name) for name in names})
