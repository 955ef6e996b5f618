"""How soon after the end of a sale the move that cost most stands there, and whether it is right.

    python -m tests.benchmarks.end_move --games 50 --beside 0 10
    python -m tests.benchmarks.end_move --offline 50

The first starts a real site with its usual pauses, voice and opponent and a worker, and plays sales
over real sockets from this process, so all share the machine. Beside them so many games go on, by
people who think three seconds a move. Seconds from the frame that ends a game, and from the click
behind it (where the person ended it), to the fragment that names the move; how many named it by the
full measure at once; how often the job named another one later. The second compares the first look
alone, as if nothing had been graded ahead and no finer look fitted in, with the full measure.
"""

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

from tests.support.servers import Site

PATIENCE_S = 60.0
USUAL_PAUSE_S = "0.6"
HTMX = {"HX-Request": "true"}
MOVE = re.compile(r"\?seq=(\d+)")
ROUGH = "From a quick look"
CHANGED = "A closer look has changed this."


class Ended(msgspec.Struct):
    """What came of one game: seconds, and the number of the move that was named."""

    frame_s: float = 0.0
    click_s: float = 0.0
    exact: bool = True
    named: str = ""
    later: str = ""


async def visitor(site: Site) -> httpx.AsyncClient:
    """Come as somebody new."""
    client = httpx.AsyncClient(base_url=site.url, timeout=PATIENCE_S)
    await client.get("/")
    client.headers["X-CSRFToken"] = client.cookies["csrftoken"]
    return client


async def sell(
    site: Site, client: httpx.AsyncClient, listing: int, rng: random.Random, think_s: float
) -> tuple[str, float, float]:
    """Sell a thing as somebody might; return the game, and when it was ended and clicked."""
    answer = await client.post("/api/sell/", json={"listing": listing})
    answer.raise_for_status()
    game, brief = answer.json()["id"], answer.json()["brief"]
    ask, floor = brief["asking_price"], brief["reservation_price"]
    content = rng.choice((0.3, 0.05, 0.35))
    headers = {"Cookie": f"sessionid={client.cookies['sessionid']}"}
    line = connect(
        f"{site.ws_url}/ws/sell/{game}/",
        additional_headers=headers,
        subprotocols=["bazaar.html.v1"],  # type: ignore[list-item]
        proxy=None,
    )
    async with line as socket:
        await socket.send('{"type":"sync","after":0}')
        clicked = time.perf_counter()
        while True:
            bid = await _answer(socket, ask)
            if bid is None:
                return game, time.perf_counter(), clicked
            await asyncio.sleep(rng.uniform(0.5, 1.5) * think_s)
            enough = floor + content * (ask - floor)
            told: dict[str, Any] = {"type": "accept"}
            if bid < max(enough, floor):
                ask = max(round(ask - rng.uniform(0.05, 0.35) * (ask - max(bid, floor))), floor)
                told = {"type": "say", "text": f"bas {ask} final bhai"}
                content = max(content - 0.12, 0.0)
            clicked = time.perf_counter()
            await socket.send(json.dumps(told))


async def _answer(socket: Any, ask: int) -> float | None:
    """Read to the buyer's bid; None where the game is over. A leap is meant."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            frame = json.loads(await socket.recv())
            if frame.get("code") == "two-prices":
                await socket.send(json.dumps({"type": "offer", "price": ask}))
                continue
            if frame["type"] == "error":
                raise RuntimeError(frame)
            event = frame.get("event", {})
            if event.get("kind") == "ended":
                return None
            if event.get("kind") == "offer" and event["actor"] == "buyer":
                return float(event["price"])


async def measured(site: Site, number: int, listing: int, think_s: float) -> Ended:
    """Play one game to its end and wait for the move that cost most."""
    async with aclosing(await visitor(site)) as client:
        rng = random.Random(number)
        game, ended, clicked = await sell(site, client, listing, rng, think_s)
        found = Ended()
        address = f"/replays/{game}/costly/"
        while True:
            shown = (await client.get(address, headers=HTMX)).text
            if 'hx-get="' not in shown or ROUGH in shown:
                break
            await asyncio.sleep(0.6)
        found.frame_s = time.perf_counter() - ended
        found.click_s = time.perf_counter() - clicked
        found.exact = ROUGH not in shown
        found.named = _named(shown)
        answer = await client.get(f"/replays/{game}/grades.json")
        for _ in range(300):
            if answer.status_code != 202:
                break
            await asyncio.sleep(0.2)
            answer = await client.get(f"/replays/{game}/grades.json")
        own = [one for one in answer.json()["moves"] if one["actor"] == "seller"]
        worst = max(own, key=lambda one: one["left"], default=None)
        is_noted = worst is not None and worst["word"] in ("slip", "blunder")
        found.later = str(worst["seq"]) if worst is not None and is_noted else ""
        return found


def _named(shown: str) -> str:
    found = MOVE.search(shown)
    return found[1] if found else ""


async def beside(site: Site, number: int, listings: Sequence[int]) -> None:
    """Play games one after the other for ever, as somebody who thinks."""
    rng = random.Random(-1 - number)
    async with aclosing(await visitor(site)) as client:
        while True:
            await sell(site, client, rng.choice(listings), rng, 3.0)


async def a_load(site: Site, games: int, others: int, think_s: float) -> list[Ended]:
    """Play games one by one with others beside them."""
    async with aclosing(await visitor(site)) as client:
        found = await client.get("/api/listings/")
        listings = [one["id"] for one in found.json()["results"]]
    crowd = [asyncio.create_task(beside(site, number, listings)) for number in range(others)]
    await asyncio.sleep(5.0 if others else 0.0)
    ends = []
    for number in range(games):
        ends.append(await measured(site, number, listings[number % len(listings)], think_s))
        fallen = [task for task in crowd if task.done()]
        if fallen:
            raise RuntimeError("a game beside broke off") from fallen[0].exception()
    for task in crowd:
        task.cancel()
    return ends


def told(ends: Sequence[Ended], others: int) -> str:
    """Write one row."""
    frames, clicks = sorted(one.frame_s for one in ends), sorted(one.click_s for one in ends)
    late = int(0.95 * (len(ends) - 1))
    return (
        f"{len(ends)} games, {others} beside: from the end's frame median "
        f"{statistics.median(frames):.2f} s, 95 % {frames[late]:.2f} s, worst {frames[-1]:.2f} s; "
        f"from the last click median {statistics.median(clicks):.2f} s, 95 % {clicks[late]:.2f} s; "
        f"{sum(one.exact for one in ends)} by the full measure at once, "
        f"{sum(one.named == one.later for one in ends)} the same move as the job's"
    )


def offline(games: int) -> None:
    """Compare the first look with the full measure, and print how they differ."""
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bazaar_site.settings")
    django.setup()

    from negotiation.bargain.continuation import Crossroads
    from replays.grade.ahead import FIRST_LOOK, own_moves
    from replays.grade.moves import grade_move, word_for
    from tests.support.graded import a_sale_between

    same = noted = named = 0
    lost: list[float] = []
    took: dict[str, list[float]] = {"first": [], "full": []}
    sellers = ("default", "firm", "flexible", "people-halver", "people-needy", "people-lister")
    for number in range(games):
        record = a_sale_between(f"seller:{sellers[number % len(sellers)]}", "sauda-network", number)
        seqs = own_moves(record, "seller")
        began = time.perf_counter()
        first = {seq: grade_move(Crossroads(record, seq), FIRST_LOOK).loss for seq in seqs}
        took["first"].append(time.perf_counter() - began)
        began = time.perf_counter()
        full = {seq: grade_move(Crossroads(record, seq)).loss for seq in seqs}
        took["full"].append(time.perf_counter() - began)
        quick, right = max(first, key=first.__getitem__), max(full, key=full.__getitem__)
        if not word_for(full[right]).noted:
            named += word_for(first[quick]).noted
            continue
        noted += 1
        same += quick == right
        if quick != right:
            lost.append(full[right] - full[quick])
    print(
        f"{games} games, {noted} with a costly move: the first look names the same in {same}; "
        f"where it does not, its move costs {statistics.fmean(lost or [0.0]):.3f} of the zone less "
        f"(at most {max(lost, default=0.0):.3f}). It names one in {named} of the others. Seconds "
        f"a game: {statistics.median(took['first']):.2f} and {statistics.median(took['full']):.2f}"
    )


def main() -> None:
    """Read the command line, measure, print a row for each load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--beside", type=int, nargs="+", default=[0, 10])
    parser.add_argument("--think", type=float, default=1.0, help="mean seconds before a move")
    parser.add_argument("--offline", type=int, default=0, help="games; no site")
    asked = parser.parse_args()
    if asked.offline:
        offline(asked.offline)
        return
    with (
        tempfile.TemporaryDirectory() as folder,
        Site(Path(folder), BAZAAR_BUYER_PAUSE_S=USUAL_PAUSE_S) as site,
        site.worker(),
    ):
        for others in asked.beside:
            ends = asyncio.run(a_load(site, asked.games, others, asked.think))
            print(told(ends, others), flush=True)


if __name__ == "__main__":
    main()
