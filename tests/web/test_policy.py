"""The memory policy: seen and changed by owners, and in force at once."""

from collections.abc import Callable, Mapping

import pytest
from django.test import Client

from memoryhub.audit import trail
from memoryhub.memory import policies
from memoryhub.memory.kinds import Kind, SpecialCategories
from memoryhub.memory.models import MemoryPolicy, Subject
from memoryhub.memory.schema import KINDS
from memoryhub.tenants.models import Membership
from memoryhub.tenants.permissions import Role
from tests.web.conftest import acting, know

Members = Mapping[Role, Membership]
GOOD = {"special_categories": "hold", "days_profile": "700", "days_plan": "14", "days_project": ""}


def test_the_defaults_are_shown_with_their_consequences(owner: Client) -> None:
    page = owner.get("/policy/")
    assert [(c.value, c.chosen) for c in page.context["choices"]] == [
        ("drop", True),
        ("hold", False),
        ("store", False),
    ]
    form = page.context["form"]
    for kind in Kind:
        assert form[f"days_{kind.value}"].value() == KINDS[kind].stale_after
    assert "GDPR Art. 9(2)" in page.content.decode()


def test_a_change_is_saved_audited_and_in_force(owner: Client, members: Members, mira: Subject) -> None:
    answer = owner.post("/policy/change", GOOD, follow=True)
    assert "Saved. It counts for what is learned from now on." in answer.content.decode()
    assert answer.context["form"]["days_project"].value() is None
    with acting(members[Role.OWNER]):
        present = policies.current()
        assert present.special_categories is SpecialCategories.HOLD
        assert (present.stale_after[Kind.PROFILE], present.stale_after[Kind.PLAN]) == (700, 14)
        assert present.stale_after[Kind.PROJECT] is None, "an empty field: it never grows old"
        event = trail.events(limit=1)[0]
        assert (event.action, event.detail) == (trail.Action.POLICY_CHANGE, {"status": "hold"})
        assert know(mira, "Is diabetic").held_because == "special_category"


@pytest.mark.parametrize(
    "wrong",
    [
        {"special_categories": "sell"},
        {"special_categories": ""},
        {"days_plan": "0"},
        {"days_plan": "-3"},
        {"days_plan": "3651"},
        {"days_plan": "soon"},
        {"days_plan": "9" * 400},
    ],
)
def test_what_is_no_good_comes_back_and_nothing_is_saved(
    owner: Client, members: Members, wrong: dict[str, str]
) -> None:
    answer = owner.post("/policy/change", {**GOOD, **wrong})
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert answer.context["form"]["days_profile"].value() == "700", "what was typed is not lost"
    with acting(members[Role.OWNER]):
        assert MemoryPolicy.objects.count() == 0


@pytest.mark.parametrize("role", [role for role in Role if role is not Role.OWNER])
def test_it_is_the_owners(as_role: Callable[[Role], Client], role: Role) -> None:
    browser = as_role(role)
    assert browser.get("/policy/").status_code == 403
    assert browser.post("/policy/change", GOOD).status_code == 403
    assert "Memory policy" not in [item.label for item in browser.get("/me/memory").context["nav"]]
