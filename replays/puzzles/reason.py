"""Why the best move is best: the pattern behind it, read from what the continuations brought.

Two moves are compared: the best one and another, which is what was chosen, or the runner-up. What
decides is whether the better one closes at better prices, closes more often, or trades one for the
other; the position (early, last round, she stood still, somebody next door) says what that is
called.
"""

from pathlib import Path

import msgspec
from django.utils.translation import gettext

from bazaarbatna.bargain.quantities import other
from bazaarbatna.money import rupees_text
from bazaarbatna.word_tables import read_table
from replays.puzzles.puzzle import SURE, Option, Puzzle, stood_still
from replays.puzzles.table import limit_of, own_price

PHRASES = read_table(Path(__file__).with_name("why.toml"), dict[str, dict[str, str]])

WHOLE = 30_000
"""From this opening ask in paise on, means are told in whole rupees."""

AS_OFTEN = 2
"""So many deals of 100 more or less are no difference."""

EARLY = 2
"""Up to this round a price is an anchor, where as many are still to come."""


class Pair(msgspec.Struct, frozen=True):
    """The best move and another, with what sets them apart; money in paise, deals of 100.

    ``dearer`` is how much better for the solver the deals of the best one close, on average.
    """

    best: Option
    rest: Option
    dearer: float
    oftener: int


def pair_of(puzzle: Puzzle, choice: int | None = None) -> Pair:
    """Set the best move beside the chosen one; beside the runner-up where it was chosen."""
    best = puzzle.options[puzzle.best]
    is_wrong = choice not in (None, puzzle.best)
    rest = puzzle.options[choice or 0] if is_wrong else puzzle.runner_up
    return Pair(
        best,
        rest,
        dearer=_margin(puzzle, best) - _margin(puzzle, rest),
        oftener=_often(puzzle, best) - _often(puzzle, rest),
    )


def reason(puzzle: Puzzle, choice: int | None = None) -> tuple[str, str]:
    """Return the pattern, and which of its sentences is true of the two moves."""
    pair, state = pair_of(puzzle, choice), puzzle.position()
    best, rest = pair.best.kind, pair.rest.kind
    is_last = state.round >= state.scenario.max_rounds
    costs = "free" if pair.oftener >= -AS_OFTEN else "risk"
    if best == "accept":
        return _taking(puzzle, pair, is_last=is_last)
    if best == "walk":
        return _leaving(pair)
    if rest == "walk" and not is_last:
        return ("walk", "early") if puzzle.outside is None else ("rival", "wait")
    if is_last:
        return "last", "price"
    if pair.dearer <= 0:
        return "step", "safe" if rounded(pair.dearer, puzzle) else "sure"
    if rest == "accept":
        return "take", "later"
    if _ahead(puzzle, price_of(pair.best, puzzle), price_of(pair.rest, puzzle)) < 0:
        return "step", "answered" if costs == "free" else "risk"
    # Whatever is left beside a price gives more away than it does.
    size = "_step" if best == "price" and costs == "free" else ""
    if stood_still(state, puzzle.seat) and _beyond(puzzle) > 0:
        return "bluff", f"came_{costs}{size}" if _steps(puzzle)[1] > 0 else f"{costs}{size}"
    if state.round <= min(EARLY, state.scenario.max_rounds - EARLY):
        return "anchor", costs
    return "hold", f"climbing{size}" if costs == "free" and min(_steps(puzzle)) > 0 else costs


def _leaving(pair: Pair) -> tuple[str, str]:
    if pair.rest.kind == "accept":
        return "rival", "now"
    is_sure = pair.dearer > 0 and pair.rest.deals >= 100 - AS_OFTEN
    return "rival", "end" if is_sure else "sure"


def _taking(puzzle: Puzzle, pair: Pair, *, is_last: bool) -> tuple[str, str]:
    if pair.rest.kind == "walk":
        return "take", "rival"
    if is_last:
        return "last", "take"
    if pair.dearer >= 0:
        return "take", "end"
    return "take", "hurry" if puzzle.leaves else "risk"


def why(puzzle: Puzzle, choice: int | None = None) -> str:
    """Say why the best move beats the other one: what the position says, then what both bring.

    Every number of the means stands in the list of moves, too.
    """
    pattern, kind = reason(puzzle, choice)
    pair = pair_of(puzzle, choice)
    mine, hers = _steps(puzzle)
    position = gettext(PHRASES[pattern][kind]).format(
        mine=money(mine, puzzle),
        hers=money(hers, puzzle),
        round=puzzle.position().round,
        rounds=puzzle.scenario.max_rounds,
        leaves=puzzle.leaves,
    )
    means = gettext(PHRASES["means"][_means(puzzle, pair)]).format(
        best=named(puzzle, pair.best),
        rest=named(puzzle, pair.rest),
        keeps=gain(puzzle, pair.best),
        rest_keeps=gain(puzzle, pair.rest),
        rest_short=gain(puzzle, pair.rest, "_short"),
        then=money(_closes(puzzle, pair.best), puzzle),
        rest_then=money(_closes(puzzle, pair.rest), puzzle),
        times=_times(pair.best),
        rest_times=_times(pair.rest),
    )
    return f"{position} {means[:1].upper()}{means[1:]}"


def gain(puzzle: Puzzle, option: Option, form: str = "") -> str:
    """Say what a move keeps: from the own limit, or from next door where that is there."""
    than = rounded(option.keeps - puzzle.zero, puzzle)
    kind = "better" if than > 0 else "worse" if than else "same"
    words = PHRASES["gains"]["keeps" + form if puzzle.outside is None else kind + form]
    return gettext(words).format(price=rupees_text(abs(than), puzzle.scenario.item.currency))


def _times(option: Option) -> str:
    words = PHRASES["gains"]["always" if option.deals == 100 else "times"]
    return gettext(words).format(n=option.deals)


def _means(puzzle: Puzzle, pair: Pair) -> str:
    is_sure, is_rest_sure = (one.kind in SURE for one in (pair.best, pair.rest))
    at_door = "_door" if puzzle.outside and "walk" in (pair.best.kind, pair.rest.kind) else ""
    if is_rest_sure and is_sure:
        return "both" + (f"{at_door}_{pair.best.kind}" if at_door else "")
    if is_rest_sure:
        return "against" + at_door
    if is_sure:
        return ("sure" if pair.rest.deals else "sure_never") + at_door
    if pair.dearer > 0 and pair.rest.deals:
        return "free" if pair.oftener >= -AS_OFTEN else "risk"
    return "often" if pair.rest.deals else "often_never"


def pattern_name(pattern: str) -> str:
    """Return the name of a pattern."""
    return gettext(PHRASES["names"][pattern])


def price_of(option: Option, puzzle: Puzzle) -> int:
    """Return the price that a move is about, in paise."""
    if option.kind == "accept":
        return own_price(puzzle.position(), other(puzzle.seat)) or 0
    if option.kind == "walk":
        return puzzle.outside or 0
    return option.price or 0


def named(puzzle: Puzzle, option: Option) -> str:
    """Name a move in the middle of a sentence."""
    name = f"{puzzle.seat}-price" if option.kind == "price" else option.kind
    if option.kind == "walk" and puzzle.outside is None:
        name = "leave"
    return gettext(PHRASES["moves"][name]).format(price=money(price_of(option, puzzle), puzzle))


def money(paise: float, puzzle: Puzzle) -> str:
    """Write an amount in paise as this page writes amounts."""
    return rupees_text(rounded(paise, puzzle), puzzle.scenario.item.currency)


def rounded(paise: float, puzzle: Puzzle) -> float:
    """Return rupees, without paise where the thing costs hundreds."""
    return float(round(paise / 100)) if puzzle.scenario.anchor >= WHOLE else round(paise / 100, 2)


def _often(puzzle: Puzzle, option: Option) -> int:
    """Return how many of 100 end with something: next door is sure."""
    is_sure = option.kind == "accept" or (option.kind == "walk" and puzzle.outside is not None)
    return 100 if is_sure else option.deals


def _closes(puzzle: Puzzle, option: Option) -> int:
    """Return the price at which deals close after a move, where there are any."""
    return price_of(option, puzzle) if option.kind in SURE else option.price_then or 0


def _margin(puzzle: Puzzle, option: Option) -> float:
    """Return what a deal after this move leaves the solver; nothing where there is none."""
    if not _often(puzzle, option):
        return 0.0
    return _ahead(puzzle, _closes(puzzle, option), limit_of(puzzle.position(), puzzle.seat))


def _ahead(puzzle: Puzzle, price: int, than: int) -> int:
    return price - than if puzzle.seat == "seller" else than - price


def _beyond(puzzle: Puzzle) -> int:
    """Return by how much deals after the best move close beyond the other side's price now."""
    theirs = own_price(puzzle.position(), other(puzzle.seat)) or 0
    return _ahead(puzzle, _closes(puzzle, puzzle.options[puzzle.best]), theirs)


def _steps(puzzle: Puzzle) -> tuple[int, int]:
    """Return the last step of the solver and of the other side, each toward the other, in paise."""
    state = puzzle.position()
    down, up = (prices[-2:] for prices in (state.asks, state.bids))
    asked = down[0] - down[-1] if len(down) > 1 else 0
    bid = up[-1] - up[0] if len(up) > 1 else 0
    return (asked, bid) if puzzle.seat == "seller" else (bid, asked)


def patterns() -> tuple[str, ...]:
    """List every pattern."""
    return tuple(PHRASES["names"])
