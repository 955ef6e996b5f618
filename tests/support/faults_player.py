"""Somebody who names a price until the log has it, whatever happens to the site meanwhile."""

import asyncio
import json
import time
from collections import Counter
from typing import Any

import httpx
from websockets.exceptions import WebSocketException

from tests.support.people import Visitor
from tests.support.servers import Site

PATIENCE_S = 90.0
ANSWER_S = 30.0
AGAIN_S = 0.5
"""Pause after a refusal in words, and after a line that broke: as a page waits."""
QUIET_S = 0.3
"""Seconds without a frame after which the log is taken for whole."""
MOST_MOVES = 6
"""In one game; then the next one begins."""

BROKEN = (OSError, WebSocketException, TimeoutError, httpx.HTTPError)


class Player:
    """Somebody who sells, and names a lower price in each round.

    One who is ``hasty`` sends the same frame again as soon as the line is back, unread what came of
    it; the others look first. ``ahead`` is how many moves of the first game count as made: not
    everybody begins the next one at the same moment. ``patience_s`` is how long one move is tried.
    """

    def __init__(
        self, site: Site, *, hasty: bool = False, ahead: int = 0, patience_s: float = PATIENCE_S
    ) -> None:
        self.visitor = Visitor(site)
        self.hasty = hasty
        self.patience_s = patience_s
        self._most = MOST_MOVES - ahead
        self.price = 1990
        self.told: Counter[str] = Counter()
        self.seen: dict[str, set[int]] = {}
        self.named: dict[str, list[int]] = {}
        self.game = ""
        self._sent: dict[str, Any] | None = None
        self._last, self._read = "", 0
        self.opens()

    def opens(self) -> None:
        """Begin a game."""
        self.game = self.visitor.opens(reservation_price=900, policy="sauda")
        self.seen[self.game], self.named[self.game], self.price = {1}, [], 1990

    async def moves(self) -> float:
        """Name the next price until the log has it; return the seconds that took."""
        started = time.monotonic()
        while len(self.named[self.game]) >= self._most:
            try:
                await asyncio.to_thread(self.opens)
                self._most = MOST_MOVES
            except (*BROKEN, AssertionError) as wrong:
                self.told[f"no new game: {str(wrong)[:160] or type(wrong).__name__}"] += 1
                await asyncio.sleep(AGAIN_S)
        self.price -= 10
        self.named[self.game].append(self.price)
        self._sent = None
        while time.monotonic() - started < self.patience_s:
            try:
                async with asyncio.timeout(ANSWER_S), self.visitor.at(self.game) as line:
                    if await self._names(line):
                        return time.monotonic() - started
            except BROKEN as wrong:
                self.told[type(wrong).__name__] += 1
                await asyncio.sleep(AGAIN_S)
        return self.patience_s

    async def leaves(self) -> str:
        """Walk out of a new game after one move of each; give its id."""
        await asyncio.to_thread(self.opens)
        async with self.visitor.at(self.game) as line:
            await line.send("sync", after=0)
            await line.hear_event("offer", "buyer")
            await line.send("offer", price=1980)
            await line.hear_event("offer", "buyer")
            await line.send("walk")
            await line.hear_event("ended")
        return self.game

    def has_grades(self, game: str) -> bool:
        """Look at the grades of a finished game, as its page does."""
        try:
            return self.visitor.http.get(f"/replays/{game}/grades.json").status_code == 200
        except httpx.HTTPError:
            return False

    async def _names(self, line: Any) -> bool:
        if self._sent is not None and self.hasty:
            await line.socket.send(json.dumps(self._sent))
        # All of the log first: whoever names a price again without looking names it twice.
        await line.socket.send(json.dumps({"type": "sync", "after": 0}))
        self._last, self._read, is_asked = "", 0, False
        while True:
            frame = await _next(line)
            if frame is None:
                if self._last == "buyer" and not is_asked:
                    is_asked = True
                    self._sent = {"type": "offer", "price": self.price, "seen": self._read}
                    await line.socket.send(json.dumps(self._sent))
            elif frame["type"] == "error":
                self.told[f"{frame['code']}: {frame['detail']}"] += 1
                await asyncio.sleep(AGAIN_S if is_asked else 0)
                is_asked = False
            elif frame["type"] == "event" and self._is_mine(frame["seq"], frame["event"]):
                return True

    def _is_mine(self, seq: int, event: dict[str, Any]) -> bool:
        """Note an event; whether it is the move that was wanted, or there will be none."""
        self._read = seq
        self.seen[self.game].add(seq)
        if event["kind"] == "ended":
            self.named[self.game] += [0] * MOST_MOVES
            return True
        if event["kind"] != "offer":
            return False
        self._last = event["actor"]
        return self._last == "seller" and event["price"] == self.price


async def _next(line: Any) -> dict[str, Any] | None:
    try:
        async with asyncio.timeout(QUIET_S):
            frame: dict[str, Any] = json.loads(await line.socket.recv())
    except TimeoutError:
        return None
    return frame


def doubled(site: Site, players: list[Player]) -> int:
    """Count the prices that a seller named once and that stand in the log more than once."""
    sql = "select payload from negotiation_eventrow where game_id = %s and kind = 'offer'"
    extra = 0
    for player in players:
        for game in player.named:
            events = [json.loads(bytes(row[0])) for row in site.query(sql, game)]
            prices = Counter(e["price"] for e in events if e.get("actor") == "seller")
            extra += sum(count - 1 for price, count in prices.items() if price)
    return extra


def lost(site: Site, players: list[Player]) -> int:
    """Count the events that were seen and are not stored, and gaps in the logs."""
    missing = 0
    for player in players:
        for game, seen in player.seen.items():
            stored = site.numbers(game)
            missing += len(seen - set(stored)) + (len(stored) != max(stored, default=0))
    return missing
