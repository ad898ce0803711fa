"""Samples for the style guide, so that its page needs no view data of its own."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django import forms, template

from memoryhub import clock

register = template.Library()


class SampleForm(forms.Form):
    """One field of each make."""

    statement = forms.CharField(
        label="Statement",
        help_text="One sentence about the subject.",
        widget=forms.Textarea(attrs={"rows": 2}),
    )
    reason = forms.CharField(label="Reason", required=False)
    kind = forms.ChoiceField(label="Kind", choices=[("preference", "Preference"), ("profile", "Profile")])
    email = forms.EmailField(label="E-mail")
    scope = forms.ChoiceField(
        label="Delete",
        choices=[("chat", "The chat only"), ("all", "The chat and what it taught")],
        widget=forms.RadioSelect,
    )
    keep = forms.BooleanField(
        label="Keep the old version in the history", required=False, help_text="It can be restored."
    )


@dataclass(frozen=True, slots=True)
class Quote:
    """Evidence as the quote component reads it."""

    before: str
    span: str
    after: str
    speaker: str
    said_at: datetime | None
    url: str
    turn_public_id: str = "turn_0192f3a47c1e7d2a8b6c5d4e3f2a1b0c"
    erased_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Samples:
    """Everything the style guide shows that is not plain text."""

    now: datetime
    days: datetime
    months: datetime
    evidence: Quote
    erased: Quote
    form: SampleForm
    failed: SampleForm
    trust: tuple[str, ...] = ("claimed", "corroborated", "confirmed", "verified")
    statuses: tuple[str, ...] = (
        "active", "needs_review", "disputed", "superseded", "expired", "archived", "running", "failed", "inferred",
    )  # fmt: skip
    tones: tuple[str, ...] = ("", "good", "warn", "bad", "info", "violet", "accent")
    colours: tuple[str, ...] = (
        "bg", "surface", "sunken", "line", "text", "muted", "accent", "good", "warn", "bad", "info", "violet",
    )  # fmt: skip
    icons: tuple[str, ...] = field(
        default=(
            "chat", "threads", "facts", "memory", "audit", "privacy", "key", "jobs", "me", "search", "check", "warn",
            "info", "trash", "edit", "archive", "undo", "retry", "stop", "send", "plus", "close", "copy", "more", "down",
            "left", "right", "filter", "clock", "external", "logout", "menu", "sun", "moon", "system",
        )
    )  # fmt: skip


@register.simple_tag
def samples() -> Samples:
    """The samples, with ages counted from the present moment."""
    now = clock.now()
    said = Quote(
        "I moved in March, so please stop suggesting Hamburg. ",
        "I live in Leipzig now",
        " and take the train everywhere.",
        "Mira Vogel",
        now - timedelta(days=93),
        "#",
    )
    return Samples(
        now=now,
        days=now - timedelta(days=3, hours=2),
        months=now - timedelta(days=93),
        evidence=said,
        erased=Quote("", "", "", "Mira Vogel", None, "", erased_at=now - timedelta(days=3)),
        form=SampleForm(initial={"statement": "Lives in Leipzig.", "kind": "profile"}),
        failed=SampleForm(
            {"statement": "", "email": "mira@", "kind": "profile", "scope": "all"}, auto_id="failed-%s"
        ),
    )
