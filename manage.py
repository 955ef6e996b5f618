#!/usr/bin/env python
"""Django's command line for this site."""

import os
import sys


def main() -> None:
    """Run a management command."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    # What a command writes, and what the programs of `serve` write, is for this account alone.
    os.umask(0o077)
    # A process is one core: whoever wants more starts more. NumPy reads this when it is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
