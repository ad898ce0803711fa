"""The memory policy: what may be kept, and how long it counts as fresh."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render

from memoryhub import clock
from memoryhub.errors import Invalid
from memoryhub.memory import policies
from memoryhub.memory.kinds import Kind, SpecialCategories
from memoryhub.tenants.permissions import Permission
from memoryhub.web import pages
from memoryhub.web.forms import PolicyForm
from memoryhub.web.pages import Page, page


@dataclass(frozen=True)
class Choice:
    """A way to treat special categories, and what follows from it."""

    value: str
    label: str
    text: str
    chosen: bool


_CONSEQUENCES: Mapping[SpecialCategories, str] = {
    SpecialCategories.DROP: (
        "Nothing of the kind becomes a fact. It still stands in the conversation it was said in. "
        "Nobody has to decide, and nothing can be recalled later, not even what would have helped, such as an allergy."
    ),
    SpecialCategories.HOLD: (
        "It becomes a fact that no answer uses until somebody confirms it in the review. "
        "Whoever reviews reads it; what is not decided stays there."
    ),
    SpecialCategories.STORE: (
        "It is learned and used like anything else. You need a ground of GDPR Art. 9(2) for that, "
        "as a rule the person's explicit consent."
    ),
}


@page(Permission.MANAGE_MEMBERS)
def index(request: Page) -> HttpResponse:
    """The policy as it is."""
    present = policies.current()
    days = {f"days_{kind.value}": present.stale_after[kind] for kind in Kind}
    return _rendered(request, PolicyForm(initial={"special_categories": present.special_categories, **days}))


def _rendered(request: Page, form: PolicyForm, status: int = 200) -> HttpResponse:
    chosen = form["special_categories"].value()
    context: dict[str, Any] = {
        "form": form,
        "choices": [
            Choice(value.value, str(value.label), text, value == chosen)
            for value, text in _CONSEQUENCES.items()
        ],
    }
    return render(request, "policy/form.html", context, status=status)


@page(Permission.MANAGE_MEMBERS, "POST")
def change(request: Page) -> HttpResponse:
    """Save the policy. It counts for what is learned from now on."""
    form = PolicyForm(request.POST)
    if not form.is_valid():
        return _rendered(request, form, status=422)
    try:
        policies.change(
            special_categories=form.cleaned_data["special_categories"],
            stale_after=form.stale_after,
            at=clock.now(),
        )
    except Invalid as error:
        form.add_error(None, error.message)
        return _rendered(request, form, status=422)
    return pages.done(request, "Saved. It counts for what is learned from now on.", "policy:form")
