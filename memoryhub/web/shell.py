"""What every page needs: navigation by role, the account, the banner."""

from typing import Any

from django.http import HttpRequest


def shell(request: HttpRequest) -> dict[str, Any]:
    """The shell's context."""
    return {}
