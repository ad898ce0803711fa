"""Whether a fact may be written at all, or only after a person has looked at it.

Structural rules, not filters of meaning: who said it, whom it is about, of which kind it is. Text that is shaped
like an order to a model, and did not come from the subject themself, waits for a person.
"""

import re
from dataclasses import dataclass

from memoryhub.memory import sensitive
from memoryhub.memory.kinds import Kind, Origin, SpecialCategories
from memoryhub.memory.policies import Policy
from memoryhub.memory.types import ExtractedFact

_ORDER = re.compile(
    r"<\|?(?:im_start|im_end|system|endoftext)|\[/?INST\]|^\s*(?:system|assistant|developer)\s*:|</?(?:system|memory|facts)\b"
    r"|\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|all|earlier|system)\b.{0,30}"
    r"\b(?:instruction|prompt|rule|message)s?|\byou (?:must|should|will) (?:always|never|now)\b|\byou are now\b"
    r"|\b(?:always|never) (?:reply|respond|answer|say|tell|recommend|mention)\b|\bdo not (?:tell|mention|reveal)\b"
    r"|\b(?:call|use|invoke|run) the .{1,30} (?:tool|function)\b|!\[[^\]]*\]\(|\bexec\(|\beval\(",
    re.I | re.M,
)


@dataclass(frozen=True)
class Verdict:
    """``drop`` and ``hold`` are reason codes, empty when the fact may pass."""

    drop: str = ""
    hold: str = ""


def screen(fact: ExtractedFact, origin: Origin, policy: Policy, *, human: bool) -> Verdict:
    """Whether the fact may be written. A person's own entry is only held to the special categories' rule."""
    special = sensitive.categories(f"{fact.statement}\n{fact.quote}")
    if special and policy.special_categories is SpecialCategories.DROP and not human:
        return Verdict(drop=f"special_{special[0]}")
    if human:
        return Verdict()
    if special and policy.special_categories is SpecialCategories.HOLD:
        return Verdict(hold="special_category")
    if fact.about_other:
        return Verdict(hold="about_somebody_else")
    by_subject = origin is Origin.SAID and fact.span is not None
    if not by_subject and (fact.kind == Kind.INSTRUCTION or is_order(fact.statement)):
        return Verdict(hold="instruction_from_elsewhere")
    if fact.kind != Kind.INSTRUCTION and is_order(fact.statement):
        return Verdict(hold="suspected_instruction")
    return Verdict()


def is_order(statement: str) -> bool:
    """Whether a text is shaped like an order to a model."""
    return bool(_ORDER.search(statement))
