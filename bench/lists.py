"""The lists of facts at a million rows: pages, filters and the search box, as functions and over HTTP.

1,000 subjects in 20 tenants. One tenant, the one that is measured, has 525 of the subjects and so more than half of
all facts; the others have 25 subjects each. The facts carry no vectors, which no list reads, and no evidence.
"""

import itertools
import re
import time
from collections.abc import Callable
from typing import Any

import harness
import psycopg
from context import VOCABULARY

SUBJECTS, TENANTS, BIG = 1_000, 20, 525
SLOW_MS, PATIENCE = 100.0, 8.0

# Words are drawn by random(): most facts share none with a query, a word stands in one of forty or so.
FILL = """
INSERT INTO fact (id, tenant_id, subject_id, kind, attribute, value, statement, key, content_key, pinned, next_embedder, status, held_because, origin,
    verification, human, position, version, valid_at, observed_at, created_at, updated_at, extractor, embedder)
SELECT gen_random_uuid(), %(tenant)s, subject.id,
    (ARRAY['profile','profile','preference','constraint','project','plan','event'])[1 + n %% 7], '', '', words.statement,
    encode(sha256(words.statement::bytea), 'hex'), encode(sha256(words.statement::bytea), 'hex'), false, '',
    CASE WHEN n %% 100 = 1 THEN 'held' WHEN n %% 20 = 3 THEN 'superseded' WHEN n %% 25 = 4 THEN 'archived' ELSE 'active' END,
    '', 'said', CASE WHEN n %% 10 = 0 THEN 'verified' ELSE 'claimed' END, false, 0, 1, moment, moment, moment, moment, '', ''
FROM subject, generate_series(1, %(each)s) AS n,
    LATERAL (SELECT now() - random() * interval '400 days' AS moment, n AS apart) AS times,
    LATERAL (SELECT 'Mentioned ' || array_to_string(ARRAY(
        SELECT (%(words)s::text[])[1 + floor(random() * %(count)s)::int] FROM generate_series(1, 5) WHERE n > 0), ' ')
        || ' in note ' || n || ' of ' || subject.external_id AS statement) AS words
WHERE subject.tenant_id = %(tenant)s
"""


def fill(owner: Any, each: int) -> Any:
    """Tenants, subjects and ``each`` facts a subject; the tenant that is measured."""
    from memoryhub import clock
    from memoryhub.accounts import members
    from memoryhub.memory.models import Subject
    from memoryhub.tenants import scope

    tenants = [members.found_tenant(f"Bench {n}", f"bench-{n}", at=clock.now()) for n in range(TENANTS)]
    for number, tenant in enumerate(tenants):
        count = BIG if number == 0 else (SUBJECTS - BIG) // (TENANTS - 1)
        with scope.enter(tenant.id, scope.SYSTEM, "req_bench"):
            Subject.objects.bulk_create(
                [Subject(external_id=f"person-{n:04}", external_ref=f"ref-{n}", display_name=f"Person {n}")
                 for n in range(count)]
            )  # fmt: skip
        owner.execute("SELECT set_config('app.tenant_id', %s, false)", [str(tenant.id)])
        values = {"tenant": tenant.id, "each": each, "words": VOCABULARY, "count": len(VOCABULARY)}
        owner.execute(FILL, values)
    owner.execute("VACUUM ANALYZE")
    return tenants[0]


class Statements:
    """Notes what is sent to the database, with milliseconds."""

    def __init__(self) -> None:
        self.all: list[tuple[float, str, Any]] = []
        self.scope: Any = None

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        from memoryhub.tenants import scope

        self.scope = scope.current_or_none() or self.scope
        results: list[Any] = []
        spent = harness.timed(lambda: results.append(execute(sql, params, many, context)))
        self.all.append((spent, sql, params))
        return results[0]

    def explain(self, what: str) -> None:
        """Print the slowest statement's plans: for its values, and for any values, as it runs once prepared."""
        from django.db import connection

        from memoryhub.tenants import scope

        _, sql, params = max(self.all, key=lambda one: one[0])
        numbers = itertools.count(1)
        with scope.enter(self.scope.tenant_id, self.scope.actor, self.scope.request_id), transaction():
            cursor = psycopg.ClientCursor(connection.connection)
            cursor.execute(f"PREPARE bench_slow AS {re.sub('%s', lambda _: f'${next(numbers)}', sql)}")
            values = ", ".join(["%s"] * len(params))
            for mode in ("force_custom_plan", "force_generic_plan"):
                cursor.execute(f"SET LOCAL plan_cache_mode = {mode}")
                cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) EXECUTE bench_slow ({values})", params)
                plan = "\n".join(row[0] for row in cursor.fetchall())
                print(f"\n{what}, {mode}\n{sql[-700:]}\n{params}\n{plan}\n", flush=True)
            cursor.execute("DEALLOCATE bench_slow")


def transaction() -> Any:
    from django.db import transaction

    return transaction.atomic()


def measure(what: str, act: Callable[[], object], report: harness.Report, rounds: int, explain: bool) -> None:
    """One line; fewer rounds for what takes seconds."""
    from django.db import connection

    asked = Statements()
    with connection.execute_wrapper(asked):
        first = harness.timed(act)
    times: list[float] = []
    begun = time.monotonic()
    while len(times) < rounds and (len(times) < 3 or time.monotonic() - begun < PATIENCE):
        times.append(harness.timed(act))
    extra = {"queries": len(asked.all), "calls": len(times), "first call": f"{first:.1f} ms"}
    typical = harness.median(times)
    report.add(
        harness.Row(
            what,
            typical,
            harness.p95(times),
            budget=f"<= {SLOW_MS:g} ms",
            met=typical <= SLOW_MS,
            extra=extra,
        )
    )
    if explain and typical > SLOW_MS:
        asked.explain(what)


def by_function(report: harness.Report, rounds: int, explain: bool) -> None:
    """Through the catalogue and keyset paging, as both doors read it."""
    from memoryhub import clock, keyset
    from memoryhub.memory.catalogue import Wanted, matching
    from memoryhub.memory.models import Subject
    from memoryhub.web import lists

    key = keyset.Key("created_at")

    def listed(wanted: Wanted, **cursor: str) -> keyset.Page:
        return keyset.page(matching(wanted), key, lists.PAGE_SIZE, **cursor)

    in_use = Wanted(statuses=["active"])
    second = listed(in_use).older
    deep = keyset.encode(key, matching(in_use).order_by("created_at")[1000])
    subject = Subject.objects.order_by("external_id")[7]
    cases: dict[str, tuple[Wanted, dict[str, str]]] = {
        "first page": (in_use, {}),
        "second page": (in_use, {"after": second}),
        "a page near the end": (in_use, {"after": deep}),
        "first page, all statuses": (Wanted(), {}),
        "to review": (Wanted(statuses=["held"]), {}),
        "one kind": (Wanted(statuses=["active"], kinds=["event"]), {}),
        "kind and trust": (Wanted(statuses=["active"], kinds=["event"], verifications=["verified"]), {}),
        "two statuses": (Wanted(statuses=["archived", "superseded"]), {}),
        "one subject by id": (Wanted(subject_id=subject.id, statuses=["active"]), {}),
        "gone stale": (Wanted(statuses=["active"], stale_at=clock.now()), {}),
        "search: a common word": (Wanted(statuses=["active"], words="printer"), {}),
        "search: three common words": (Wanted(statuses=["active"], words="printer lisbon cello"), {}),
        "search: an identifier": (Wanted(statuses=["active"], words="note 7 of person-0123"), {}),
        "search: a word that is not there": (Wanted(statuses=["active"], words="xylophone"), {}),
        "search: subject:person-0007": (Wanted(statuses=["active"], subject_words="person-0007"), {}),
        "search: subject:nobody": (Wanted(statuses=["active"], subject_words="nobody"), {}),
    }
    for name, (wanted, cursor) in cases.items():
        measure(f"function, {name}", lambda w=wanted, c=cursor: listed(w, **c), report, rounds, explain)


def by_http(tenant: Any, report: harness.Report, rounds: int, explain: bool) -> None:
    """The page for an operator and the route for a program, through every middleware."""
    from django.test import Client

    from memoryhub import clock
    from memoryhub.accounts import keys, members
    from memoryhub.tenants import scope
    from memoryhub.tenants.permissions import Role

    with scope.enter(tenant.id, scope.SYSTEM, "req_bench"):
        member = members.add(
            "owner@example.org", Role.OWNER, at=clock.now(), name="Owner", password="correct-horse-battery"
        )
        secret = keys.issue("bench", ["memory:read"], at=clock.now())[1]
    browser, program = Client(), Client(headers={"Authorization": f"Bearer {secret}"})
    browser.force_login(member.user)
    cursor = program.get("/api/v1/facts").json()["next_cursor"]
    addresses = [
        (browser, "/facts/"), (browser, f"/facts/?after={cursor}"), (browser, "/facts/?kind=event"),
        (browser, "/facts/?q=printer"), (browser, "/facts/?q=xylophone"), (browser, "/facts/?q=subject:person-0007"),
        (program, "/api/v1/facts"), (program, f"/api/v1/facts?cursor={cursor}"),
        (program, "/api/v1/facts?status=active&kind=event"), (program, "/api/v1/facts?subject=person-0007"),
        (program, "/api/v1/facts?q=printer"), (program, "/api/v1/facts?q=xylophone"),
    ]  # fmt: skip
    for client, address in addresses:
        measure(
            f"GET {address.replace(cursor, '…')}",
            lambda c=client, a=address: _get(c, a),
            report,
            rounds,
            explain,
        )


def _get(client: Any, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, f"{address}: {answer.status_code}"


def main() -> None:
    parser = harness.parser(__doc__ or "")
    parser.add_argument(
        "--explain", action="store_true", help="print the plan of what takes more than 100 ms"
    )
    options = parser.parse_args()
    each, rounds = (50, 10) if options.quick else (1_000, 30)
    report = harness.Report(f"Lists of facts at {each * SUBJECTS:,} facts, {each * BIG:,} in the tenant")
    with harness.database(durable=False) as urls:
        begun = time.monotonic()
        with psycopg.connect(urls.owner, autocommit=True) as owner:
            tenant = fill(owner, each)
        report.notes["seconds to fill"] = round(time.monotonic() - begun)
        from memoryhub.tenants import scope

        with scope.enter(tenant.id, scope.SYSTEM, "req_bench"):
            by_function(report, rounds, options.explain)
        by_http(tenant, report, rounds, options.explain)
    report.show(options.json)


if __name__ == "__main__":
    main()
