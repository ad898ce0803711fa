"""The tenant with something of everything, from the tests of the API."""

from tests.api.conftest import world

__all__ = ["world"]
