#!/usr/bin/env python3
"""Every command of MemoryHub.

    python3 manage.py up      install what is needed and start everything; Ctrl-C stops it
    python3 manage.py test    install what is needed and run every check and test

Any other command is Django's or MemoryHub's own: python3 manage.py help lists them. On a machine with the
embedded database they find it by themselves; DATABASE_URL names another one.
"""

import os
import runpy
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - said by an old interpreter, before it meets syntax that it does not know
    sys.exit("MemoryHub needs Python 3.11 or newer; this is Python " + sys.version.split()[0] + ".")
if os.name != "posix":
    sys.exit("MemoryHub starts on Linux and macOS; on Windows use it inside WSL 2.")

from memoryhub.local import bootstrap

if __name__ == "__main__":
    runpy.run_module(bootstrap.module_for(sys.argv), run_name="__main__")
