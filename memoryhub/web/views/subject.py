"""The pages of one subject, for operators: their facts, and their standing instructions in order."""

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse

from memoryhub import clock, ids
from memoryhub.memory import context, facts, subjects
from memoryhub.memory.models import Subject
from memoryhub.tenants.permissions import Permission
from memoryhub.web import lists, ordering, pages
from memoryhub.web.pages import Page, page


def _subject(subject_id: str) -> Subject:
    return subjects.get(ids.parse("subj", subject_id))


@page(Permission.READ_MEMORY)
def detail(request: Page, subject_id: str) -> HttpResponse:
    """What is known about the subject."""
    found = _subject(subject_id)
    return HttpResponseRedirect(lists.searching("facts:list", "subject", found.external_id))


@page(Permission.READ_MEMORY)
def instructions_page(request: Page, subject_id: str) -> HttpResponse:
    """The standing instructions, in the order in which every prompt gives them."""
    subject = _subject(subject_id)
    listed = ordering.listed(subject, at=clock.now())
    shown = {
        "subject_item": subject,
        "facts_url": lists.searching("facts:list", "subject", subject.external_id),
        "instructions": listed,
        "move_url": reverse("subjects:move", args=[subject.public_id]),
        "used": sum(item.tokens for item in listed if item.fits),
        "budget": context.INSTRUCTION_TOKENS,
        "left_out": sum(not item.fits for item in listed),
        "can_order": Permission.CURATE_FACTS in request.identity.permissions and len(listed) > 1,
    }
    return render(request, "subjects/instructions.html", shown)


@page(Permission.CURATE_FACTS, "POST")
def move(request: Page, subject_id: str) -> HttpResponse:
    """Move an instruction up or down."""
    subject = _subject(subject_id)
    step = ordering.direction(request)
    fact = facts.get(ids.parse("fact", request.POST.get("fact", "")), subject_id=subject.id)
    ordering.move(subject, fact, step, at=clock.now())
    return pages.done_at(request, "Reordered.", reverse("subjects:instructions", args=[subject.public_id]))
