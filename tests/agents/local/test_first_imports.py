"""A voice and a lab that are needed first at once, in a process that has no model yet."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

PROGRAM = """
import sys, threading, time
from pathlib import Path
from agents.backends.local.source import Source
from agents.backends.local.worker import Worker
from arena.gpu_market.trained.cards import LabCheckpoint, read_lab
from arena.gpu_market.trained.seat import seated

wait, a_voice, a_lab = sys.argv[1:]
wrong = []

def voice():
    Worker(Source(a_voice), 1, stop_at_object=True)._load()

def lab():
    found = read_lab(Path(a_lab))
    seated(LabCheckpoint(found.folder, found.card, found.digest))

def needs(load, wait):
    time.sleep(wait)
    try:
        load()
    except BaseException as error:
        wrong.append(repr(error))

threads = [
    threading.Thread(target=needs, args=one) for one in ((voice, 0), (lab, float(wait)))
]
for one in threads:
    one.start()
for one in threads:
    one.join()
print(wrong)
"""


@pytest.mark.parametrize("after", ["0", "0.7", "2"])
def test_both_have_their_weights(after: str) -> None:
    """Transformers is neither imported by two threads at once, nor does it load two models.

    The shipped ones: those of other tests are so small that one is there before the other begins.
    """
    voice, lab = _first(settings.SHIPPED_MODELS_DIR), _first(settings.SHIPPED_LABS_DIR)
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM, after, voice, lab],
        env=os.environ | {"HF_HUB_OFFLINE": "1"},
        capture_output=True, text=True, timeout=50, check=True,
    )  # fmt: skip
    assert told.stdout.strip().splitlines()[-1] == "[]"


def _first(folder: Path) -> str:
    return str(min(folder.glob("*/tokenizer*.json")).parent)
