"""The forms of the pages. They check shape; the core checks meaning."""

from typing import Any

from django import forms

from memoryhub.accounts import keys
from memoryhub.memory import facts
from memoryhub.memory.kinds import Kind, SpecialCategories
from memoryhub.memory.schema import KINDS
from memoryhub.privacy import requests
from memoryhub.tenants.permissions import Role


class _Form(forms.Form):
    """A form whose fields have ids of their own, so that several can stand on one page."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{type(self).__name__}-%s", **kwargs})


class MessageForm(_Form):
    """A message to the agent."""

    text = forms.CharField(max_length=20_000, strip=True)
    client_id = forms.CharField(max_length=64, required=False)


class CorrectForm(_Form):
    """What a fact says from now on, and why."""

    statement = forms.CharField(
        label="Statement", max_length=facts.STATEMENT_LIMIT, widget=forms.Textarea(attrs={"rows": 3})
    )
    reason = forms.CharField(label="Reason", max_length=500, help_text="Kept with the new version.")
    etag = forms.CharField(widget=forms.HiddenInput, required=False)


class MyCorrectForm(_Form):
    """What is right instead, on the person's own word."""

    statement = forms.CharField(
        label="What is right", max_length=facts.STATEMENT_LIMIT, widget=forms.Textarea(attrs={"rows": 3})
    )


class AddForm(_Form):
    """Something to remember, on the person's own word."""

    statement = forms.CharField(
        label="What should be remembered",
        max_length=facts.STATEMENT_LIMIT,
        widget=forms.Textarea(attrs={"rows": 3}),
    )
    kind = forms.ChoiceField(
        label="It is", choices=[(kind.value, str(kind.label)) for kind in Kind], initial=Kind.PROFILE.value
    )


class PurgeForm(_Form):
    """Why a fact is purged, and that it is meant."""

    reason = forms.ChoiceField(label="Reason", choices=list(facts.PURGE_REASONS.items()))
    typed = forms.CharField(
        label="Type purge to confirm",
        widget=forms.TextInput(
            attrs={
                "autocomplete": "off",
                "spellcheck": "false",
                "data-expect": "purge",
                "data-unlocks": "purge-go",
            }
        ),
    )

    def clean_typed(self) -> str:
        """The word, or an error."""
        typed = str(self.cleaned_data["typed"]).strip()
        if typed != "purge":
            raise forms.ValidationError("Type the word purge to confirm.")
        return typed


class RebuildForm(_Form):
    """Whether a rebuild only says what it would change."""

    mode = forms.ChoiceField(
        label="What should happen?",
        choices=[
            ("dry", "Only say what would change"),
            ("real", "Change the facts"),
        ],
        initial="dry",
        widget=forms.RadioSelect,
    )


class MoveForm(_Form):
    """Which way a standing instruction goes."""

    to = forms.ChoiceField(choices=[("up", "Up"), ("down", "Down")])


class PolicyForm(_Form):
    """What may be remembered, and for how many days each kind counts as fresh; an empty field: for ever."""

    special_categories = forms.ChoiceField(
        label="Special categories",
        choices=[(value, str(label)) for value, label in SpecialCategories.choices],
        widget=forms.RadioSelect,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for kind in Kind:
            self.fields[f"days_{kind.value}"] = forms.IntegerField(
                label=str(kind.label),
                min_value=1,
                max_value=3650,
                required=False,
                help_text=KINDS[kind].meaning,
            )
            self.fields[f"days_{kind.value}"].widget.attrs["placeholder"] = "never"

    @property
    def ages(self) -> list[Any]:
        """The fields of days, in the order of the kinds."""
        return [self[f"days_{kind.value}"] for kind in Kind]

    @property
    def stale_after(self) -> dict[str, int | None]:
        """The days by kind of a valid form."""
        return {kind.value: self.cleaned_data[f"days_{kind.value}"] for kind in Kind}


class OpenRequestForm(_Form):
    """Whose data is to be erased."""

    subject = forms.CharField(
        label="Subject", max_length=255, help_text="The person's id as your program knows it, exactly."
    )
    attested = forms.BooleanField(
        label="I have made sure that the request comes from this person",
        help_text="How you did so is not stored here.",
    )


class ApproveForm(_Form):
    """The preview that was looked at, and the subject's id as typed."""

    digest = forms.CharField(widget=forms.HiddenInput)
    typed = forms.CharField(max_length=300)


class RefuseForm(_Form):
    """Why a request is refused."""

    reason = forms.ChoiceField(label="Reason", choices=list(requests.REFUSALS.items()))


#: What a scope lets a program do, in words; a scope without words is shown by its name.
_SCOPES = {
    "memory:read": "Read facts and conversations, and recall (memory:read)",
    "memory:write": "Add conversations and facts (memory:write)",
    "facts:curate": "Correct, verify and archive facts (facts:curate)",
    "facts:purge": "Purge facts and delete threads (facts:purge)",
    "privacy:read": "Read privacy requests and receipts (privacy:read)",
    "privacy:open": "Open privacy requests (privacy:open)",
    "audit:read": "Read the audit trail (audit:read)",
    "jobs:read": "See jobs (jobs:read)",
    "jobs:manage": "Retry jobs (jobs:manage)",
    "usage:read": "Read usage (usage:read)",
}


class KeyForm(_Form):
    """A new API key."""

    name = forms.CharField(label="Name", max_length=80, help_text="The program that will use it.")
    scopes = forms.MultipleChoiceField(
        label="It may",
        choices=[(name, _SCOPES.get(name, name)) for name in keys.all_scopes()],
        initial=keys.default_scopes(),
        widget=forms.CheckboxSelectMultiple,
    )
    expires = forms.TypedChoiceField(
        label="It expires",
        choices=[("", "Never"), ("30", "In 30 days"), ("90", "In 90 days"), ("365", "In a year")],
        coerce=int,
        empty_value=None,
        required=False,
    )


class MemberForm(_Form):
    """A person to add."""

    email = forms.EmailField(label="E-mail", max_length=254)
    name = forms.CharField(label="Name", max_length=120, required=False)
    role = forms.ChoiceField(label="Role", choices=[(role.value, role.label) for role in Role])


class RoleForm(_Form):
    """A member's new role."""

    role = forms.ChoiceField(choices=[(role.value, role.label) for role in Role])
