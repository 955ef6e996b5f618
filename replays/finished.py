"""A finished game that a visitor may open, its frames, and the scenario read back from them."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from django.http import Http404, HttpRequest

from bazaarbatna.bargain.quantities import to_paise
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.bargain.theory import reference_lines
from negotiation.games.game import Frame, game_of
from negotiation.games.visitors import visitor
from negotiation.models import Game
from negotiation.sentences import sentences
from replays.browse.shelf import visible

say = sentences(__file__)

NOTHING_HERE = say.text("nothing_here")


Reader = Callable[[str, Game], Game | None]
"""Takes a visitor and a finished game that is neither shared nor the visitor's own; returns it as
this visitor may see it, or None."""

_readers: list[Reader] = []


def register_reader(reader: Reader) -> None:
    """Let a room above say who else may open one replay; lists of replays never ask it."""
    if reader not in _readers:
        _readers.append(reader)


def readable(owner: str, game_id: str | None) -> Game | None:
    """Return a finished game that the visitor with this session key may open, else None."""
    game = visible(owner).filter(pk=game_id).first()
    if game is not None or not owner or not _readers:
        return game
    game = Game.objects.filter(pk=game_id, status=Game.Status.ENDED).first()
    if game is None:
        return None
    return next((seen for reader in _readers if (seen := reader(owner, game)) is not None), None)


def finished(request: HttpRequest, game_id: str) -> Game:
    """Return a finished game that the visitor may open; ``Http404`` for a live or private one.

    Of two people in one game, each gets it from the own chair.
    """
    reader = visitor(request)
    game = readable(reader, game_id)
    if game is None:
        raise Http404(say("nothing_here"))
    return game.as_seen_by(reader)


def replay_frames(game: Game, visitor: str = "") -> list[Frame]:
    """Return all wire frames of a finished game, opened; a visitor's own chair is "You"."""
    return game_of(game.kind).frames(game, visitor)


def calls_you(frames: Sequence[Frame]) -> bool:
    """Whether a chair of a match is called "You" in these frames."""
    return any(chair.get("you") for chair in frames[0]["event"].get("buyers", ()))


class NotFinished(ValueError):
    """The log has no end yet, so its sealed values are not open."""

    code = "not-finished"


def scenario_of(frames: Sequence[dict[str, Any]]) -> Scenario:
    """Return the scenario that a finished log was played on; ``NotFinished`` without an end."""
    opened, ended = frames[0]["event"], frames[-1]["event"]
    if ended["kind"] != "ended":
        raise NotFinished("This game has not ended; its sealed values are not open.")
    item = opened["item"]
    return Scenario(
        suite=opened["suite"],
        item=Item(
            title=item["title"],
            category=item["category"],
            condition=item["condition"],
            condition_label=item["condition_label"],
            currency=item["currency"],
        ),
        max_rounds=opened["max_rounds"],
        anchor=to_paise(opened["price"]),
        sealed=_sealed(ended),
        salt=ended["salt"],
        seller=opened["seller"],
    )


def _sealed(ended: dict[str, Any]) -> SealedValues:
    values = ended["opened"]
    prices = {name: to_paise(values[name]) for name in ("reservation", "cost", "budget")}
    return msgspec.convert(
        {**prices, **{name: values[name] for name in ("seed", "persona", "deadline")}},
        SealedValues,
    )


def theory_lines(frames: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Return the prices in rupees that theory gives for a finished log; empty without a ZOPA."""
    return reference_lines(scenario_of(frames))
