"""Sellers who answer sell to Sauda over sockets: how often it closes, and for what share.

Starts a real site and plays held-out families of sellers in turn, each game in a session of its
own, with goods of the catalogue and the reservation price that the role brief gives. A session's
first two games are sure to have a zone: they are opened and left, the third is played.

    python -m tests.benchmarks.live_people --games 200 --at-once 8 --transcripts FILE

A game is winnable when its opened budget is not below its reservation price. ``--policies`` play
beside the site's own buyer in the same run, ``--rival-games`` of them each, with the same sellers.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.people.held_out import HELD_OUT
from bazaarbatna.bargain.people.seller import PersonSeller, language_of
from bazaarbatna.bargain.quantities import Paise, to_paise, to_rupees
from bazaarbatna.bargain.scenario import Item, SellerRules
from tests.support.servers import Site

PATIENCE_S = 90.0
SURE_GAMES = 2
STRIDE = 37
"""Games take every so many-th listing, so that a short run meets all kinds of goods."""
RIVALS = ("sauda:rules", "sauda-mini:dpo")
DEFAULT = "default"
MOVES = frozenset({"offer", "accept", "walk"})


class Played(msgspec.Struct):
    """A finished game. Prices in rupees; ``turns_s`` from an ask to the buyer's move."""

    family: str
    number: int
    policy: str
    bids: list[float] = []
    turns_s: list[float] = []
    served: list[str] = []
    lines: list[str] = []
    ended: dict[str, Any] = {}

    @property
    def is_winnable(self) -> bool:
        """Whether some price suited both sides."""
        opened = self.ended["opened"]
        return bool(opened["budget"] >= opened["reservation"])

    @property
    def is_deal(self) -> bool:
        """Whether it was sold."""
        return bool(self.ended["outcome"] == "deal")

    @property
    def reason(self) -> str:
        """Say how it ended: a deal, who left, or no rounds."""
        outcome = str(self.ended["outcome"])
        return f"{self.ended['by']} left" if outcome == "walk" else outcome


class Seat:
    """The seller of one game: what it has seen, and how it answers."""

    def __init__(self, number: int, brief: dict[str, Any]) -> None:
        self.family = HELD_OUT[number % len(HELD_OUT)]
        self.floor = to_paise(brief["reservation_price"])
        self.asks = [to_paise(brief["asking_price"])]
        self.bids: list[Paise] = []
        self.rounds = int(brief["max_rounds"])
        self.item = Item(brief["title"], currency=brief["currency"])
        self._person = PersonSeller.drawn(self.family, number)
        share = self.floor / self.asks[0]
        first, second = (msgspec.structs.replace(m, floor=share) for m in self._person.manners)
        self._person.manners = (first, second)

    def answer(self, bid: float, round_: int) -> Move:
        """Answer a bid in rupees."""
        self.bids.append(to_paise(bid))
        move = self._person.act(
            SellerObservation(
                suite="sell@1",
                item=self.item,
                round=round_,
                max_rounds=self.rounds,
                asks=tuple(self.asks),
                bids=tuple(self.bids),
                reservation=self.floor,
                cost=self.floor,
                persona=self.family.name,
                rules=SellerRules(),
                turns=(),
                done=False,
                outcome=None,
            )
        )
        if isinstance(move, Offer):
            self.asks.append(move.price)
        return move


def _frame(move: Move) -> str:
    if isinstance(move, Offer):
        frame = {"type": "offer", "price": to_rupees(move.price), "text": move.text}
    else:
        frame = {"type": "accept" if isinstance(move, Accept) else "walk", "text": move.text}
    return json.dumps(frame)


async def play(site: Site, number: int, policy: str, listings: Sequence[int]) -> Played:
    """Open a session's third game and play it to its end."""
    sale: dict[str, Any] = {"listing": listings[number * STRIDE % len(listings)]}
    if policy != DEFAULT:
        sale["policy"] = policy
    async with httpx.AsyncClient(base_url=site.url, timeout=PATIENCE_S) as client:
        await client.get("/")
        headers = {"X-CSRFToken": client.cookies["csrftoken"]}
        sure = {**sale, "policy": "sauda:rules"}
        for wanted in (*[sure] * SURE_GAMES, sale):
            answer = await client.post("/api/sell/", json=wanted, headers=headers)
            answer.raise_for_status()
        cookies = f"sessionid={client.cookies['sessionid']}"
    opened = answer.json()
    seat = Seat(number, opened["brief"])
    played = Played(seat.family.name, number, policy)
    url = f"{site.ws_url}{opened['ws']}"
    async with connect(url, additional_headers={"Cookie": cookies}, proxy=None) as socket:
        await socket.send('{"type":"sync","after":0}')
        await _bargain(socket, seat, played)
    return played


async def _bargain(socket: Any, seat: Seat, played: Played) -> None:
    asked: float | None = None
    heard = 0
    while not played.ended:
        async with asyncio.timeout(PATIENCE_S):
            frame = json.loads(await socket.recv())
        if frame["type"] == "error":
            raise RuntimeError(frame["detail"])
        if frame["type"] != "event" or frame["seq"] <= heard:
            # What came live while the log was caught up with comes twice.
            continue
        heard, event = frame["seq"], frame["event"]
        if event["kind"] in MOVES:
            _write_down(event, played)
        if event["kind"] == "ended":
            played.ended = event
        elif event["kind"] in MOVES and event["actor"] == "buyer":
            if asked is not None:
                played.turns_s.append(time.perf_counter() - asked)
            played.served.append(event.get("backend", ""))
            if event["kind"] == "offer":
                played.bids.append(event["price"])
                move = seat.answer(event["price"], event["round"])
                # An acceptance or a farewell ends the game: no answer is waited for.
                asked = time.perf_counter() if isinstance(move, Offer) else None
                await socket.send(_frame(move))


def _write_down(event: dict[str, Any], played: Played) -> None:
    price = f" {event['price']:g}" if event.get("price") is not None else ""
    said = f"{event['round']:>3} {event['actor']:<6} {event['kind']}{price}"
    played.lines.append(f"{said:<28} {event['text']}")


async def play_all(site: Site, games: int, at_once: int, policy: str) -> list[Played]:
    """Play games, so many at the same time."""
    gate = asyncio.Semaphore(at_once)
    listings = await _listings(site)

    async def one(number: int) -> Played:
        async with gate:
            return await play(site, number, policy, listings)

    return list(await asyncio.gather(*(one(number) for number in range(games))))


async def _listings(site: Site) -> list[int]:
    found: list[int] = []
    async with httpx.AsyncClient(base_url=site.url, timeout=PATIENCE_S) as client:
        page = pages = 1
        while page <= pages:
            answer = (await client.get("/api/listings/", params={"page": page})).json()
            found += [listing["id"] for listing in answer["results"]]
            page, pages = page + 1, answer["pages"]
    return sorted(found)


def summary(games: Sequence[Played]) -> dict[str, Any]:
    """Count what the targets are about."""
    winnable = [game for game in games if game.is_winnable]
    deals = [game for game in winnable if game.is_deal]
    later = [pair for game in games for pair in zip(game.bids, game.bids[1:], strict=False)]
    left = [game for game in games if game.reason == "buyer left"]
    rounds = [game.ended["round"] for game in deals]
    return {
        "games": len(games),
        "winnable": len(winnable),
        "closed": _share(len(deals), len(winnable)),
        "share": _share(sum(game.ended["buyer_share"] for game in deals), len(winnable)),
        "repeated_bids": _share(sum(before == bid for before, bid in later), len(later)),
        "median_rounds": statistics.median(rounds) if rounds else None,
        "walks_right": f"{sum(not game.is_winnable for game in left)}/{len(left)}",
        "winnable_ends": dict(Counter(game.reason for game in winnable)),
    }


def times(games: Iterable[Played]) -> dict[str, Any]:
    """Say how long answers took, and who gave them."""
    turns = sorted(second for game in games for second in game.turns_s)
    served = Counter(name or "none named" for game in games for name in game.served)
    if not turns:
        return {"served": dict(served)}
    return {
        "p50_ms": round(1000 * statistics.median(turns), 1),
        "p95_ms": round(1000 * turns[int(0.95 * (len(turns) - 1))], 1),
        "served": dict(served),
    }


def _share(part: float, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def report(policy: str, games: Sequence[Played]) -> None:
    """Print a line of JSON for all games, and one for each family."""
    print(json.dumps({"policy": policy, **summary(games), **times(games)}), flush=True)
    for family in HELD_OUT:
        own = [game for game in games if game.family == family.name]
        print(json.dumps({"policy": policy, "family": family.name, **summary(own)}), flush=True)


def write_transcripts(path: Path, games: Iterable[Played]) -> None:
    """Write games down for people to read, their sealed values opened."""
    with path.open("w", encoding="utf-8") as file:
        for game in games:
            opened, language = game.ended["opened"], language_of(game.number)
            file.write(
                f"== {game.policy} {game.number} {game.family} {language}: floor "
                f"{opened['reservation']:g}, budget {opened['budget']:g}; {game.reason}, "
                f"share {game.ended['buyer_share']:.2f}\n"
            )
            file.writelines(f"{line}\n" for line in game.lines)


def main() -> None:
    """Read the command line, serve, play, print, judge nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--policies", nargs="*", default=list(RIVALS), help="beside the default")
    parser.add_argument("--rival-games", type=int, default=60)
    parser.add_argument("--transcripts", type=Path, help="write the default buyer's games here")
    parser.add_argument("--smoke", action="store_true", help="four games, no rivals")
    parser.add_argument("--port", type=int, default=None)
    given = parser.parse_args()
    counts = {DEFAULT: 4 if given.smoke else given.games}
    if not given.smoke:
        counts.update(dict.fromkeys(given.policies, given.rival_games))
    with tempfile.TemporaryDirectory() as folder, Site(Path(folder), port=given.port) as site:
        for policy, count in counts.items():
            games = asyncio.run(play_all(site, count, given.at_once, policy))
            report(policy, games)
            if policy == DEFAULT and given.transcripts:
                write_transcripts(given.transcripts, games)


if __name__ == "__main__":
    main()
