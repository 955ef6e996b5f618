"""A crowd in a study: people who come by links with ids, and go through all of its pages.

Pages are reloaded, forms sent twice at once, browsers changed on the way; some people read slowly,
some answer wrongly, and some leave for good, at a page or in the middle of a game.
"""

import asyncio
import random
import re
from typing import Any

import httpx
import msgspec

from tests.support.room_crowd import Crowd, Habits, Person, fields_of, token_of
from tests.support.servers import Site

WAITS_S = 20
ABSENT_S = 20
COMPLETION = "DONE-1"
ACCEPTS = 0.15
"""Share of moves that take the other side's price."""

DESIGN = f"""
title = "Words or numbers"
information = "You bargain over **one thing** with another participant."
instructions = "You have a limit that only you know."
block = 0
debrief = "Half of you could talk."
[consent]
text = "Taking part is voluntary."
contact = "priya@example.org"
withdrawal = ["answers", "words"]
[questions]
tries = 2
then = "explain"
[[questions.ask]]
type = "choice"
name = "limit"
ask = "Who knows your limit?"
options = ["Only I", "Both of us"]
right = "Only I"
explain = "It is sealed."
[[before]]
type = "number"
name = "age"
ask = "How old are you?"
least = 18
[[after]]
type = "likert"
name = "fair"
ask = "It was fair."
points = 7
[[after]]
type = "long"
name = "how"
ask = "How did you go about it?"
required = false
[plan]
meeting = "people"
roles = "random"
rounds = 6
games = 1
absent_s = {ABSENT_S}
absence = "policy"
starts_itself = true
[[arms]]
name = "talk"
instructions = "You can **write** to each other."
[arms.plan]
chat = true
[[arms]]
name = "prices"
instructions = "You can **name prices only**."
[arms.plan]
chat = false
[waiting]
most_s = {WAITS_S}
then = "policy"
[bonus]
base = 2
rule = "share"
rate = 0.01
[exits.finished]
code = "{COMPLETION}"
"""


def drawn_id(luck: random.Random) -> str:
    """Draw an id as panels have them: any other one does not move a seat to another browser."""
    return "".join(luck.choice("abcdef") + str(luck.randrange(10)) for _ in range(12))


class Part(msgspec.Struct):
    """What somebody does beside playing; ``leaves_at`` is the page at which this one vanishes."""

    id: str
    leaves_at: str
    has_moved: bool = False


class StudyCrowd(Crowd):
    """``Crowd`` in a study; ``link`` is the participants' one, up to the id."""

    def __init__(
        self, site: Site, code: str, link: str, count: int, habits: Habits, *, seed: int = 1
    ) -> None:
        super().__init__(site, code, count, habits, seed=seed)
        self.link = link
        luck = random.Random(f"study:{seed}")
        self.parts: dict[str, Part] = {}
        for one in self.people:
            # Half of those who vanish do so at a page, the others in the middle of the game.
            at = luck.choice(("consent", "questions", "before", "", "", "")) if one.vanishes else ""
            self.parts[one.name] = Part(drawn_id(luck), at)

    async def come_and_play(self, limit_s: float) -> None:
        """Let everybody come, each at a time of his own, and go through to the end."""

        async def through(one: Person) -> None:
            await self._join(one)
            await self._live(one)

        async with asyncio.timeout(limit_s):
            await asyncio.gather(*(through(one) for one in self.people))

    async def _join(self, one: Person) -> None:
        """Come by the link and go through the pages, up to the lobby."""
        await asyncio.sleep(one.luck.uniform(0, self.habits.think_s * 3))
        async with self._gate:
            answer = await self._send(one, f"{self.link}{self.parts[one.name].id}", {})
            while answer is not None and await self._elsewhere(one, answer):
                if one.is_gone or one.is_done:
                    return
                answer = await self._send(one, f"/rooms/{self.code}/", {})

    async def _elsewhere(self, one: Person, answer: httpx.Response) -> bool:
        """Fill in the page of the study to which somebody was led, if to one."""
        step = answer.url.path.strip("/").split("/")[-1]
        step = {"enter": "consent"}.get(step, step)
        if step == "done":
            one.is_done = COMPLETION in answer.text
            if not one.is_done:
                one.troubles.append("done without a code")
                one.is_gone = True
            return True
        if step not in ("consent", "questions", "before", "after"):
            return await self._comes_again(one, answer)
        part = self.parts[one.name]
        if part.leaves_at == step:
            one.is_gone = True
            return True
        page = answer.text
        if step == "consent" and 'name="agree"' not in page:
            # A new browser whose first form was lost with the site: by the link once more.
            await asyncio.sleep(1)
            await self._by_link(one, part)
            return True
        if one.luck.random() < self.habits.reload:
            page = await self._get(one, str(answer.url.raw_path, "ascii"))
        if step == "before" and not part.has_moved and one.luck.random() < self.habits.reload:
            await self._moves(one, part)
            return True
        await self._fills(one, step, page)
        return True

    async def _comes_again(self, one: Person, answer: httpx.Response) -> bool:
        """Let who is not known, as the consent was lost with the site, come by the link again."""
        if f'href="/rooms/{self.code}/enter/' not in answer.text:
            return False
        await asyncio.sleep(1)
        again = await self._send(one, f"{self.link}{self.parts[one.name].id}", {})
        return again is None or again.url == answer.url or await self._elsewhere(one, again)

    def _move(self, one: Person, table: dict[str, Any], side: str, moves: int) -> dict[str, Any]:
        """Come to terms now and then: a study pays for deals."""
        standing = table["bid" if side == "seller" else "ask"]
        if standing and table["bid"] and one.luck.random() < ACCEPTS:
            return {"type": "accept"}
        return super()._move(one, table, side, moves)

    async def _fills(self, one: Person, step: str, page: str) -> None:
        """Send a page, sometimes from two tabs at once."""
        form = {"csrfmiddlewaretoken": token_of(page), **dict(fields_of(page))}
        match step:
            case "consent":
                form |= {"agree": "yes", "do": "agree"}
                form |= {"may_train": "yes"} if one.luck.random() < 0.5 else {}
            case "questions":
                form["limit"] = "Only I" if one.luck.random() < 0.7 else "Both of us"
            case "before":
                form["age"] = str(one.luck.randrange(18, 80))
            case _:
                form |= {"fair": str(one.luck.randrange(1, 8)), "how": "step by step"}
        times = 2 if one.luck.random() < self.habits.two_tabs else 1
        path = f"/rooms/{self.code}/{step}/"
        await asyncio.gather(*(self._sends(one, path, form) for _ in range(times)))

    async def _sends(self, one: Person, path: str, form: dict[str, Any]) -> None:
        """Send a form; where the site goes down meanwhile the page is asked again all the same."""
        try:
            answer = await one.http.post(path, data=form)
        except httpx.TransportError:
            await asyncio.sleep(1)
            return
        if answer.status_code not in (302, 422):
            one.troubles.append(f"{answer.status_code} {path}")

    async def _moves(self, one: Person, part: Part) -> None:
        """Go on in another browser, by the same link."""
        part.has_moved = True
        await one.http.aclose()
        one.http = httpx.AsyncClient(base_url=self.site.url, timeout=60)
        await self._by_link(one, part)

    async def _by_link(self, one: Person, part: Part) -> None:
        """Come again by the link, and press what brings the seat along."""
        page = await self._get(one, f"{self.link}{part.id}")
        form = {"csrfmiddlewaretoken": token_of(page), **dict(fields_of(page))}
        action = re.search(r'<form[^>]*action="(/rooms/[^"]+/enter/)"', page)
        await self._sends(one, action[1] if action else f"/rooms/{self.code}/enter/", form)
