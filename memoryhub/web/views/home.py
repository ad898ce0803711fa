"""The way in, and the style guide."""

from django.http import HttpResponse
from django.shortcuts import redirect, render

from memoryhub.tenants.permissions import Permission
from memoryhub.web.pages import Page, page


@page(Permission.OWN_MEMORY)
def home(request: Page) -> HttpResponse:
    """To the first place that the caller may open."""
    if Permission.CHAT in request.identity.permissions:
        return redirect("chat:index")
    return redirect("audit:list" if Permission.READ_AUDIT in request.identity.permissions else "me:memory")


@page(Permission.OWN_MEMORY)
def styleguide(request: Page) -> HttpResponse:
    """Every component in its states."""
    return render(request, "styleguide.html")
