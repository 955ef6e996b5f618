"""The real command, killed in the middle: nothing is lost, nothing is doubled."""

import os
import signal
from pathlib import Path

import pytest

from tests.support.evaluate_process import begun, lines
from tests.support.servers import Site
from tests.support.waiting import until

WITHIN_S = 90
PLAYED = (
    "--policies=sauda,rules:og,rules:linear",
    "--suites=single_deal,career_10",
    "--episodes=60",
    "--seed=7",
    "--name=killed",
)
BARGAINS = 3 * (60 + 60)
FILES = ("config.json", "episodes.jsonl", "summary.json")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Only the database of a site: commands need no server."""
    # The commit is part of the files, and somebody may commit while the tests run.
    site = Site(tmp_path_factory.mktemp("evaluated"), catalogue=False, BAZAAR_COMMIT="test")
    site.prepare()
    return site


@pytest.fixture(scope="module")
def straight(site: Site) -> Path:
    """The folder of a run that nobody disturbed."""
    folder = site.data_dir / "straight"
    site.manage("evaluate", *PLAYED, f"--out={folder}", "--workers=1")
    return folder


def living(group: int) -> list[str]:
    """Processes of a group that are no mere entries of the dead."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, pgrp = path.read_text().rsplit(")", 1)[1].split()[:3]
        except (OSError, IndexError):
            continue
        if int(pgrp) == group and state != "Z":
            found.append(path.parent.name)
    return found


def killed_after(site: Site, folder: Path, more: int, *arguments: str) -> int:
    """Kill the command, and it alone, once it has written some more bargains."""
    before = lines(folder)
    with begun(site, *arguments) as process:
        until(lambda: lines(folder) >= before + more or process.poll() is not None, every_s=0.002)
        process.send_signal(signal.SIGKILL)
        process.wait(WITHIN_S)
        assert process.returncode == -signal.SIGKILL, "it was done before it could be killed"
        # The processes that played for it end by themselves.
        until(lambda: not living(process.pid), every_s=0.002)
    return lines(folder)


@pytest.mark.soak
def test_killing_it_twice_in_the_middle_changes_no_byte(site: Site, straight: Path) -> None:
    folder = site.data_dir / "killed"
    first = killed_after(site, folder, 20, *PLAYED, f"--out={folder}", "--workers=2")
    second = killed_after(site, folder, 40, f"--resume={folder}", "--workers=1")
    assert 0 < first < second < BARGAINS
    # And what a machine that stops leaves: half a line.
    with (folder / "episodes.jsonl").open("ab") as file:
        file.write(b'{"suite":"single_deal@sam')
    site.manage("evaluate", f"--resume={folder}", "--workers=2", "--publish")
    for name in FILES:
        assert (folder / name).read_bytes() == (straight / name).read_bytes(), name
    for run in (folder, straight):
        [row] = site.query(
            "select status, done, total from training_run where folder = %s", str(run)
        )
        assert row == ("done", BARGAINS, BARGAINS)


def test_a_market_that_is_killed_ends_as_if_nothing_had_happened(site: Site) -> None:
    played = (
        "--policies=rule_expert,random_valid,always_accept",
        "--suites=market:single_trade,market:market_round",
        "--reward=published",
        "--episodes=100",
        "--name=markets",
    )
    straight, folder = site.data_dir / "markets", site.data_dir / "killed-markets"
    site.manage("evaluate", *played, f"--out={straight}", "--workers=1")
    assert 0 < killed_after(site, folder, 30, *played, f"--out={folder}", "--workers=2") < 600
    site.manage("evaluate", f"--resume={folder}", "--workers=2")
    for name in FILES:
        assert (folder / name).read_bytes() == (straight / name).read_bytes(), name


def test_an_interrupted_run_says_so_and_how_to_go_on(site: Site) -> None:
    folder = site.data_dir / "interrupted"
    # Long enough that it cannot be over before anybody interrupts it.
    arguments: tuple[str, ...] = (*PLAYED, "--episodes=6000", f"--out={folder}", "--workers=2")
    for ends, words, left_with in (
        # Ctrl-C reaches the whole group.
        (lambda pid: os.killpg(pid, signal.SIGINT), "Go on with: manage.py evaluate --resume", 130),
        # Out of memory: the system picks one of those who play.
        (lambda pid: os.kill(players_of(pid)[0], signal.SIGKILL), "has ended with -9", 1),
    ):
        before = lines(folder)
        with begun(site, *arguments) as process:
            until(lambda n=before: lines(folder) > n, every_s=0.002)
            ends(process.pid)
            said, _ = process.communicate(timeout=WITHIN_S)
        assert (process.returncode, words in said) == (left_with, True), said
        [(run, status)] = site.query(
            "select id, status from training_run where folder = %s", str(folder)
        )
        assert status == "interrupted"
        assert before < lines(folder) < 100 * BARGAINS
        until(lambda group=process.pid: not living(group))
        arguments = (f"--resume={run}", "--workers=2")


def players_of(pid: int) -> list[int]:
    """Processes that play for a command: spawned, with a line to their parent."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [
        int(child)
        for child in children
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]
