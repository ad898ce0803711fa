"""Several management commands in one Django process, which saves a second for each: ``prepare.py COMMAND...``."""

import sys

import django
from django.core.management import call_command


def main(commands: list[str]) -> None:
    """Run each command in turn; the first failure ends it."""
    django.setup()
    for command in commands:
        call_command(command)


if __name__ == "__main__":
    main(sys.argv[1:])
