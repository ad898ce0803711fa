"""What the tables of this room share."""

from django.contrib.postgres.search import SearchVectorField
from django.db import models


class EnglishVector(models.Func):
    """The stemmed words of a text, for keyword search; the configuration is fixed, so the value is stored."""

    template = "to_tsvector('english'::regconfig, %(expressions)s)"
    output_field = SearchVectorField()


def one_of(field: str, choices: type[models.TextChoices]) -> models.CheckConstraint:
    """A constraint that ``field`` holds one of ``choices``."""
    return models.CheckConstraint(
        condition=models.Q(**{f"{field}__in": choices.values}), name=f"%(class)s_{field}_known"
    )
