"""The tables of the memory room, one module for each family of them."""

from memoryhub.memory.models.base import Terms
from memoryhub.memory.models.conversation import Passage, Subject, Summary, Thread, Turn, turn_ids_of
from memoryhub.memory.models.knowledge import (
    HEAVY,
    Evidence,
    Fact,
    FactVersion,
    MemoryPolicy,
    RecalledFact,
    Suppression,
    evidence_prefetch,
)
from memoryhub.memory.models.recalling import (
    EmbedderState,
    EmbedderStatus,
    FactUsage,
    IndexedVector,
    IndexedWord,
    LargeScope,
    RecallFeedback,
)
from memoryhub.memory.models.suites import ExpectedFact, RecallCase, RecallRun, RecallSuite
from memoryhub.memory.models.work import IdempotentAnswer, Job, Rebuild

__all__ = [
    "HEAVY",
    "EmbedderState",
    "EmbedderStatus",
    "Evidence",
    "ExpectedFact",
    "Fact",
    "FactUsage",
    "FactVersion",
    "IdempotentAnswer",
    "IndexedVector",
    "IndexedWord",
    "Job",
    "LargeScope",
    "MemoryPolicy",
    "Passage",
    "Rebuild",
    "RecallCase",
    "RecallFeedback",
    "RecallRun",
    "RecallSuite",
    "RecalledFact",
    "Subject",
    "Summary",
    "Suppression",
    "Terms",
    "Thread",
    "Turn",
    "evidence_prefetch",
    "turn_ids_of",
]
