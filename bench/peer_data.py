"""The facts that ``peers.py`` asks for: in the product's table and, the same ones, in those of the other systems."""

import contextlib
import random
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import harness
import peer_process
import psycopg
import vectors
from context import VOCABULARY, StillEmbedder
from peer_process import Peer

#: How many facts the people asked about have, and each of the others.
SUBJECTS, OTHERS = (95, 1000, 5000), 95

LANGGRAPH_FILL = (
    "INSERT INTO store (prefix, key, value) SELECT subject_id::text, id::text, jsonb_build_object('text', statement)"
    " FROM bench_rows",
    "INSERT INTO store_vectors (prefix, key, field_name, embedding)"
    " SELECT subject_id::text, id::text, 'text', vector FROM bench_rows",
)
MEM0_FILL = (
    "INSERT INTO mem0 (id, vector, payload) SELECT id, vector, jsonb_build_object('data', statement, 'user_id',"
    " subject_id::text, 'hash', md5(statement), 'text_lemmatized', lower(statement)) FROM bench_rows",
)


class Embedder(StillEmbedder):
    """Any vector for any text, at once. Its floor lets all facts count, so that k rows are there to be found."""

    relevance_floor = -1.0

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        """The same vector for each."""
        return [self.vector for _ in texts]


@dataclass
class Person:
    """A subject whose facts are asked for, with their vectors and ids in one order."""

    subject: Any
    ids: list[uuid.UUID]
    rows: vectors.Vectors


@dataclass
class Bench:
    """What all measurements share."""

    urls: Any
    owner: Any
    tenants: list[Any]
    embedder: Embedder
    peers: dict[str, Peer]
    people: dict[int, Person] = field(default_factory=dict)
    held: int = 0

    @property
    def tenant(self) -> Any:
        """The tenant of the people asked about."""
        return self.tenants[0]


def statements(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [f"Mentioned {' '.join(chance.sample(VOCABULARY, 5))} in note {seed}-{n}" for n in range(count)]


def fill(bench: Bench, upto: int) -> None:
    """Make the table ``upto`` facts long: the people asked about first, then others with 95 facts each."""
    counts = [(bench.tenant, count) for count in SUBJECTS] if not bench.held else []
    named = len(counts)
    missing = upto - bench.held - sum(count for _, count in counts)
    sizes = [OTHERS] * (missing // OTHERS) + [missing % OTHERS]
    counts += [(bench.tenants[n % len(bench.tenants)], size) for n, size in enumerate(sizes) if size]
    rows = vectors.clustered(sum(count for _, count in counts), seed=upto)
    staged: list[tuple[uuid.UUID, uuid.UUID, uuid.UUID, str]] = []
    for number, (tenant, count) in enumerate(counts):
        subject = new_subject(tenant, f"{upto}-{number}-{count}")
        ids = [uuid.uuid4() for _ in range(count)]
        if number < named:
            bench.people[count] = Person(subject, ids, rows[len(staged) : len(staged) + count])
        words = statements(count, upto + number)
        staged += [(ids[n], tenant.id, subject.id, words[n]) for n in range(count)]
    vectors.stage(bench.owner, staged, rows)
    vectors.facts_from_stage(bench.owner)
    for name, sql in (("langgraph", LANGGRAPH_FILL), ("mem0", MEM0_FILL)):
        if name in bench.peers:
            _bulk(bench.owner, name, sql)
    bench.owner.execute("VACUUM ANALYZE")
    bench.held += len(staged)


def new_subject(tenant: Any, name: str) -> Any:
    from memoryhub import clock
    from memoryhub.memory import subjects
    from memoryhub.tenants import scope

    with scope.enter(tenant.id, scope.SYSTEM, "req_bench"):
        return subjects.ensure(name, at=clock.now())


def _bulk(owner: Any, name: str, statements: Sequence[str]) -> None:
    """Fill a peer's table with its vector index taken away meanwhile and made again by its own definition."""
    table = "store_vectors" if name == "langgraph" else "mem0"
    indexes = owner.execute(
        "SELECT indexname, indexdef FROM pg_indexes WHERE tablename = %s AND indexdef LIKE '%%hnsw%%'",
        [table],
    ).fetchall()
    assert indexes, f"{name} has made no vector index"
    for index, _ in indexes:
        owner.execute(f"DROP INDEX {index}")
    for statement in statements:
        owner.execute(statement)
    for _, definition in indexes:
        owner.execute(definition)


@contextlib.contextmanager
def prepared(python: Path | None) -> Any:
    """Database, tenants and running peers."""
    with contextlib.ExitStack() as stack:
        urls = stack.enter_context(harness.database())
        from memoryhub import clock
        from memoryhub.accounts import members
        from memoryhub.memory import embedders

        tenants = [members.found_tenant(f"Bench {n}", f"bench-{n}", at=clock.now()) for n in range(4)]
        owner = stack.enter_context(psycopg.connect(urls.owner, autocommit=True))
        owner.execute("SET maintenance_work_mem = '512MB'")
        embedder = Embedder([0.0] * vectors.DIMENSIONS)
        embedders.get_embedder = lambda: embedder  # type: ignore[assignment,return-value]
        peers = {}
        if python is not None:
            for name in ("langgraph", "mem0"):
                script = f"{name}_peer.py"
                peers[name] = stack.enter_context(peer_process.start(python, script, urls.owner))
        yield Bench(urls, owner, tenants, embedder, peers)
