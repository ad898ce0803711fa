"""All configuration, read from the environment here and nowhere else. docs/configuration.md lists each name."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ

from memoryhub.llm.configuration import LlmSettings

env = environ.Env()
BASE_DIR = Path(__file__).resolve().parent.parent.parent
STATE_DIR = Path(env.str("MEMORYHUB_STATE_DIR", default=str(BASE_DIR / ".memoryhub")))

DEBUG = env.bool("MEMORYHUB_DEBUG", default=False)
SECRET_KEY = env.str("MEMORYHUB_SECRET_KEY", default="")
SECRET_KEY_FALLBACKS = env.list("MEMORYHUB_SECRET_KEY_FALLBACKS", default=[])
if not SECRET_KEY:
    # Enough for commands that sign nothing (makemigrations, type checking); the start-up check refuses to serve.
    SECRET_KEY = "unset-" + "0" * 50
    SECRET_KEY_IS_SET = False
else:
    SECRET_KEY_IS_SET = True

BASE_URL = env.str("MEMORYHUB_BASE_URL", default="http://127.0.0.1:8000").rstrip("/")
SECURE = BASE_URL.startswith("https://")
ALLOWED_HOSTS = env.list(
    "MEMORYHUB_ALLOWED_HOSTS", default=[urlsplit(BASE_URL).hostname] if SECURE else ["*"]
)
CSRF_TRUSTED_ORIGINS = [BASE_URL]

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "django_htmx",
    "django_cotton.apps.SimpleAppConfig",
    "template_partials.apps.SimpleAppConfig",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "memoryhub.tenants.apps.TenantsConfig",
    "memoryhub.audit.apps.AuditConfig",
    "memoryhub.llm.apps.LlmConfig",
    "memoryhub.accounts.apps.AccountsConfig",
    "memoryhub.memory.apps.MemoryConfig",
    "memoryhub.chat.apps.ChatConfig",
    "memoryhub.privacy.apps.PrivacyConfig",
    "memoryhub.api.apps.ApiConfig",
    "memoryhub.web.apps.WebConfig",
    "memoryhub.gateway.apps.GatewayConfig",
    "memoryhub.local.apps.LocalConfig",
]

MIDDLEWARE = [
    "memoryhub.tenants.entrances.RequestIdMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "memoryhub.tenants.entrances.ScopeMiddleware",
]

ROOT_URLCONF = "memoryhub.config.urls"
ASGI_APPLICATION = "memoryhub.config.asgi.application"
WSGI_APPLICATION = "memoryhub.config.wsgi.application"

COTTON_ISOLATE_BY_DEFAULT = True
# django-cotton and template-partials only work together with the loaders written out (else <c-…> reaches people).
_LOADERS: list[Any] = [
    "django_cotton.cotton_loader.Loader",
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "memoryhub.web.shell.shell",
            ],
            "loaders": [
                ("template_partials.loader.Loader", [("django.template.loaders.cached.Loader", _LOADERS)])
                if not DEBUG
                else ("template_partials.loader.Loader", _LOADERS)
            ],
            "builtins": ["django_cotton.templatetags.cotton", "template_partials.templatetags.partials"],
        },
    }
]

DATABASE_URL = env.str("DATABASE_URL", default="postgresql://mh_app@127.0.0.1:5432/memoryhub")
_database: dict[str, Any] = environ.Env.db_url_config(DATABASE_URL)
_database |= {
    "ENGINE": "memoryhub.tenants.postgresql",
    "ATOMIC_REQUESTS": False,
    "CONN_MAX_AGE": 0,
    "CONN_HEALTH_CHECKS": True,
    "DISABLE_SERVER_SIDE_CURSORS": True,
    "OPTIONS": {
        **_database.get("OPTIONS", {}),
        # Values never stand in the statement, so neither pg_stat_activity nor PostgreSQL's log shows what was said.
        "server_side_binding": True,
        # Planning costs more than running most of our statements. Nothing here filters a global vector index, whose
        # generic plans lose rows; a test runs recall past the tenth call on one connection.
        "prepare_threshold": 3,
        "pool": {"min_size": 1, "max_size": env.int("MEMORYHUB_DATABASE_POOL", default=12), "timeout": 10}
        if env.int("MEMORYHUB_DATABASE_POOL", default=12)
        else False,
    },
}
if not _database["OPTIONS"]["pool"]:
    del _database["OPTIONS"]["pool"]
DATABASES = {"default": _database}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CELERY_BROKER_URL = env.str("CELERY_BROKER_URL", default="redis://127.0.0.1:6379/0")

AUTH_USER_MODEL = "tenants.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "memoryhub.web.accounts.AccountAdapter"
ACCOUNT_LOGOUT_ON_GET = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_RATE_LIMITS = {"login_failed": "10/m/ip,5/5m/key"}
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "account_login"
EMAIL_BACKEND = env.str("MEMORYHUB_EMAIL_BACKEND", default="django.core.mail.backends.console.EmailBackend")

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 12 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_NAME = "__Host-memoryhub" if SECURE else "memoryhub"
CSRF_COOKIE_NAME = "__Host-memoryhub-csrf" if SECURE else "memoryhub-csrf"
SECURE_SSL_REDIRECT = env.bool("MEMORYHUB_SSL_REDIRECT", default=False)
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_REFERRER_POLICY = "same-origin"
SECURE_PROXY_SSL_HEADER = (
    ("HTTP_X_FORWARDED_PROTO", "https") if env.bool("MEMORYHUB_BEHIND_PROXY", default=False) else None
)
X_FRAME_OPTIONS = "DENY"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 1024 * 1024
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "connect-src": ["'self'"],
        "font-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
    }
}

STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = STATE_DIR / "static"
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = True

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["memoryhub.api.authentication.ScopeAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["memoryhub.api.permissions.NamedPermission"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["memoryhub.api.parsers.StrictJSONParser"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "memoryhub.api.errors.handle",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS: dict[str, Any] = {
    "TITLE": "MemoryHub",
    "DESCRIPTION": "Agent memory that can prove what it knows, why it knows it, and that it forgot.",
    "VERSION": "v1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SERVE_AUTHENTICATION": [],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "COMPONENT_SPLIT_REQUEST": True,
    "SCHEMA_PATH_PREFIX": "/api/v1",
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": "memoryhub.config.logs.LineFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.str("MEMORYHUB_LOG_LEVEL", default="INFO")},
    "loggers": {"httpx2": {"level": "WARNING"}, "django.request": {"level": "ERROR"}},
}

# --- MemoryHub's own ---------------------------------------------------------------------------------------

MEMORYHUB_LLM = LlmSettings(
    backend=env.str("MEMORYHUB_LLM_BACKEND", default="auto"),
    base_url=env.str("MEMORYHUB_LLM_BASE_URL", default=""),
    api_key=env.str("MEMORYHUB_LLM_API_KEY", default=""),
    model=env.str("MEMORYHUB_LLM_MODEL", default=""),
    reply_model=env.str("MEMORYHUB_LLM_REPLY_MODEL", default=""),
    extract_model=env.str("MEMORYHUB_LLM_EXTRACT_MODEL", default=""),
    summarise_model=env.str("MEMORYHUB_LLM_SUMMARISE_MODEL", default=""),
    embed_model=env.str("MEMORYHUB_LLM_EMBED_MODEL", default=""),
    embed_base_url=env.str("MEMORYHUB_LLM_EMBED_BASE_URL", default=""),
    embed_api_key=env.str("MEMORYHUB_LLM_EMBED_API_KEY", default=""),
    embed_dimension=env.int("MEMORYHUB_LLM_EMBED_DIMENSION", default=384),
    embed_floor=env.float("MEMORYHUB_LLM_EMBED_FLOOR", default=None),
    embed_query_timeout=env.float("MEMORYHUB_LLM_EMBED_QUERY_TIMEOUT", default=3.0),
    next_embed_model=env.str("MEMORYHUB_LLM_NEXT_EMBED_MODEL", default=""),
    next_embed_base_url=env.str("MEMORYHUB_LLM_NEXT_EMBED_BASE_URL", default=""),
    next_embed_api_key=env.str("MEMORYHUB_LLM_NEXT_EMBED_API_KEY", default=""),
    next_embed_dimension=env.int("MEMORYHUB_LLM_NEXT_EMBED_DIMENSION", default=384),
    next_embed_floor=env.float("MEMORYHUB_LLM_NEXT_EMBED_FLOOR", default=None),
    timeout=env.float("MEMORYHUB_LLM_TIMEOUT", default=60.0),
    fake_script=env.str("MEMORYHUB_LLM_FAKE_SCRIPT", default=""),
)
#: Turns sent word for word; older ones are in the summary. Compaction starts past twice this number.
MEMORYHUB_KEEP_RECENT = env.int("MEMORYHUB_KEEP_RECENT", default=6)
#: Tokens of a whole prompt, the answer not counted.
MEMORYHUB_CONTEXT_TOKENS = env.int("MEMORYHUB_CONTEXT_TOKENS", default=8000)
#: The same for models that need another number: "gpt-4o-mini=16000,local=4000".
MEMORYHUB_CONTEXT_TOKENS_BY_MODEL: dict[str, int] = {
    name: int(count) for name, count in env.dict("MEMORYHUB_CONTEXT_TOKENS_BY_MODEL", default={}).items()
}
#: Facts above which the prompt carries an index of them, and the model is offered tools to look things up.
MEMORYHUB_INDEX_ABOVE = env.int("MEMORYHUB_INDEX_ABOVE", default=200)
#: Facts recalled for one message at most.
MEMORYHUB_RECALL_LIMIT = env.int("MEMORYHUB_RECALL_LIMIT", default=8)
#: Active facts of one subject from which recall takes its candidates from an index instead of reading every fact.
MEMORYHUB_LARGE_SCOPE = env.int("MEMORYHUB_LARGE_SCOPE", default=3000)
#: Characters of one turn at most.
MEMORYHUB_TURN_LIMIT = env.int("MEMORYHUB_TURN_LIMIT", default=100_000)
#: Whether secrets, cards and bank accounts are taken out of turns and facts before they are stored.
MEMORYHUB_REDACT = env.bool("MEMORYHUB_REDACT", default=True)
#: Seconds between two sweeps for work that a lost message left undone.
MEMORYHUB_SWEEP_SECONDS = env.int("MEMORYHUB_SWEEP_SECONDS", default=15)
#: Where tombstones of erased subjects are kept, outside the database, to be replayed after a restore.
MEMORYHUB_LEDGER = Path(env.str("MEMORYHUB_LEDGER", default=str(STATE_DIR / "erasures.jsonl")))
#: Days after which backups and write-ahead logs no longer hold what was erased; stated on receipts.
MEMORYHUB_BACKUP_DAYS = env.int("MEMORYHUB_BACKUP_DAYS", default=30)
#: The first owner, made by ``manage.py bootstrap``; a random password is shown once when none is given.
MEMORYHUB_ADMIN_EMAIL = env.str("MEMORYHUB_ADMIN_EMAIL", default="admin@memoryhub.local")
MEMORYHUB_ADMIN_PASSWORD = env.str("MEMORYHUB_ADMIN_PASSWORD", default="")
