"""What the tables of this room share."""

from django.contrib.postgres.search import SearchVectorField
from django.db import models


class Terms(models.Func):
    """The terms of a text for keyword search, as the database's own ``memory_terms`` finds them."""

    function = "memory_terms"
    output_field = SearchVectorField()


def one_of(field: str, choices: type[models.TextChoices]) -> models.CheckConstraint:
    """A constraint that ``field`` holds one of ``choices``."""
    return models.CheckConstraint(
        condition=models.Q(**{f"{field}__in": choices.values}), name=f"%(class)s_{field}_known"
    )
