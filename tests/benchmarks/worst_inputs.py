"""What strangers' bytes and words cost at worst, by search: a table in processor seconds.

    python -m tests.benchmarks.worst_inputs --tries 300 --only words
    python -m tests.benchmarks.worst_inputs photos

Texts are grown from pieces and mutated, and the dearest kept (``tests/support/worst_inputs.py``);
``power`` is how the cost grows with the length, 1 in proportion to it. Photos are built, and cost
what their decoder takes. The same ``--seed`` makes the same choices.
"""

import argparse
import os
import random
import resource

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
os.environ.setdefault("SAUDA_LOCAL_MODEL", "none")
django.setup()

from negotiation.bargain import photos  # noqa: E402
from tests.support.photo_bombs import BOMBS  # noqa: E402
from tests.support.strangers_readers import reader  # noqa: E402
from tests.support.worst_inputs import cost_of, made, search  # noqa: E402

WHOLE = 500_000
"""From so many characters on a reader gets a tenth of the tries: each takes as long."""


def main() -> None:
    """Search, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=("texts", "photos"), default="texts")
    parser.add_argument("--tries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--only", default="", help="readers whose names this pattern fits")
    wanted = parser.parse_args()
    if wanted.what == "photos":
        print("| photo | kB | decoder | processor seconds |\n|---|---|---|---|")
        for name, (make, _status) in BOMBS.items():
            print(photo(name, make()), flush=True)
        return
    print("| reader | most | found now | power | known | dearest |\n|---|---|---|---|---|---|")
    for one in reader(wanted.only):
        tries = wanted.tries // (10 if one.most >= WHOLE else 1)
        luck = random.Random(f"{wanted.seed}{one.name}")
        worst = search(one.read, one.pieces, one.most, tries=tries, luck=luck)
        known = cost_of(one.read, made(one.worst, one.most))
        told = worst.told.replace("|", "\\|")[:100]
        print(
            f"| {one.name} | {one.most:,} | {worst.cpu_s:.3f} | {worst.power:.1f} "
            f"| {known:.3f} | `{told}` |",
            flush=True,
        )


def photo(name: str, body: bytes) -> str:
    """Return what a decoder says of a photo and takes for it, as a line of the table."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    status, _drawn = photos._decoded(body)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = photos.Refused(status).name.lower() if status in list(photos.Refused) else status
    return f"| {name} | {len(body) // 1000:,} | {said or 'drawn'} | {took:.2f} |"


if __name__ == "__main__":
    main()
