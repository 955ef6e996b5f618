"""``Case-v0``: several issues at one table as a Gymnasium environment."""

from collections.abc import Mapping
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction

from bazaarbatna.bargain.errors import GameOver
from bazaarbatna.cases import play
from bazaarbatna.cases.case import ROLES, Issue, Number, Package, other
from bazaarbatna.envs.bargain.gymnasium_spaces import (
    HIGHEST_DRAWN,
    RENDER_MODES,
    box,
    check_render_mode,
    read_floats,
    whole_number,
)
from bazaarbatna.envs.bargain.resets import check_number, whole
from bazaarbatna.envs.cases.episode import SHELF, CaseEpisode, case_of, rival_of
from bazaarbatna.players.views import own_of, view_of

MOST_ISSUES = 8
PLACES = 9
"""Places of an issue at which own points are shown: ends and eighths of a number, or options."""
LAST = 4
"""Whole offers of the other side that are shown, the newest first."""

Observation = dict[str, Any]
ACTIONS: tuple[Literal["offer", "accept", "walk"], ...] = ("offer", "accept", "walk")


class CaseEnv(gymnasium.Env[Observation, Any]):
    """Two roles settle several issues, package by package; each knows its own points alone.

    ## Description
    A case has up to eight issues, numbers and choices. Both roles have points for every value,
    which add up, and an outside offer: what no deal is worth. In turn each lays a package on the
    table until one accepts the other's, leaves, or the moves run out. What is cheap for one may be
    dear to the other, so both can gain by trading. The other role is played by rules. The same
    seed, seat and moves give the same events as OpenEnv's ``/env/case``, to the byte.

    ## Observation Space
    A ``Dict``; own points are parts, 0..1, of the own range over all packages.

    | key | space | meaning |
    |---|---|---|
    | `kinds` | Box(8) | of each issue: 0 there is none, 1 a number, 2 a choice |
    | `values` | Box(8) | how many values it has |
    | `points` | Box(72) | nine own points of each issue (below); -1 where there is none |
    | `theirs` | Box(32) | the other's last four offers, the newest first, eight numbers each |
    | `mine` | Box(8) | the own last offer |
    | `worth` | Box(3) | own points of the other's offer (-1: none is whole), the own one, no deal |
    | `clock` | Box(2) | the part of the own moves that is over, and how many are left |

    Points of a number stand for its ends and eighths, those of a choice for its options. Offers are
    places: 0 is the first value of an issue, 1 the last one, -1 an issue that is left open or is
    not there. ``info`` holds ``view`` (the log as JSON, as OpenEnv's observation has it),
    ``case`` (its id), ``action_mask`` of ``move``; after the end ``outcome`` and ``points``, those
    of both where the case reveals all.

    ## Action Space
    A ``Dict`` of ``move`` (0 offer, 1 accept, 2 walk) and ``package`` (eight places as above, the
    nearest value counts; below 0 an issue stays open). An offer that the rules refuse (nothing in
    it; with hard limits less than no deal is worth) becomes the package nearest in own points that
    they allow; accepting what cannot be accepted becomes walking. ``info["repaired"]`` says so.

    ## Starting State
    ``reset(seed=s)`` plays game ``s``; a later ``reset()`` draws the next one. ``options`` may name
    ``case``, ``seat`` and ``rival`` for this reset alone.

    ## Rewards
    0 until the end, then own points as a part, 0..1, of the own range from the worst package, or
    no deal, to the best one.

    ## Episode End
    ``terminated`` with a deal, when somebody leaves, and when the moves have run out. Never
    ``truncated``.

    ## Arguments
    ``case`` (``shelf``: one of the library's by the seed; ``drawn``: one that nobody wrote, two to
    five issues; or the id of one of the library), ``seat`` (``a`` or ``b``), ``rival``
    (``trader``, the house's own, or a yardstick such as ``boulware`` or ``micro``),
    ``render_mode`` (``ansi``).

    ## References
    Raiffa (1982), The art and science of negotiation; Faratin, Sierra and Jennings (2002), Using
    similarity criteria to make issue trade-offs; de Jonge (2022), MiCRO.

    ## Version History
    v0: the first. A result is told with the version of the package, whose cases and players it met.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        case: str = SHELF,
        *,
        seat: str = "a",
        rival: str = "trader",
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        _check_seat(seat)
        case_of(0, case)
        self.render_mode, self._told = render_mode, {"case": case, "seat": seat, "rival": rival}
        self._spaces: dict[str, spaces.Space[Any]] = {
            "kinds": box(0, 2, MOST_ISSUES),
            "values": box(0, 1000, MOST_ISSUES),
            "points": box(-1, 1, MOST_ISSUES * PLACES),
            "theirs": box(-1, 1, MOST_ISSUES * LAST),
            "mine": box(-1, 1, MOST_ISSUES),
            "worth": box(-100, 100, 3),
            "clock": box(0, 100, 2),
        }
        self.observation_space = spaces.Dict(self._spaces)
        self.action_space = spaces.Dict(
            {"move": spaces.Discrete(len(ACTIONS)), "package": box(-1, 1, MOST_ISSUES)}
        )
        self._episode: CaseEpisode | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game; ValueError: no such case, seat or player, or no such option."""
        seed = whole(seed)
        super().reset(seed=seed)
        if unknown := set(options or {}) - self._told.keys():
            raise ValueError(f"Unknown option {min(unknown)!r}; known: case, seat, rival.")
        told = {**self._told, **(options or {})}
        _check_seat(told["seat"])
        number = int(self.np_random.integers(HIGHEST_DRAWN)) if seed is None else seed
        check_number("seed", number)
        case = case_of(number, told["case"])
        self._episode = CaseEpisode(number, told["seat"], case, rival_of(case, told["rival"]))
        return self._seen(self._episode), self._info(self._episode, repaired=False)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Move; the other side answers."""
        episode = self._episode
        if episode is None or episode.is_done:
            raise GameOver("The game is over; reset begins another one.")
        move = to_move(episode, action)
        repaired = False
        if play.why_not(episode.state, episode.seat, move):
            move, repaired = _allowed(episode, move), True
        reward = episode.step(move)
        info = self._info(episode, repaired=repaired)
        return self._seen(episode), reward, episode.is_done, False, info

    def render(self) -> str | None:
        """Return the game in words, where ``render_mode`` is ``ansi``."""
        if self.render_mode != "ansi" or self._episode is None:
            return None
        return "\n".join(_line(event) for event in self._episode.events())

    def _seen(self, episode: CaseEpisode) -> Observation:
        state, seat, case = episode.state, episode.seat, episode.case
        own = own_of(case, seat)
        found = {
            key: np.full(space.shape or (), -1.0, np.float32) for key, space in self._spaces.items()
        }
        found["kinds"][:] = found["values"][:] = 0
        for at, (issue, part) in enumerate(zip(case.issues, own.parts, strict=True)):
            found["kinds"][at] = 1 if isinstance(issue, Number) else 2
            found["values"][at] = len(part)
            places = np.arange(len(part))
            if isinstance(issue, Number):
                places = np.round(np.linspace(0, len(part) - 1, PLACES)).astype(int)
            start = at * PLACES
            found["points"][start : start + len(places)] = part[places]
        offers = [event.package for event in state.history if event.seat != seat][::-1][:LAST]
        for at, package in enumerate(offers):
            found["theirs"][at * MOST_ISSUES : (at + 1) * MOST_ISSUES] = to_places(episode, package)
        found["mine"][:] = to_places(episode, state.standing.get(seat, {}))
        standing = [state.standing.get(role, {}) for role in (other(seat), seat)]
        scaled = [own.scaled(case.points(seat, one)) for one in standing]
        worth = [s if case.is_whole(one) else -1.0 for s, one in zip(scaled, standing, strict=True)]
        found["worth"][:] = [*worth, own.outside]
        found["clock"][:] = view_of(state, seat).passed, (state.left + 1) // 2
        return found

    def _info(self, episode: CaseEpisode, *, repaired: bool) -> dict[str, Any]:
        state, seat = episode.state, episode.seat
        moves = (play.Move("offer"), play.Move("accept"), play.Move("walk"))
        may = [not episode.is_done, *(not play.why_not(state, seat, one) for one in moves[1:])]
        info: dict[str, Any] = {
            "view": episode.view(),
            "case": episode.case.id,
            "repaired": repaired,
            "action_mask": {"move": np.array(may, np.int8) * (not episode.is_done)},
        }
        if state.ended is not None:
            told = play.shown(state.ended, seat, is_over=True)
            info |= {"outcome": told["outcome"], "points": told["points"]}
        return info


def to_places(episode: CaseEpisode, package: Package) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Write a package as places of an observation."""
    places = np.full(MOST_ISSUES, -1.0, np.float32)
    for at, issue in enumerate(episode.case.issues):
        if issue.key in package:
            values = list(issue.values)
            places[at] = values.index(package[issue.key]) / (len(values) - 1)
    return places


def to_move(episode: CaseEpisode, action: Any) -> play.Move:
    """Read an action of the space; raises ``InvalidAction``."""
    number = whole_number(action.get("move") if isinstance(action, Mapping) else None)
    if not 0 <= number < len(ACTIONS):
        raise InvalidAction(f"A move is a place in {', '.join(ACTIONS)}, not {number}.")
    name = ACTIONS[number]
    if name != "offer":
        return play.Move(name)
    package: Package = {}
    places = read_floats(action.get("package", ()), -1, "A package is eight numbers")
    for issue, place in zip(episode.case.issues, places, strict=False):
        if place >= 0:
            package[issue.key] = _value(issue, float(place))
    return play.Move("offer", package)


def _value(issue: Issue, place: float) -> int | str:
    last = len(issue.values) - 1
    return issue.values[round(min(place, 1.0) * last)]


def _allowed(episode: CaseEpisode, move: play.Move) -> play.Move:
    """Return the move nearest to one that the rules refuse."""
    if move.action != "offer":
        return play.Move("walk")
    case, own = episode.case, own_of(episode.case, episode.seat)
    wanted = own.scaled(case.points(episode.seat, move.package))
    fits = own.points >= own.outside - 1e-9
    if not fits.any():
        return play.Move("walk")
    at = int(np.argmin(np.where(fits, np.abs(own.points - wanted), np.inf)))
    where = own.where[:, at]
    pairs = zip(case.issues, where, strict=True)
    return play.Move("offer", {issue.key: issue.values[int(one)] for issue, one in pairs})


def _check_seat(seat: str) -> None:
    if seat not in ROLES:
        raise ValueError(f"There is no seat {seat!r}; there are 'a' and 'b'.")


def _line(event: dict[str, Any]) -> str:
    if event["kind"] == "opened":
        return play.words(event["case"]["title"], "en")
    if event["kind"] == "ended":
        return f"{event['outcome']}: {event['points']}"
    told = play.words(event["terms"], "en") if "terms" in event else event["kind"]
    return f"{play.words(event['who'], 'en')}: {told} {event['text']}".rstrip()
