"""Fifty callers of one process use a limit at once: ``python -m tests.support.limit_crowd KEY``.

Prints how many were let through.
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor

CALLERS = 50
THREADS = 12


def main() -> None:
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()
    from django.db import connection

    from negotiation.errors import RateLimited
    from negotiation.limits import spend

    def call(_: int) -> bool:
        try:
            spend("games", sys.argv[1])
        except RateLimited:
            return False
        finally:
            connection.close()
        return True

    print("ready", flush=True)
    sys.stdin.readline()
    with ThreadPoolExecutor(THREADS) as pool:
        print(sum(pool.map(call, range(CALLERS))), flush=True)


if __name__ == "__main__":
    main()
