"""Recall and writing beside raw SQL, LangGraph and mem0, on one PostgreSQL server, with the same vectors.

For each side the first fifty calls on a fresh connection are looked at for completeness: psycopg prepares a statement
after some calls and PostgreSQL then plans it for any value. The next calls are timed, the sides in turns.
"""

import contextlib
import itertools
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import harness
import peer_process
import psycopg
import vectors
from peer_data import SUBJECTS, Bench, Person, fill, prepared, statements
from peer_process import Peer
from write_turn import SQL as RAW_TURN

ASKED = "When is the train from Lisbon, and what about the printer queue?"
#: Shares no word with any fact, so that the order is that of the cosines alone and the true top k is known.
WORDLESS = "zzyzx"
CALLS = 50
CONTENT = (
    "I would like to move the meeting to Thursday, since the venue in Lisbon is closed on Wednesday. " * 3
)

HYBRID = """
SELECT id, statement, kind, observed_at,
       0.65 * (1 - (embedding <=> %(vector)s::halfvec)) + 0.25 * ts_rank(search, %(words)s::tsquery) AS score
FROM fact WHERE tenant_id = %(tenant)s AND subject_id = %(subject)s AND status = 'active'
ORDER BY score DESC LIMIT %(k)s
"""
RAW_FACT = """
INSERT INTO fact (id, tenant_id, subject_id, kind, attribute, value, statement, key, content_key, pinned, next_embedder, status, held_because, origin,
    verification, human, position, version, valid_at, observed_at, created_at, updated_at, extractor, embedding, embedder)
VALUES (%s, %s, %s, 'profile', '', '', %s, encode(sha256(%s::bytea), 'hex'), encode(sha256(%s::bytea), 'hex'), false, '', 'active', '', 'imported', 'claimed',
    false, 0, 1, %s, %s, %s, %s, '', %s::halfvec, 'bench')
"""


@dataclass(frozen=True)
class Side:
    """One system that recalls: text, vector and k to milliseconds and the ids found."""

    name: str
    ask: Callable[[str, vectors.Vectors, int], tuple[float, list[str]]]


@contextlib.contextmanager
def sides(bench: Bench, person: Person) -> Any:
    """All systems on fresh connections."""
    from django.db import connection

    connection.close()
    connection.ensure_connection()
    raw = psycopg.connect(bench.urls.app, autocommit=True)
    raw.execute("SELECT set_config('app.tenant_id', %s, false)", [str(bench.tenant.id)])
    for peer in bench.peers.values():
        peer.ask("reconnect")
    listed = [Side("raw hybrid SQL", _raw(bench, person, raw)), Side("MemoryHub", _ours(bench, person))]
    yield [*listed, *(Side(name, _of_peer(peer, person)) for name, peer in bench.peers.items())]
    raw.close()


def _raw(bench: Bench, person: Person, raw: Any) -> Any:
    def ask(text: str, vector: vectors.Vectors, k: int) -> tuple[float, list[str]]:
        words = " | ".join(word.strip(",?") for word in text.split())
        words = raw.execute("SELECT to_tsquery('english', %s)::text", [words]).fetchone()[0]
        values = {
            "vector": vectors.text_of(vector), "words": words, "tenant": bench.tenant.id,
            "subject": person.subject.id, "k": k,
        }  # fmt: skip
        found: list[Any] = []
        spent = harness.timed(lambda: found.extend(raw.execute(HYBRID, values).fetchall()))
        return spent, [str(row[0]) for row in found]

    return ask


def _ours(bench: Bench, person: Person) -> Any:
    from memoryhub import clock
    from memoryhub.memory import recall

    def ask(text: str, vector: vectors.Vectors, k: int) -> tuple[float, list[str]]:
        bench.embedder.vector = vector.tolist()
        found: list[Any] = []

        def act() -> None:
            found.extend(recall.recall(person.subject, text, at=clock.now(), limit=k).facts)

        spent = harness.timed(act)
        return spent, [str(item.fact.id) for item in found]

    return ask


def _of_peer(peer: Peer, person: Person) -> Any:
    def ask(text: str, vector: vectors.Vectors, k: int) -> tuple[float, list[str]]:
        answer = peer.ask("search", subject=str(person.subject.id), text=text, vector=vector.tolist(), k=k)
        return answer["ms"], answer["ids"]

    return ask


def recalling(bench: Bench, count: int, k: int, rounds: int, report: harness.Report) -> None:
    """One table of sides for a subject with ``count`` facts."""
    person = bench.people[count]
    asked = vectors.questions(person.rows, CALLS, seed=count + k)
    where = f"recall, {count:,} of {bench.held:,} facts, k={k}"
    with sides(bench, person) as listed:
        complete = [_completeness(side, person, asked, k) for side in listed]
        turn = iter(range(10**9))
        acts = [lambda side=side: side.ask(ASKED, asked[next(turn) % CALLS], k)[0] for side in listed]
        times = harness.clocked_in_turns(acts, rounds, 5)
    for side, took, extra in zip(listed, times, complete, strict=True):
        limited = side.name == "MemoryHub" and count <= 1000
        report.add(
            harness.compared(f"{where}: {side.name}", took, to=times[0] if took is not times[0] else (),
                             against="raw hybrid SQL", most=2 if limited else None, extra=extra)
        )  # fmt: skip
    if "langgraph" in bench.peers:
        faster = harness.median(times[2]) / harness.median(times[1])
        whole = complete[1]["share"] == 1.0
        report.add(
            harness.Row(f"{where}: LangGraph's time over MemoryHub's, all rows found: {whole}", ratio=faster,
                        budget=">= 1.5x and all rows", met=faster >= 1.5 and whole)
        )  # fmt: skip


def _completeness(side: Side, person: Person, asked: vectors.Vectors, k: int) -> dict[str, Any]:
    """Rows at calls 1, 10 and 50 of a connection, and the mean share of the true top k over all fifty."""
    rows, shares = [], []
    for question in asked:
        _, found = side.ask(WORDLESS, question, k)
        true = [str(person.ids[place]) for place in vectors.best(person.rows, question, k)]
        rows.append(len(found))
        shares.append(vectors.share(found, true))
    return {"rows": f"{rows[0]}/{rows[9]}/{rows[49]} of {k}", "share": round(sum(shares) / len(shares), 3)}


def writing_turns(bench: Bench, rounds: int, report: harness.Report) -> None:
    """One turn, written by each."""
    from memoryhub import clock, ids
    from memoryhub.memory import threads

    subject = bench.people[95].subject
    ours, _ = threads.open_thread(subject, at=clock.now())
    floor, _ = threads.open_thread(subject, at=clock.now())
    raw = _raw_connection(bench)
    numbers = iter(range(1, 10**7))

    def insert() -> float:
        at = clock.now()
        row = [ids.new(), bench.tenant.id, floor.id, subject.id, next(numbers), CONTENT, at, at]
        return harness.timed(lambda: raw.execute(RAW_TURN, row))

    def append() -> float:
        new = threads.NewTurn("user", CONTENT)
        return harness.timed(lambda: threads.append_turn(ours, new, at=clock.now()))

    acts = {"raw INSERT": insert, "MemoryHub append_turn": append}
    if "langgraph" in bench.peers:
        peer = bench.peers["langgraph"]
        acts["LangGraph PostgresSaver.put, 20 messages held"] = lambda: peer.ask(
            "write_turn", thread="put", held=20
        )["ms"]
    _written("write a turn", acts, rounds, report)
    raw.close()


def _raw_connection(bench: Bench) -> Any:
    raw = psycopg.connect(bench.urls.app, autocommit=True)
    raw.execute("SELECT set_config('app.tenant_id', %s, false)", [str(bench.tenant.id)])
    return raw


def _written(what: str, acts: dict[str, Any], rounds: int, report: harness.Report) -> None:
    times = harness.clocked_in_turns(list(acts.values()), rounds, 15)
    for number, (name, took) in enumerate(zip(acts, times, strict=True)):
        report.add(
            harness.compared(f"{what}: {name}", took, to=times[0] if number else (), against="raw INSERT",
                             most=2 if number == 1 else None)
        )  # fmt: skip


def writing_facts(bench: Bench, count: int, rounds: int, report: harness.Report) -> None:
    """One fact of a subject who has ``count``, written by each."""
    from memoryhub import clock, ids
    from memoryhub.memory import facts
    from memoryhub.memory.kinds import Origin

    subject = bench.people[count].subject
    fresh = iter(vectors.clustered(4 * (rounds + 15), seed=count + 7))
    said = iter(statements(4 * (rounds + 15), 900_000 + count))
    raw = _raw_connection(bench)

    def insert() -> float:
        at, statement, vector = clock.now(), next(said), vectors.text_of(next(fresh))
        row = [
            ids.new(),
            bench.tenant.id,
            subject.id,
            statement,
            statement,
            statement,
            at,
            at,
            at,
            at,
            vector,
        ]
        return harness.timed(lambda: raw.execute(RAW_FACT, row))

    def remember() -> float:
        bench.embedder.vector = next(fresh).tolist()
        new = facts.NewFact(next(said))
        return harness.timed(
            lambda: facts.remember(subject, new, origin=Origin.IMPORTED, human=False, at=clock.now())
        )

    def by(peer: Peer) -> Any:
        return lambda: peer.ask(
            "write_fact", subject=str(subject.id), key=str(uuid.uuid4()), text=next(said),
            vector=next(fresh).tolist(),
        )["ms"]  # fmt: skip

    acts = {"raw INSERT": insert, "MemoryHub remember": remember}
    acts |= {f"{name} write": by(peer) for name, peer in bench.peers.items()}
    _written(f"write a fact, subject of {count:,}, {bench.held:,} in all", acts, rounds, report)
    raw.close()


def main() -> None:
    parser = harness.parser(__doc__ or "")
    parser.add_argument(
        "--peers-python", default="", help="the Python that has requirements-peers.txt installed"
    )
    options = parser.parse_args()
    python = peer_process.python_of(options.peers_python)
    report = harness.Report("Beside raw SQL and other systems")
    if python is None:
        report.notes["peers"] = peer_process.HOW
    rounds = 30 if options.quick else 100
    with prepared(python) as bench:
        from memoryhub.tenants import scope

        for size in (10_000,) if options.quick else (10_000, 100_000):
            fill(bench, size)
            with scope.enter(bench.tenant.id, scope.SYSTEM, "req_bench"):
                for count, k in itertools.product(SUBJECTS, (5,) if options.quick else (5, 10)):
                    recalling(bench, count, k, rounds, report)
        with scope.enter(bench.tenant.id, scope.SYSTEM, "req_bench"):
            writing_turns(bench, rounds * 3, report)
            for count in (95,) if options.quick else (95, 1000):
                writing_facts(bench, count, rounds, report)
    report.show(options.json)


if __name__ == "__main__":
    main()
