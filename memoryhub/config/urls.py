"""Where each door stands."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path


def healthz(request: HttpRequest) -> HttpResponse:
    """Alive: the process answers. Says nothing of what it depends on."""
    return JsonResponse({"status": "ok"})


urlpatterns = [
    path("healthz", healthz, name="healthz"),
    path("api/v1/", include("memoryhub.api.urls")),
    path("accounts/", include("allauth.urls")),
    path("", include("memoryhub.gateway.urls")),
    path("", include("memoryhub.web.urls")),
]
