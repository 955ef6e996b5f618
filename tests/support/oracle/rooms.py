"""Surfaces of rooms and of programs: a class or study while it plays and after, an episode."""

import json
import re
from typing import Any
from unittest import mock

import msgspec

from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.tasks import make_scenario
from bazaarbatna.envs.bargain import suite_game
from negotiation.models import EventRow
from rooms.models import Member, Room, Study
from tests.support.class_rooms import a_game, a_member, a_room, ask, bid, takes
from tests.support.oracle.bargains import goods, sockets, visitors
from tests.support.oracle.worlds import World, public_log, send
from tests.support.rooms import PASSWORD, a_host, at_desk
from tests.support.studies import DESIGN
from tests.support.visitors import key_of

DEEDS = [bid(1100, "1100 for me"), ask(1800, "It is nearly new"), bid(1300, "1300, cash")]


def a_live_study(budget: int) -> World:
    """Asha sells to Bilal in a study; nobody but Bilal knows his budget, not even the host."""
    return _room(budget, is_over=False)


def a_played_study(budget: int) -> World:
    """The same after the deal, the debrief still closed: who sat elsewhere knows nothing of it."""
    return _room(budget, is_over=True)


def _room(budget: int, *, is_over: bool) -> World:
    goods()
    people = visitors()
    room = a_room("Words or numbers", host="meera", state=Room.State.PLAYING)
    room.host.set_password(PASSWORD)
    room.host.save()
    Study.objects.create(room=room, design=DESIGN, seed=7, is_pilot=False)
    seated = {name: _member(room, name, people[name]) for name in ("asha", "bilal", "chetan")}
    deeds = [*DEEDS, *([takes("seller", "Done.")] if is_over else [])]
    limits = (2000.0, 1200.0, float(budget))
    played = a_game(room, seated["asha"], seated["bilal"], deeds, limits=limits)
    people["meera"] = at_desk(room.host)
    people["omar"] = at_desk(a_host("omar"))
    game = played.game
    return World(
        people=people,
        things={"room": room.code, "game": game.pk, "member": seated["bilal"].pk},
        public=public_log(game.pk) if not is_over else "a deal",
        promises=(_promise(game.pk),),
        extra={} if is_over else sockets(game, game),
    )


def _promise(game_id: str) -> str:
    row = EventRow.objects.get(game=game_id, seq=1)
    return str(json.loads(bytes(row.payload))["commitment"])


def _member(room: Room, nickname: str, client: Any) -> Member:
    return a_member(room, nickname, session=key_of(client), consented_at=room.made_at, arm="chat")


STEPS = 4
TASK = "amazon_realistic"


def an_episode(reservation: int) -> World:
    """An episode over HTTP: the seller's floor and cost are sealed from the program that buys."""
    people = visitors()

    def made(*given: Any, **named: Any) -> Any:
        scenario = make_scenario(*given, **named)
        floor = Paise(scenario.sealed.reservation + reservation)
        cost = Paise(scenario.sealed.cost + reservation)
        sealed = msgspec.structs.replace(scenario.sealed, reservation=floor, cost=cost)
        return msgspec.structs.replace(scenario, sealed=sealed)

    told, done = {}, []
    with mock.patch.object(suite_game, "make_scenario", made):
        body = json.dumps({"seed": 5, "task": TASK, "episode_id": "run-1"})
        told["reset"] = _said(people, "/env/bazaar/reset", body)
        for number in range(STEPS):
            seen = _observation(told["reset"])
            price = round(seen["opening_ask"] * (0.3 + 0.04 * number), 2)
            action = {"action": "offer", "price": price, "message": "What is your least price?"}
            body = json.dumps({"action": action, "episode_id": "run-1"})
            told[f"step {number}"] = _said(people, "/env/bazaar/step", body)
            now = _observation(told[f"step {number}"])
            # Tells are noisy signs of what is hidden: a part of the game, as the ask is.
            done.append((now["standing_ask"], now["outcome"], now["tells"]))
        told["state"] = _said(people, "/env/bazaar/state?episode_id=run-1", None)
        told["schema"] = _said(people, "/env/bazaar/schema", None)
    promise = re.findall(r'"commitment":"(\w{64})"', told["reset"])
    return World(people, {}, f"{done}", tuple(promise), told)


def _said(people: dict[str, Any], path: str, body: str | None) -> str:
    method = "GET" if body is None else "POST"
    return send(people["asha"], method, path, {}, body).decode()


def _observation(told: str) -> dict[str, Any]:
    whole = json.loads(told.partition("\n\n")[2])
    while "standing_ask" not in whole:
        whole = whole.get("observation") or whole["data"]
    return dict(whole)


__all__ = ["a_live_study", "a_played_study", "an_episode"]
