"""People who played here, joined to those of the fit: the same figures before and after.

Of a game against a policy only the person's own side counts: her prices and her steps. How games
end, and at which price, is counted where both sides were people. An acceptance is a button here, so
it names no price.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from bazaarbatna.bargain.people.dialogues import Dialogue, measure
from bazaarbatna.bargain.people.fit import DIALOGUES, Human, Row
from bazaarbatna.bargain.quantities import Side

FEWEST = 30
"""Games below which a figure of people here changes nothing."""


class Counted(msgspec.Struct, frozen=True):
    """A finished game as it counts, and the sides on which people sat."""

    sides: tuple[Side, ...]
    dialogue: Dialogue


class Joined(msgspec.Struct, frozen=True):
    """One figure: of the published dialogues, of people here (``games`` of them), of all."""

    human: Human
    games: int
    here: float
    after: float
    before_fits: bool
    after_fits: bool


def join(games: Sequence[Counted], population: Iterable[Row]) -> list[Joined]:
    """Set people here beside people before, and the population beside both."""
    measured = {key: _measured(games, is_counted) for key, is_counted in _WHO.items()}
    return [_joined(row, *measured[_who(row.human.key)]) for row in population]


def _joined(row: Row, count: int, figures: dict[str, float]) -> Joined:
    human = row.human
    here = figures.get(human.key, 0.0)
    after = human.value
    if count >= FEWEST:
        after = (DIALOGUES * human.value + count * here) / (DIALOGUES + count)
    changed = msgspec.structs.replace(human, value=after)
    return Joined(
        human, count, here, after, row.fits, msgspec.structs.replace(row, human=changed).fits
    )


def _measured(
    games: Sequence[Counted], is_counted: Callable[[Counted], bool]
) -> tuple[int, dict[str, float]]:
    chosen = [one.dialogue.wordless() for one in games if is_counted(one)]
    return len(chosen), measure(chosen) if chosen else {}


_WHO: dict[str, Callable[[Counted], bool]] = {
    "seller": lambda one: "seller" in one.sides,
    "buyer": lambda one: "buyer" in one.sides,
    "both": lambda one: len(one.sides) == 2,
}


def _who(key: str) -> str:
    if key.startswith(("seller_", "first_ask")):
        return "seller"
    return "buyer" if key.startswith(("buyer_", "first_bid")) else "both"


def report(rows: Iterable[Joined]) -> str:
    """Write before and after as a table in Markdown, and what changed in a sentence."""
    lines = [
        "| figure | people before | people here | games here | after | fitted before | after |",
        "|---|---:|---:|---:|---:|---|---|",
    ]
    kept = list(rows)
    lines += [
        f"| {row.human.words} | {row.human.value:g} | "
        f"{f'{row.here:.3f}' if row.games else '-'} | {row.games} | {row.after:.3f} | "
        f"{_yes(row.before_fits)} | {_yes(row.after_fits)} |"
        for row in kept
    ]
    before = sum(row.before_fits for row in kept)
    after = sum(row.after_fits for row in kept)
    lines += [
        "",
        f"The population fits {before} of {len(kept)} figures before and {after} after. "
        f"A figure with fewer than {FEWEST} games here stays as it was; after is the mean of "
        f"both, weighted by games ({DIALOGUES:,} before).",
    ]
    return "\n".join(lines)


def _yes(fits: bool) -> str:
    return "yes" if fits else "no"
