"""A voice and a lab that are needed first at once, in a process that has no model yet."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys, threading, time
from pathlib import Path
from agents.backends.local.source import Source
from agents.backends.local.worker import Worker
from arena.gpu_market.trained.cards import LabCard, LabCheckpoint
from arena.gpu_market.trained.seat import seated

wrong = []

def voice():
    Worker(Source(sys.argv[2]), 1, stop_at_object=True)._load()

def lab():
    seated(LabCheckpoint(Path(sys.argv[2]), LabCard(name="lab-none", title="None"), "0" * 8))

def needs(load, wait):
    time.sleep(wait)
    try:
        load()
    except ImportError as error:
        wrong.append(str(error))
    except Exception:  # there is no model
        pass

threads = [
    threading.Thread(target=needs, args=one) for one in ((voice, 0), (lab, float(sys.argv[1])))
]
for one in threads:
    one.start()
for one in threads:
    one.join()
print(wrong)
"""


@pytest.mark.parametrize("after", ["0", "0.7"])
def test_neither_finds_the_libraries_half_imported(after: str, tmp_path: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM, after, str(tmp_path)],
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        capture_output=True, text=True, timeout=50, check=True,
    )  # fmt: skip
    assert told.stdout.strip().splitlines()[-1] == "[]"
