"""Extraction: precision and recall on labelled chat messages, by kind, and on memories labelled in ten languages.

A found fact is right when a label of the same kind has an overlapping quote and, where both give a value, the same
value; each label counts once. Held facts (doubtful, or about somebody else) count for neither side: they are shown
beside it, and a label that only a held fact meets is missed. `lenient` gives half a point for a fact whose kind is
taken for a neighbouring one. Screening by policy comes after extraction and is not measured here.

Without --model the rules that ship with the product extract; with it the configured model does.
"""

import json
import os
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import harness

SETS = Path(__file__).resolve().parent / "sets"
OWN = ("tune", "report", "second", "third", "fourth")
#: The set that the present rules were reported on, once; the others have been tuned on.
REPORTED = "fourth"
ELSEWHERE = "memory_extraction"
PRECISION, RECALL = 0.90, 0.70
NEIGHBOURS = frozenset({"profile", "preference", "constraint", "project", "plan"})
#: Share of a memory's words that one fact must hold.
COVERED = 0.5
SAID_AT = datetime(2026, 3, 4, 10, tzinfo=UTC)


@dataclass(frozen=True)
class Label:
    """A fact that a careful reader would keep, at ``[start, end)`` of the message."""

    kind: str
    start: int
    end: int
    value: str


@dataclass
class Tally:
    """Counts of one kind or set. ``near`` are right but for a neighbouring kind, ``held_right`` a part of ``held``."""

    labelled: int = 0
    found: int = 0
    right: int = 0
    near: int = 0
    held: int = 0
    held_right: int = 0

    def scores(self) -> dict[str, float]:
        """Precision, recall and F1, strict and lenient; 0 where there is nothing to divide by."""
        near = self.right + self.near / 2
        precision, recall = _share(self.right, self.found), _share(self.right, self.labelled)
        return {
            "precision": precision,
            "recall": recall,
            "f1": _share(2 * precision * recall, precision + recall),
            "lenient_precision": _share(near, self.found),
            "lenient_recall": _share(near, self.labelled),
        }


@dataclass
class Outcome:
    """What one message brought: the tally of each kind, and what went wrong in words."""

    kinds: dict[str, Tally] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def of(self, kind: str) -> Tally:
        return self.kinds.setdefault(kind, Tally())


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def extracted(text: str) -> Sequence[Any]:
    """The facts that the product's extraction finds in one message of the subject's."""
    from memoryhub.memory import extraction

    turn = extraction.SourceTurn(uuid.uuid4(), 1, "user", text, SAID_AT)
    return extraction.extract([turn]).facts


def labelled(name: str) -> Iterator[tuple[str, list[Label]]]:
    """The messages of an own set with their labels."""
    for line in (SETS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield row["text"], [_label(row["text"], fact) for fact in row["facts"]]


def _label(text: str, fact: dict[str, Any]) -> Label:
    start = text.index(fact["quote"])
    return Label(fact["kind"], start, start + len(fact["quote"]), fact["value"] or "")


def judge(text: str, labels: Sequence[Label], outcome: Outcome) -> None:
    """Add one message's facts to ``outcome``."""
    left = list(labels)
    for label in labels:
        outcome.of(label.kind).labelled += 1
    facts = extracted(text)
    unmatched = []
    for fact in (f for f in facts if not _is_held(f)):
        outcome.of(fact.kind).found += 1
        if _take(fact, left, {fact.kind}):
            outcome.of(fact.kind).right += 1
        else:
            unmatched.append(fact)
    for fact in unmatched:
        near = fact.kind in NEIGHBOURS and _take(fact, left, NEIGHBOURS)
        outcome.of(fact.kind).near += near
        outcome.faults.append(f"{'kind ' if near else 'wrong'}  {_shown(fact)}  <- {text!r}")
    for fact in filter(_is_held, facts):
        outcome.of(fact.kind).held += 1
        outcome.of(fact.kind).held_right += _take(fact, list(left), {fact.kind})
    outcome.faults += [f"missed {x.kind}: {text[x.start : x.end]!r}  <- {text!r}" for x in left]


def _is_held(fact: Any) -> bool:
    return bool(fact.doubtful or fact.about_other)


def _take(fact: Any, left: list[Label], kinds: set[str] | frozenset[str]) -> bool:
    """Remove the label that ``fact`` meets from ``left``; whether there was one."""
    from memoryhub import text

    for label in left:
        equal = text.matching_form(fact.value) == text.matching_form(label.value)
        overlap = fact.span.start < label.end and label.start < fact.span.end
        if label.kind in kinds and overlap and (equal or not fact.value or not label.value):
            left.remove(label)
            return True
    return False


def _shown(fact: Any) -> str:
    value = f" {fact.attribute}={fact.value!r}" if fact.attribute else ""
    return f"{fact.kind}: {fact.statement!r}{value}"


def own_set(name: str, limit: int | None) -> Outcome:
    """Everything about an own set."""
    outcome = Outcome()
    for text, labels in list(labelled(name))[:limit]:
        judge(text, labels, outcome)
    return outcome


def total(kinds: dict[str, Tally]) -> Tally:
    """The sum of all kinds."""
    counts: Counter[str] = Counter()
    for tally in kinds.values():
        counts.update(asdict(tally))
    return Tally(**counts)


@dataclass(frozen=True)
class Remembered:
    """One language of the memories labelled elsewhere. ``judged``: memories that share words with their text."""

    language: str
    texts: int
    judged: int
    recalled: int
    with_held: int
    facts: int
    held: int


def elsewhere(folder: Path, limit: int | None) -> list[Remembered]:
    """Every language in ``folder``. Labels are English but for Korean: see ``_words`` for how they are compared."""
    languages = sorted(path.name.split(".")[1] for path in folder.glob("dataset.*.jsonl"))
    return [_language(folder, language, limit) for language in ["en", *languages]]


def _language(folder: Path, language: str, limit: int | None) -> Remembered:
    infix = "" if language == "en" else f".{language}"
    texts = _rows(folder / f"dataset{infix}.jsonl", "text")
    own = folder / f"labels{infix}.jsonl"
    memories = _rows(own if own.exists() else folder / "labels.jsonl", "memories")
    judged = recalled = with_held = facts = held = 0
    for id_, text in list(texts.items())[:limit]:
        found = extracted(text)
        facts, held = facts + len(found), held + sum(map(_is_held, found))
        for memory in memories[id_]:
            anchors = _words(memory["content"]) & _words(text)
            judged += bool(anchors)
            recalled += any(_covers(f, anchors) for f in found if not _is_held(f))
            with_held += any(_covers(f, anchors) for f in found)
    return Remembered(language, len(list(texts)[:limit]), judged, recalled, with_held, facts - held, held)


def _rows(path: Path, name: str) -> dict[str, Any]:
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line)
    return {row["id"]: row[name] for row in rows}


def _words(text: str) -> frozenset[str]:
    """Words with a meaning. What a memory and its text share of them - across languages names, numbers and terms - is
    what a fact is looked for in."""
    from memoryhub.memory import polarity

    return polarity.signature(text).content


def _covers(fact: Any, anchors: frozenset[str]) -> bool:
    held = _words(f"{fact.quote} {fact.statement}")
    return bool(anchors) and len(anchors & held) >= COVERED * len(anchors)


def show_own(name: str, outcome: Outcome, *, faults: bool) -> None:
    """The table of one set; ``faults``: every wrong and missed fact too."""
    print(f"\nset {name}")
    print("  kind          labelled  found  right  precision  recall    F1   lenient P/R   held (right)")
    for kind, tally in [*sorted(outcome.kinds.items()), ("all", total(outcome.kinds))]:
        s = tally.scores()
        print(
            f"  {kind:<12}  {tally.labelled:8}  {tally.found:5}  {tally.right:5}  {s['precision']:9.2f}  {s['recall']:6.2f}"
            f"  {s['f1']:4.2f}   {_lenient(kind, s)}   {tally.held:4} ({tally.held_right})"
        )
    for fault in outcome.faults if faults else ():
        print(f"  {fault}")


def _lenient(kind: str, scores: dict[str, float]) -> str:
    """Over all kinds only: what is found as one kind is labelled as another."""
    return (
        f"{scores['lenient_precision']:.2f} / {scores['lenient_recall']:.2f}" if kind == "all" else " " * 11
    )


def show_elsewhere(languages: Sequence[Remembered]) -> None:
    """The table of the memories labelled elsewhere."""
    print(
        f"\nset {ELSEWHERE}: a memory is found when one fact holds half of the words it shares with its text"
    )
    print("  language  texts  memories  found  recall  with held   facts  held")
    for row in languages:
        print(
            f"  {row.language:<8}  {row.texts:5}  {row.judged:8}  {row.recalled:5}  {_share(row.recalled, row.judged):6.2f}"
            f"  {_share(row.with_held, row.judged):9.2f}   {row.facts:5}  {row.held:4}"
        )


def add_rows(report: harness.Report, name: str, outcome: Outcome) -> None:
    """The set's figures for the report; those of the set to report on have a budget."""
    scores = total(outcome.kinds).scores()
    for what, budget in (("precision", PRECISION), ("recall", RECALL)):
        met = scores[what] >= budget if name == REPORTED else None
        limit = f">= {budget:.2f}" if name == REPORTED else ""
        report.add(harness.Row(f"{name}: {what}", ratio=scores[what], budget=limit, met=met))
    by_kind = {kind: asdict(tally) | tally.scores() for kind, tally in outcome.kinds.items()}
    report.notes[name] = by_kind | {"all": asdict(total(outcome.kinds)) | scores}


def run(report: harness.Report, options: Any) -> None:
    """The chosen sets, one after the other."""
    limit = 20 if options.quick else None
    for name in (n for n in OWN if options.set in (None, n)):
        outcome = own_set(name, limit)
        add_rows(report, name, outcome)
        if not options.json:
            show_own(name, outcome, faults=options.faults)
    if options.set in (None, ELSEWHERE):
        run_elsewhere(report, options, limit)


def run_elsewhere(report: harness.Report, options: Any, limit: int | None) -> None:
    """The data that is read where it lies, when it lies there."""
    data = Path(os.environ.get("MEMORYHUB_BENCH_DATA", harness.ROOT.parent / "shared" / "data"))
    folder = data / ELSEWHERE
    if not (folder / "dataset.jsonl").exists():
        report.notes[ELSEWHERE] = (
            f"not measured: no data at {folder} (set MEMORYHUB_BENCH_DATA to its parent)"
        )
        return
    languages = elsewhere(folder, limit)
    if options.json:
        report.notes[ELSEWHERE] = [asdict(row) for row in languages]
    else:
        show_elsewhere(languages)


def main() -> None:
    parser = harness.parser(__doc__ or "")
    parser.add_argument("--set", choices=(*OWN, ELSEWHERE), help="only this set")
    parser.add_argument("--faults", action="store_true", help="list what is wrong and what is missed")
    parser.add_argument(
        "--model", action="store_true", help="extract with the configured model (MEMORYHUB_LLM_…)"
    )
    options = parser.parse_args()
    if not options.model:
        os.environ["MEMORYHUB_LLM_BACKEND"] = "offline"
    report = harness.Report("Extraction")
    with harness.database(durable=False), harness.tenant_scope():
        run(report, options)
    if options.json:
        report.show(True)
        return
    # The figures stand in the tables above; what could not be measured is said after them.
    unmeasured = report.notes.get(ELSEWHERE)
    report.notes = {}
    if report.rows:
        report.show(False)
    if unmeasured:
        print(f"\n{ELSEWHERE}: {unmeasured}")


if __name__ == "__main__":
    main()
