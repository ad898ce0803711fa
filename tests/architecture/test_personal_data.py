"""Whatever can hold something about a person is on the list by which people are forgotten."""

import pytest
from django.apps import apps
from django.db import models

from memoryhub.memory import purge
from memoryhub.memory.models import Subject
from memoryhub.tenants.models import TenantModel

STORED = {store.model for store in purge.STORES}
#: Tables that lead to a subject and are kept by an erasure, and why.
KEPT = {
    "PrivacyRequest": "proves that the request was answered; its subject is then the empty fence row",
    "Receipt": "the proof itself; counts, codes and a pseudonym",
}
#: Tenant tables that do not lead to a subject, and what of a person they can hold.
NOT_ABOUT_SUBJECTS = {
    "Membership": "who works with the product; an owner adds and removes them",
    "Agent": "programs",
    "ApiKey": "programs",
    "AuditEvent": "ids, codes, counts and a keyed pseudonym; see tests/audit",
    "ModelCall": "purposes, tokens, prices",
    "MemoryPolicy": "the tenant's rules",
    "EmbedderState": "models and their floors",
    "RecallSuite": "a name; its cases lead to subjects",
    "RecallRun": "ids, scores and settings; no question and no statement",
}
TENANT_MODELS = [model for model in apps.get_models() if issubclass(model, TenantModel)]


def leads_to_subject(model: type[models.Model], seen: frozenset[type[models.Model]] = frozenset()) -> bool:
    """Whether links lead from the model to ``Subject``."""
    if model is Subject:
        return True
    if model in seen:
        return False
    links = [f.related_model for f in model._meta.concrete_fields if isinstance(f, models.ForeignKey)]
    return any(leads_to_subject(target, seen | {model}) for target in links)  # type: ignore[arg-type]


@pytest.mark.parametrize("model", TENANT_MODELS, ids=lambda m: m.__name__)
def test_every_table_is_forgotten_kept_with_a_reason_or_about_nobody(model: type[models.Model]) -> None:
    if model is Subject:
        return
    name = model.__name__
    if not leads_to_subject(model):
        assert name in NOT_ABOUT_SUBJECTS
        return
    assert (model in STORED) != (name in KEPT), f"{name} holds something about a person and nobody decided"


def test_the_lists_name_nothing_that_is_gone() -> None:
    names = {model.__name__ for model in TENANT_MODELS}
    assert set(KEPT) | set(NOT_ABOUT_SUBJECTS) <= names
    kept = {model._meta.db_table for model in TENANT_MODELS if model.__name__ in KEPT}
    assert kept == purge.KEPT_TABLES


@pytest.mark.parametrize("store", purge.STORES, ids=lambda s: s.name)
def test_every_store_is_found_by_the_verification_too(store: purge.Store) -> None:
    """The second path goes by the column ``subject_id``, so every store must have it."""
    assert any(field.column == "subject_id" for field in store.model._meta.concrete_fields)


def test_what_points_at_a_row_goes_before_it() -> None:
    order = [store.model for store in purge.STORES]
    for position, model in enumerate(order):
        for field in model._meta.concrete_fields:
            if isinstance(field, models.ForeignKey) and field.related_model in order:
                target = field.related_model
                assert target is model or order.index(target) > position, (
                    f"{model.__name__} → {target.__name__}"
                )


def test_the_empty_row_of_an_erased_subject_can_name_nobody() -> None:
    """A field that is added to Subject has to be emptied by ``purge_subject``, or named here."""
    emptied = {"external_id", "display_name", "timezone", "membership", "epoch", "erased_at"}
    says_nothing = {"id", "tenant", "created_at", "external_ref"}
    assert {field.name for field in Subject._meta.concrete_fields} == emptied | says_nothing
