"""The board of a match, gathered for its template."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from django.utils.safestring import SafeString

from arena.gpu_market.board.advice import shocks_ahead
from arena.gpu_market.board.cards import coalition_cards, offer_cards
from arena.gpu_market.board.court import court_of
from arena.gpu_market.board.folding import board_of
from arena.gpu_market.board.moments import (
    beats_of,
    now_words,
    turn_words,
    usable_blocks,
)
from arena.gpu_market.board.names import player_name
from arena.gpu_market.board.parts import Board, Event, LabSeat, Line, Strike
from arena.gpu_market.board.result import Accrued, reward_path
from arena.gpu_market.board.timeline import (
    lab_strip,
    legend_key,
    rounds_axis,
    state_of,
    state_word,
)
from arena.gpu_market.board.titles import (
    TITLES,
    archetype_name,
    lab_name,
    rows_of,
    shock_title,
    words_of,
)
from arena.gpu_market.board.wants import course_of, first_trade, planned_runs, spare, wanted
from arena.words import say
from bazaarbatna.market.blocks import Block
from bazaarbatna.market.scenario import HOUSE


class Lane(msgspec.Struct, frozen=True):
    """A lab with its strip; ``seat`` is None for the house.

    ``did`` is what it did lately but for offers, which stand on cards.
    """

    id: str
    name: str
    seat: LabSeat | None
    plays: str
    character: str
    strip: SafeString
    bands: tuple[tuple[str, str], ...] = ()
    mood: str = "calm"
    did: tuple[Line, ...] = ()


class Scrub(msgspec.Struct, frozen=True):
    """Where a reader is among the moments of a match; numbers are those of frames."""

    index: int
    count: int
    first: int
    previous: int
    next: int
    last: int
    stops: tuple[int, ...]

    @property
    def is_newest(self) -> bool:
        """Whether the reader sees everything that has happened."""
        return self.index == self.count - 1


def board_context(
    frames: Sequence[Event],
    until: int | None,
    *,
    rewards: Sequence[Accrued] = (),
    bands: Mapping[str, Event] | None = None,
) -> dict[str, Any]:
    """Gather what the board shows after frame ``until`` (None: the last)."""
    newest = board_of(frames)
    scrub = scrub_of(beats_of(frames, newest), until)
    board = newest if scrub.is_newest else board_of(frames, scrub.stops[scrub.index])
    names = {lab.id: lab_name(lab.name) for lab in board.labs}
    first = first_trade(board)
    shown = [row for row in rewards if len(row.path) > 1]
    return {
        "board": board,
        "scrub": scrub,
        "now": now_words(board),
        "turn": turn_words(board),
        "can_act": newest.is_own_turn and scrub.is_newest,
        "runs": planned_runs(newest),
        "lanes": lanes_of(board, bands=bands or {}),
        "axis": rounds_axis(board),
        "legend": [(legend_key(state), words) for state, words in rows_of(TITLES.block_states)],
        "table": [
            (block, board.lab_name(block.owner), _state(board, block)) for block in board.blocks
        ],
        "offers": offer_cards(board),
        "coalitions": coalition_cards(board),
        "shocks": [_shock(strike) for strike in reversed(board.shocks)],
        "log": rounds_of(board.lines),
        "rewards": shown,
        "reward_rows": _reward_rows(shown),
        "reward_path": reward_path(shown, names, board.rounds) if shown else "",
        "usable": usable_blocks(board, board.own) if board.own else (),
        "free": _free(board, own=True),
        "foreign": _foreign(board),
        "conditions": rows_of(TITLES.conditions),
        "court": court_of(board),
        # The page of the first trade says by itself what is worth buying.
        "wanted": () if first else wanted(newest),
        "spare": None if first else spare(newest),
        "first": first,
        "course": course_of(board),
        "ahead": shocks_ahead(board),
    }


def scrub_of(stops: tuple[int, ...], until: int | None) -> Scrub:
    """Find the last moment that a reader asked for.

    >>> scrub_of((3, 7, 9), 8).index, scrub_of((3, 7, 9), None).index
    (1, 2)
    """
    last = len(stops) - 1
    index = last
    if until is not None:
        index = max((at for at, stop in enumerate(stops) if stop <= until), default=0)
    return Scrub(
        index,
        len(stops),
        stops[0],
        stops[max(index - 1, 0)],
        stops[min(index + 1, last)],
        stops[last],
        stops,
    )


def lanes_of(board: Board, place: str = "", bands: Mapping[str, Event] | None = None) -> list[Lane]:
    """Draw the strip of every lab, and of the house while it has something to sell."""
    lanes = [
        Lane(
            seat.id,
            seat.name,
            seat,
            _plays(seat),
            words_of(TITLES.characters, seat.archetype, otherwise=""),
            lab_strip(board, seat.id, place=place),
            _bands(seat, (bands or {}).get(seat.id)),
            mood_of(board, seat),
            _did(board, seat),
        )
        for seat in board.labs
    ]
    if board.blocks_of(HOUSE):
        strip = lab_strip(board, HOUSE, place=place)
        lanes.append(Lane(HOUSE, say("the_house"), None, say("sells_to_the_best_bid"), "", strip))
    return lanes


def _did(board: Board, seat: LabSeat) -> tuple[Line, ...]:
    lately = [one for one in board.lines if one.lab == seat.id and one.round >= board.round - 1]
    return tuple(one for one in lately if one.event not in ("offer", "offer_closed"))


def mood_of(board: Board, seat: LabSeat) -> str:
    """Say how a lab looks after its newest line in the log, which this viewer may know."""
    if seat.finished:
        return "walking"
    tones = [line.tone for line in board.lines if line.lab == seat.id and line.tone in _MOODS]
    return _MOODS[tones[-1]] if tones else "calm"


_MOODS = {"deal": "pleased", "breach": "annoyed", "shock": "hurried"}


def rounds_of(lines: Sequence[Line]) -> list[tuple[int, list[Line]]]:
    """Group the log by rounds, the newest round first, each in order of time."""
    groups: dict[int, list[Line]] = {}
    for line in lines:
        rows = groups.setdefault(line.round, [])
        # The page's heading says that a round begins.
        if line.event != "round":
            rows.append(line)
    return sorted(groups.items(), reverse=True)


def _bands(seat: LabSeat, told: Event | None) -> tuple[tuple[str, str], ...]:
    if told is None:
        return ()
    money = (
        ()
        if seat.budget is not None
        else ((say("money"), words_of(TITLES.bands, told["budget"], otherwise=told["budget"])),)
    )
    return (*money, (say("need"), words_of(TITLES.bands, told["demand"], otherwise=told["demand"])))


def _plays(seat: LabSeat) -> str:
    if seat.you:
        return say("you_2")
    match seat.plays:
        case "person":
            return say("a_person")
        case "archetype":
            if not seat.archetype:
                return say("a_character_of_its_own")
            return archetype_name(seat.archetype)
        case policy:
            return player_name(policy)


def _state(board: Board, block: Block) -> tuple[str, str]:
    return state_of(board, block), state_word(board, block)


def _shock(strike: Strike) -> tuple[Strike, str, str]:
    return strike, shock_title(strike.kind), words_of(TITLES.shock_effects, strike.kind)


def _reward_rows(rewards: Sequence[Accrued]) -> list[tuple[str, str, list[float]]]:
    rows = []
    for at, (column, about) in enumerate(rows_of(TITLES.columns)):
        values = [
            row.sums[at][1] if column != "normalized_reward" else row.total for row in rewards
        ]
        if column == "normalized_reward" or any(abs(value) > 0.0005 for value in values):
            rows.append((column, about, values))
    return rows


def _free(board: Board, *, own: bool) -> tuple[Block, ...]:
    me = board.own
    if me is None:
        return ()
    return tuple(
        block for block in board.blocks if (block.owner == me.id) is own and board.is_free(block)
    )


def _foreign(board: Board) -> list[tuple[str, str, list[Block]]]:
    free = _free(board, own=False)
    owners = [*(lab.id for lab in board.labs), HOUSE]
    return [
        (owner, board.lab_name(owner), blocks)
        for owner in owners
        if (blocks := [block for block in free if block.owner == owner])
    ]
