"""The embedded start: everything behind ``manage.py up`` and ``manage.py test``.

Read from ``up.py`` (or ``testing.py``) downwards. ``console``, ``failure``, ``processes``, ``environment``,
``options`` and ``venv`` use the standard library only: they run before anything is installed.
"""
