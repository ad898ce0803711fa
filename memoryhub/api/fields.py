"""Strict input: JSON types as they are, unknown fields refused."""

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from memoryhub import ids
from memoryhub.errors import NotFound


class Text(serializers.CharField):
    """A JSON string, not a number or boolean turned into one. Its content is checked by the core."""

    default_error_messages = {"not_a_string": "This must be a string."}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(**kwargs)
        # Django's own validators would answer for NUL in words of their own; the core has the code for it.
        self.validators = [v for v in self.validators if "Prohibit" not in type(v).__name__]

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("not_a_string")
        return data

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data == "" and self.allow_blank:
            return ""
        return super().run_validation(data)


class Number(serializers.IntegerField):
    """A JSON integer within 64 bits, not a string or boolean."""

    default_error_messages = {"not_a_number": "This must be a whole number."}

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool) or abs(data) >= 2**63:
            self.fail("not_a_number")
        return data


class Real(serializers.FloatField):
    """A JSON number, not a string or boolean."""

    default_error_messages = {"not_a_number": "This must be a number."}

    def to_internal_value(self, data: Any) -> float:
        if not isinstance(data, int | float) or isinstance(data, bool):
            self.fail("not_a_number")
        return float(super().to_internal_value(data))


class Flag(serializers.BooleanField):
    """A JSON boolean."""

    default_error_messages = {"not_a_boolean": "This must be true or false."}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("not_a_boolean")
        return data


class Moment(serializers.DateTimeField):
    """An RFC 3339 time with a zone, between the years 1900 and 2200."""

    default_error_messages = {
        "no_zone": "This needs a zone, such as Z or +02:00.",
        "out_of_range": "This must lie between the years 1900 and 2200.",
    }

    def enforce_timezone(self, value: Any) -> Any:
        if value.tzinfo is None:
            self.fail("no_zone")
        return value

    def to_internal_value(self, value: Any) -> Any:
        if not isinstance(value, str):
            self.fail("invalid", format="RFC 3339")
        try:
            moment = super().to_internal_value(value)
        except OverflowError:
            self.fail("out_of_range")
        if not 1900 <= moment.year <= 2200:
            self.fail("out_of_range")
        return moment


class Metadata(serializers.JSONField):
    """A JSON object for the caller's own use; it never changes whose a thing is."""

    default_error_messages = {"not_an_object": "This must be a JSON object."}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            self.fail("not_an_object")
        return data


class PublicId(serializers.CharField):
    """The id of another record, such as ``turn_…``; what it is checked against is the core's affair."""

    default_error_messages = {"no_such_record": "There is no such record."}

    def __init__(self, prefix: str, **kwargs: Any) -> None:
        self.prefix = prefix
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("no_such_record")
        try:
            return ids.parse(self.prefix, data)
        except NotFound:
            self.fail("no_such_record")


class Input(serializers.Serializer[Any]):
    """Base of every request body: an object, and nothing in it that we do not know."""

    default_error_messages = {"unknown_field": "This field is not known here; check its spelling."}

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            unknown = [name for name in data if name not in self.fields]
            if unknown:
                raise serializers.ValidationError(
                    {str(name)[:80]: self.error_messages["unknown_field"] for name in unknown},
                    code="unknown_field",
                )
        return super().to_internal_value(data)


class NoFields(Input):
    """Nothing."""
