"""The bazaar as a kind of environment."""

import inspect
from functools import partial
from typing import Any, Literal

import msgspec

from bazaarbatna import nulls
from bazaarbatna.bargain.episode import MAX_TEXT
from bazaarbatna.envs.bargain.actions import Action
from bazaarbatna.envs.bargain.resets import Reset
from bazaarbatna.envs.bargain.seat import Answer, Seat, Standing
from bazaarbatna.envs.bargain.tools import BazaarEnv, stay
from bazaarbatna.envs.bargain.views import View
from bazaarbatna.envs.bargain.words import describe
from bazaarbatna.envs.openenv.kinds import Kind, Tool, schema_of

PREFIX = "/env/bazaar"
"""What an OpenEnv client takes as the path of its ``base_url``."""


def plain(action: Action) -> Action:
    """Return an action without what the game does not read."""
    return Action(action.action, action.price, action.message[:MAX_TEXT])


class Bid(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A price in rupees, and a line beside it."""

    price: float
    message: str = ""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line beside the standing bid."""

    message: str


class Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that goes with the end, if any."""

    message: str = ""


def _offer(arguments: dict[str, Any], _: Seat) -> Action:
    bid = nulls.converted(arguments, Bid)
    return plain(Action("offer", bid.price, bid.message))


def _say(arguments: dict[str, Any], seat: Seat) -> Action:
    return plain(stay(seat.view, nulls.converted(arguments, Line).message))


def _end(action: Literal["accept", "walk"], arguments: dict[str, Any], _: Seat) -> Action:
    return plain(Action(action, message=nulls.converted(arguments, Word).message))


def _about(name: str) -> str:
    return (inspect.getdoc(getattr(BazaarEnv, name)) or "").partition("\n")[0]


TOOLS = (
    Tool("offer", _about("offer"), schema_of(Bid), _offer),
    Tool("say", _about("say"), schema_of(Line), _say),
    Tool("accept", _about("accept"), schema_of(Word), partial(_end, "accept")),
    Tool("walk", _about("walk"), schema_of(Word), partial(_end, "walk")),
)
"""The same as TRL's class has."""

BAZAAR: Kind[Reset, Action, Action, Answer] = Kind(
    name="bazaar",
    title="BazaarBATNA: the bazaar",
    about=(
        "Bargain over one item with a seller whose reservation price is hidden and whose "
        "tells are noisy."
    ),
    page="environment.md",
    seat=Seat,
    wanted=Reset,
    wire=Action,
    turn=Action,
    read=plain,
    action=Action,
    view=View,
    answer=Answer,
    standing=Standing,
    tools=TOOLS,
    describe=describe,
)
