"""The product's settings with what tests need: no connection pool, a known secret, fast passwords."""

import os

os.environ.setdefault("MEMORYHUB_SECRET_KEY", "tests-only-" + "k" * 50)
os.environ.setdefault("MEMORYHUB_DATABASE_POOL", "0")
os.environ.setdefault("MEMORYHUB_LLM_BACKEND", "offline")
# A change of embedder can be begun; nobody answers at the address.
os.environ.setdefault("MEMORYHUB_LLM_NEXT_EMBED_MODEL", "next")
os.environ.setdefault("MEMORYHUB_LLM_NEXT_EMBED_BASE_URL", "http://127.0.0.1:9/v1")

from memoryhub.config.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
