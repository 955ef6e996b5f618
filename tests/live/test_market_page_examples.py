"""What /market/ prints is run as it stands: commands, code, every action; its downloads come."""

import asyncio
import json
import re
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest

from arena.gpu_market.board.action_words import EXAMPLES, SEED, TASK
from arena.gpu_market.web.finished import checked
from bazaarbatna.market import ACTION_NAMES
from tests.live.test_market import at, starts
from tests.support.commands import ROOT
from tests.support.people import Visitor
from tests.support.servers import Site

DOWNLOAD = re.compile(r"<a\b[^>]*\bdownload\b[^>]*>")


def printed(page: str, label: str) -> str:
    """The text of a listing, by what it is called for those who cannot see it."""
    found = re.search(rf'<pre[^>]*aria-label="{label}"[^>]*><code>(.*?)</code>', page, re.S)
    assert found is not None, label
    return unescape(found[1])


def downloads(page: str) -> list[str]:
    found = [re.search(r'href="([^"]+)"', link) for link in DOWNLOAD.findall(page)]
    assert all(found)
    return [unescape(one[1]) for one in found if one]


def prints(command: list[str], folder: Path) -> str:
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_the_commands_open_a_market_whose_frames_come_as_the_page_says(
    site: Site, asha: Visitor, tmp_path: Path
) -> None:
    page = asha.http.get("/market/actions/").text
    commands = ["bash", "-euo", "pipefail", "-c", printed(page, "A market over HTTP")]
    opened = json.loads(await asyncio.to_thread(prints, commands, tmp_path))
    assert asha.http.get(opened["url"]).status_code == 200
    async with at(asha, opened["id"]) as line:
        assert opened["ws"] == f"/ws/market/{opened['id']}/"
        await line.send("sync")
        await line.hear_event("opened")
        shape = re.search(r'<code>(\{"type": .*?…\}\})</code>', unescape(page))
        assert shape is not None
        told = json.loads(shape[1].replace(", …", ""))
        first = next(frame for frame in line.frames if frame["type"] == "event")
        assert {**first, "event": {"kind": first["event"]["kind"]}} == told


def test_the_code_prints_what_the_lab_made(asha: Visitor) -> None:
    code = printed(asha.http.get("/market/actions/").text, "A market in Python")
    said = prints([sys.executable, "-c", code], ROOT)
    assert re.fullmatch(r"-?\d+\.\d+ credits\n", said)


@pytest.mark.parametrize("name", ACTION_NAMES)
def test_the_example_of_an_action_is_taken_by_the_site(asha: Visitor, name: str) -> None:
    page = asha.http.get("/market/actions/").text
    sent = json.loads(printed(page, f"Example of {name}"))
    assert sent["action"] == name
    assert f"<code>{TASK}</code>, seed {SEED}" in page
    match = f"/api/market/{starts(asha, task=TASK, seed=SEED, policy='you')}/"
    (example,) = (one for one in EXAMPLES if one.name == name)
    for before in example.before:
        assert asha.post(f"{match}act/", {"action": before}).status_code == 200
    told = asha.post(f"{match}consider/", {"action": sent}).json()
    assert told["ok"], told
    view: dict[str, Any] = asha.post(f"{match}act/", {"action": sent}).json()
    acted = [one["event"] for one in view["frames"] if one["event"]["kind"] == "turn"]
    own = [turn for turn in acted if turn["lab"] == "lab_0"]
    assert own[len(example.before)]["action"]["action"] == name
    assert not any(one["event"]["kind"] == "refused" for one in view["frames"])


def test_everything_that_is_offered_for_download_comes(asha: Visitor) -> None:
    finished = f"/market/{starts(asha, task='market_round', pace=0)}/"
    seen: dict[str, bytes] = {}
    for path in ("/market/lab/", finished):
        for link in downloads(asha.http.get(path).text):
            answer = asha.http.get(urljoin(asha.site.url + path, link))
            assert answer.status_code == 200, link
            assert answer.content, link
            seen[link] = answer.content
    (replay,) = (content for link, content in seen.items() if link.endswith("/replay/"))
    assert checked(replay).ended is not None
