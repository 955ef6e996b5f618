"""How long each step of a start takes; ``serve --timings`` tells it."""

import logging
import subprocess
import sys
import time
from collections import Counter

log = logging.getLogger(__name__)

_last = (time.perf_counter(), time.process_time())
_done = [("Python and the command line", _last[1], _last[1])]
"""Steps with seconds, and those of the processor; of the first one only these are known."""


def begin() -> None:
    """Count from now on: a process was forked from one that has told its own steps."""
    global _last  # noqa: PLW0603  there is one start in a process
    _done.clear()
    _last = (time.perf_counter(), time.process_time())


def done(step: str) -> None:
    """Note that a step has ended, and the next one begins."""
    global _last  # noqa: PLW0603  as above
    now = (time.perf_counter(), time.process_time())
    _done.append((step, now[0] - _last[0], now[1] - _last[1]))
    _last = now


def tell(who: str) -> None:
    """Log the steps of a process so far."""
    everything = ("all", sum(one[1] for one in _done), sum(one[2] for one in _done))
    for step, wall_s, cpu_s in (*_done, everything):
        log.info("%s, %s: %.2f s (%.2f s of the processor)", who, step, wall_s, cpu_s)


MOST_NAMES = 20

IMPORTS = "import django; django.setup(); import daphne.cli, bazaar_site.asgi"


def tell_imports() -> None:
    """Log whose modules take how long to import, as measured in a process of its own."""
    command = [sys.executable, "-X", "importtime", "-c", IMPORTS]
    said = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  our own
    groups = Counter[str]()
    for line in said.stderr.splitlines():
        if line.startswith("import time:") and line.count("|") == 2:
            own_us, _, name = line.removeprefix("import time:").split("|")
            if own_us.strip().isdigit():
                first = name.strip().partition(".")[0]
                is_standard = first.lstrip("_") in sys.stdlib_module_names
                groups["Python's own" if is_standard else first] += int(own_us)
    for name, sum_us in groups.most_common(MOST_NAMES):
        log.info("imports, %s: %.2f s", name, sum_us / 1e6)
    log.info("imports, all: %.2f s, where each is measured", groups.total() / 1e6)
