"""Files into which processes count: those of the dead go, those of the living stay."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from bazaar_site.operating import metrics


def test_what_a_living_process_counts_into_stays_however_long_it_has_rested(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(metrics, "FOLDER", tmp_path)
    ended = subprocess.Popen(["true"])
    ended.wait()
    long_ago = time.time() - 2 * metrics.KEPT_S
    stays, goes = set(), set()
    for kept, owner, is_old in (
        (stays, f"{metrics.HOST}-{os.getpid()}", True),
        (stays, f"{metrics.HOST}-{os.getpid()}", False),
        (goes, f"{metrics.HOST}-{ended.pid}", False),
        (stays, "other-machine-1", False),
        (goes, "other-machine-2", True),
    ):
        path = tmp_path / f"{'counter' if is_old else 'histogram'}_{owner}.db"
        path.write_bytes(b"")
        if is_old:
            os.utime(path, (long_ago, long_ago))
        kept.add(path)
    metrics.forget_dead()
    assert set(tmp_path.iterdir()) == stays
