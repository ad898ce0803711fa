"""What stands behind the protocols. Each backend has ``chat_model(purpose, settings)`` and ``embedder(settings)``."""
