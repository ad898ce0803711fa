"""How allauth behaves here: nobody signs up by themselves; an owner adds members."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Closed for sign-up."""

    def is_open_for_signup(self, request: Any) -> bool:
        return False
