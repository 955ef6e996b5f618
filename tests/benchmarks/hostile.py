"""A hostile week in some minutes: malformed requests, bodies and frames against a served site.

    python -m tests.benchmarks.hostile --requests 5000 --raw 600 --connections 160 --frames 30

    python -m tests.benchmarks.hostile --oracle --depth quick      # only the oracle, and fewer asks
    python -m tests.benchmarks.hostile --bits                      # only the bits a client hears

Prints what was sent, how it was answered, and every find: an answer 5xx, a traceback in the log
of the server, a connection that hangs, a game of somebody else that is not as it was, a
secret of somebody else (cookies, salts, seeds) in whatever came back.
The same ``--seed`` makes the same choices. Then the oracle: the same games are dealt in worlds that
differ in one sealed value, everybody who may not know it asks everything, and answers that differ
are finds (``tests/support/oracle``). Last the mutual information of sealed values and of what a
client hears, in bits, beside what chance finds, and with planted leaks that it must find.
"""

import argparse
import asyncio
import itertools
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.support.hostile_week import NO_LIMITS, Week
from tests.support.servers import Site
from tests.support.services import Postgres, Redis


def main() -> None:
    """Send all, ask all, and print the finds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=5_000)
    parser.add_argument("--raw", type=int, default=600)
    parser.add_argument("--connections", type=int, default=160)
    parser.add_argument("--frames", type=int, default=30)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--services", action="store_true", help="with PostgreSQL and Redis")
    parser.add_argument("--oracle", action="store_true", help="nothing but the oracle")
    parser.add_argument("--bits", action="store_true", help="nothing but the bits")
    parser.add_argument("--depth", default="whole", choices=("few", "quick", "whole", "deep"))
    wanted = parser.parse_args()
    if not (wanted.oracle or wanted.bits):
        malformed(wanted)
    oracle(wanted)


COLUMNS = ("worlds", "answers", "compared", "findings")


def oracle(wanted: argparse.Namespace) -> None:
    """Ask in worlds that differ in what is sealed, and print a table."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        variables = {**os.environ, "BAZAAR_DATA_DIR": folder, "SAUDA_LOCAL_MODEL": "none"}
        variables |= {"SAUDA_VOICE_S": "0", "SAUDA_POLICY": "sauda"}
        if wanted.services:
            variables["DATABASE_URL"] = stack.enter_context(Postgres()).url
        command = [sys.executable, "-m", "tests.support.oracle.week", "--depth", wanted.depth]
        command += ["--bits"] * wanted.bits
        told = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True)
        assert told.stdout is not None
        rows = map(json.loads, told.stdout)
        bits = [] if wanted.bits else list(_told_apart(rows))
        print("\n| surface | trials | answers | sealed, bits | told | by chance, at most |")
        print("|---|---|---|---|---|---|")
        for row in itertools.chain(bits, rows):
            numbers = (f"{row[name]:.2f}" for name in ("most", "bits", "floor"))
            words = (row["surface"], f"{row['trials']}", f"{row['asks']}", *numbers)
            print(f"| {' | '.join(words)} |", flush=True)
            if (row["bits"] > row["floor"]) != row["is_planted"]:
                print("    a leak" if not row["is_planted"] else "    not seen")
        assert told.wait() == 0, "the oracle broke off"


def _told_apart(rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Print what tells worlds apart; yields the first row that is not of this table."""
    print("| surface | worlds | answers | compared | findings |")
    print("|---|---|---|---|---|")
    total: Counter[str] = Counter()
    for row in rows:
        if "bits" in row:
            yield row
            break
        found = row["found"]
        numbers = (row["worlds"], row["asked"], row["compared"], len(found))
        total.update(dict(zip(COLUMNS, numbers, strict=True)))
        print(f"| {row['surface']} | {' | '.join(f'{n:,}' for n in numbers)} |", flush=True)
        for one in found[:10]:
            print(f"    {one[:300]}")
    print(f"| all | {' | '.join(f'{n:,}' for n in total.values())} |")


def malformed(wanted: argparse.Namespace) -> None:
    """Send what is malformed, and print the finds."""
    with ExitStack() as stack:
        variables = dict(NO_LIMITS)
        if wanted.services:
            variables["DATABASE_URL"] = stack.enter_context(Postgres()).url
            variables["REDIS_URL"] = stack.enter_context(Redis()).url
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        site = stack.enter_context(Site(folder, **variables))
        week = Week(site, wanted.seed)
        try:
            finds = asyncio.run(
                week.run(wanted.requests, wanted.raw, wanted.connections, wanted.frames)
            )
            changed, tracebacks = week.changed(), week.tracebacks()
        finally:
            week.close()
        log = Path(tempfile.gettempdir()) / "hostile.log"
        log.write_text(site.log)
    print(f"inputs {finds.total}: {dict(finds.sent)}")
    print(f"frames by socket {dict(sorted(finds.doors.items()))}")
    print(f"answers {dict(sorted(finds.answers.items()))}")
    for name, found in (
        ("answers of our fault", finds.faults),
        ("tracebacks", tracebacks),
        ("hung connections", finds.hung),
        ("changed games of others", changed),
        ("secrets of others heard", finds.heard),
    ):
        print(f"{name}: {len(found)}")
        for line in found[:30]:
            print(f"  {line}")
    print(f"the server's log: {log}")


if __name__ == "__main__":
    main()
