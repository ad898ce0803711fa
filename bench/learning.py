"""Learning and prompts: duplicates, convergence, verified spans, prefix stability, and what a call costs in tokens.

With ``--model`` the configured model extracts; without it the rules that ship with the product do.
"""

import os
import random
from typing import Any

import conversation
import harness

STABLE, SEED = 0.80, 0.22


def play(report: harness.Report) -> None:
    """The conversation turn by turn, as the chat would: build the prompt, answer, learn, summarise."""
    from memoryhub import clock
    from memoryhub.llm import tokens
    from memoryhub.memory import context, learning, subjects, summaries, threads

    subject = subjects.ensure("noor", at=clock.now())
    thread, _ = threads.open_thread(subject, at=clock.now())
    buffer, earlier, shares = 0, [], []
    for role, text in conversation.turns():
        if role == "user":
            built = context.build(threads.get(thread.id), text, at=clock.now())
            now = [m.content for m in built.messages]
            kept = 0
            for before, after in zip(earlier, now, strict=False):
                if before != after:
                    break
                kept += tokens.count(after)
            if earlier:
                shares.append(kept / sum(tokens.count(t) for t in earlier))
            earlier = now
        threads.append_turn(thread, threads.NewTurn(role, text), at=clock.now())
        buffer += tokens.count(text) + 4
        if role == "assistant":
            while learning.learn_from(threads.get(thread.id), at=clock.now()).more:
                pass
            summaries.summarise(threads.get(thread.id), at=clock.now())
    stable = harness.median(shares)
    report.add(
        harness.Row(
            "prompt tokens unchanged from turn to turn, median of 19",
            ratio=stable,
            against="of the prompt before",
            budget=f">= {STABLE}",
            met=stable >= STABLE,
        )
    )
    report.add(
        harness.Row(
            "the same, mean (compactions included)",
            ratio=sum(shares) / len(shares),
            against="of the prompt before",
        )
    )
    costs(report, thread, buffer)
    spans(report, subject)


def costs(report: harness.Report, thread: Any, buffer: int) -> None:
    """Tokens of a call in three shapes, against sending all forty turns."""
    from django.conf import settings

    from memoryhub import clock
    from memoryhub.memory import context, threads

    query = conversation.turns()[-2][1]
    built = context.build(threads.get(thread.id), query, at=clock.now())
    sizes = {section.name: section.tokens for section in built.sections}
    recent = list(threads.get(thread.id).turns.order_by("-seq")[: settings.MEMORYHUB_KEEP_RECENT])
    from memoryhub.llm import tokens

    window = sizes["system"] + sum(tokens.count(t.content) + 4 for t in recent) + sizes["message"]
    with_facts = window + sizes["facts"] + sizes.get("instructions", 0)
    report.notes["tokens of a 40-turn buffer"] = buffer
    for what, size, budget in (
        (f"a window of {len(recent)} turns", window, ""),
        ("that window with instructions and recalled facts", with_facts, f"<= {SEED}"),
        ("the product's prompt now (summary, turns since it, facts)", built.tokens, ""),
    ):
        ratio = size / buffer
        report.add(
            harness.Row(
                f"{what}: {size} tokens",
                ratio=ratio,
                against="of the buffer",
                budget=budget,
                met=ratio <= SEED if budget else None,
            )
        )


def spans(report: harness.Report, subject: Any) -> None:
    """Every fact's span against the stored turn."""
    from memoryhub.memory.models import Evidence, Fact

    facts = Fact.objects.filter(subject=subject).count()
    links = list(Evidence.objects.filter(subject=subject).select_related("turn"))
    good = {
        link.fact_id
        for link in links
        if link.turn and link.turn.role == "user" and link.turn.content[link.start : link.end].strip()
    }
    share = len(good) / max(1, facts)
    report.add(
        harness.Row(
            f"facts with a verified span ({facts} facts)",
            ratio=share,
            against="of all",
            budget="= 1",
            met=share == 1,
        )
    )


def converge(report: harness.Report, rounds: int) -> None:
    """The same turns learned again, doubled and shuffled: duplicates, and whether the end is always the same."""
    from memoryhub import clock
    from memoryhub.memory import learning, subjects, threads
    from memoryhub.memory.models import Fact, Thread

    ends, duplicates = set(), 0
    for number in range(rounds):
        subject = subjects.ensure(f"again-{number}", at=clock.now())
        opened = [threads.open_thread(subject, at=clock.now())[0] for _ in range(3)]
        begun = clock.now()
        lines = [t for role, t in conversation.turns() if role == "user"]
        moments = {text: begun.replace(microsecond=index) for index, text in enumerate(lines)}
        shuffled = lines * 2
        random.Random(number).shuffle(shuffled)
        for index, text in enumerate(shuffled):
            threads.append_turn(
                opened[index % 3], threads.NewTurn("user", text, said_at=moments[text]), at=clock.now()
            )
        for thread in opened * 2:
            while learning.learn_from(threads.get(thread.id), at=clock.now()).more:
                pass
            Thread.objects.filter(id=thread.id).update(learned_seq=0)
        active = list(
            Fact.objects.filter(subject=subject, status="active").values_list("statement", flat=True)
        )
        duplicates += len(active) - len(set(active))
        ends.add(tuple(sorted(active)))
    report.add(
        harness.Row(
            f"duplicates in {rounds} shuffled and doubled runs: {duplicates}", budget="0", met=duplicates == 0
        )
    )
    report.add(harness.Row(f"different ends of those runs: {len(ends)}", budget="1", met=len(ends) == 1))


def main() -> None:
    parser = harness.parser(__doc__ or "")
    parser.add_argument(
        "--model", action="store_true", help="extract with the configured model (MEMORYHUB_LLM_…)"
    )
    options = parser.parse_args()
    if not options.model:
        os.environ["MEMORYHUB_LLM_BACKEND"] = "offline"
    report = harness.Report("Learning")
    with harness.database(durable=False), harness.tenant_scope():
        play(report)
        converge(report, 3 if options.quick else 10)
    report.show(options.json)


if __name__ == "__main__":
    main()
