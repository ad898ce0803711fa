"""Writing a turn, against a raw INSERT of the same row into the same table with the same indexes."""

import uuid

import harness
import psycopg

BUDGET = 2.5
SQL = (
    "INSERT INTO turn (id, tenant_id, thread_id, subject_id, seq, role, name, content, status, error_code, client_id,"
    " metadata, said_at, created_at, written_by, request_id)"
    " VALUES (%s, %s, %s, %s, %s, 'user', '', %s, 'complete', '', NULL, '{}', %s, %s, '', '')"
)


def measure(urls: object, rounds: int, label: str, report: harness.Report) -> None:
    from memoryhub import clock, ids
    from memoryhub.memory import subjects, threads

    content = (
        "I would like to move the meeting to Thursday, since the venue in Lisbon is closed on Wednesday. " * 3
    )
    with harness.tenant_scope() as tenant:
        subject = subjects.ensure("alice", at=clock.now())
        ours, _ = threads.open_thread(subject, at=clock.now())
        floor, _ = threads.open_thread(subject, at=clock.now())
        raw = psycopg.connect(urls.app, autocommit=True)
        raw.execute("SELECT set_config('app.tenant_id', %s, false)", [str(tenant.id)])
        counter = iter(range(1, 10_000_000))

        def insert() -> None:
            at = clock.now()
            raw.execute(SQL, [ids.new(), tenant.id, floor.id, subject.id, next(counter), content, at, at])

        def append() -> None:
            threads.append_turn(ours, threads.NewTurn("user", content), at=clock.now())

        def retried() -> None:
            new = threads.NewTurn("user", content, client_id=uuid.uuid4().hex)
            threads.append_turn(ours, new, at=clock.now())

        floor_times, append_times, retried_times = harness.in_turns([insert, append, retried], rounds)
        raw.close()
    base = harness.median(floor_times)
    report.add(harness.Row(f"raw INSERT, {label}", base, harness.p95(floor_times)))
    for what, times in (("append_turn", append_times), ("append_turn with a client_id", retried_times)):
        ratio = harness.median(times) / base
        report.add(
            harness.Row(
                f"{what}, {label}",
                harness.median(times),
                harness.p95(times),
                "raw INSERT",
                ratio,
                f"<= {BUDGET}x",
                ratio <= BUDGET,
            )
        )


def main() -> None:
    options = harness.parser(__doc__ or "").parse_args()
    rounds = 300 if options.quick else 2000
    report = harness.Report("Writing a turn")
    with harness.database() as urls:
        measure(urls, rounds, "durable commits", report)
    report.show(options.json)


if __name__ == "__main__":
    main()
