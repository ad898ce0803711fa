"""What drf-spectacular can not see by itself."""

from drf_spectacular.extensions import OpenApiAuthenticationExtension


class ScopeAuthenticationScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """The API key, in the OpenAPI document."""

    target_class = "memoryhub.api.authentication.ScopeAuthentication"
    name = "apiKey"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """``Authorization: Bearer mh_live_…``."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "mh_live_…"}
