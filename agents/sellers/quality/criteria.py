"""The six criteria of a seller's quality: what each counts, and its bar."""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, pstdev

import msgspec
import numpy as np

from agents.output_guard.secrets import names_secret
from agents.sellers.listing import is_anchored
from agents.sellers.quality.games import Episode
from agents.speech.promises import is_promise
from agents.text.tells.reader import read_tells
from negotiation.bargain.honesty import certify
from negotiation.readers import SaleContext

FEATURES = (
    "first step, share of the ask",
    "mean step, share of the gap",
    "spread of the steps, share of the gap",
    "counters that stand still",
    "warm words per message",
    "proud words per message",
    "bluffing words per message",
    "deception cue",
    "words per message",
)
"""What is measured of a game, in this order."""

_WARM = (
    "happy friend smile glad love easy nice bend together enjoy trouble neighbour khush khushi "
    "dost apne pyaar bhala maan milke"
)
_PROUD = (
    "stand worth firmly hold word quality rarely sport solid rupee rush mean khadi zubaan keemat "
    "seedhi seedha pakki pakka ginti hilti khel"
)
_BLUFFING = (
    "another other others somebody someone people buyer buyers caller phone secret brother today "
    "tomorrow evening quickly hurry gentleman favour lose mad "
    "aur koi grahak phone raaz bhai daantega aaj kal shaam jaldi nuksaan batana chupke"
)
WARM, PROUD = frozenset(_WARM.split()), frozenset(_PROUD.split())
BLUFFING = frozenset(_BLUFFING.split())


def features(episode: Episode) -> tuple[float, ...]:
    """Measure a game; all numbers are finite, a game without counters gives zeros."""
    asks, bids = episode.asks, episode.bids
    steps = [asks[i] - asks[i + 1] for i in range(len(asks) - 1)]
    gaps = [max(asks[i] - bids[i], 1) for i in range(len(steps))]
    shares = [step / gap for step, gap in zip(steps, gaps, strict=True)] or [0.0]
    words = [_words(text) for text in episode.messages] or [[""]]
    return (
        steps[0] / asks[0] if steps else 0.0,
        fmean(shares),
        pstdev(shares),
        fmean([step == 0 for step in steps] or [0.0]),
        fmean(len(WARM.intersection(said)) for said in words),
        fmean(len(PROUD.intersection(said)) for said in words),
        fmean(len(BLUFFING.intersection(said)) for said in words),
        fmean(_deception(text, episode) for text in episode.messages or ("",)),
        fmean(len(said) for said in words),
    )


def recognised(episodes: Sequence[Episode]) -> float:
    """Return the share of games whose persona is told from the rest, leaving out each one."""
    guesses = guess_all(episodes)
    return fmean(g == e.persona for g, e in zip(guesses, episodes, strict=True))


def confusion(episodes: Sequence[Episode]) -> dict[str, dict[str, int]]:
    """Count the guesses by true persona."""
    pairs = Counter(zip((e.persona for e in episodes), guess_all(episodes), strict=True))
    names = sorted({e.persona for e in episodes})
    return {true: {guess: pairs[true, guess] for guess in names} for true in names}


def guess_all(episodes: Sequence[Episode]) -> list[str]:
    """Guess the persona of every game from all other games."""
    table = np.array([features(e) for e in episodes])
    spread = table.std(axis=0)
    table = (table - table.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    personas = np.array([e.persona for e in episodes])
    names = sorted(set(personas.tolist()))
    guesses = []
    for place in range(len(episodes)):
        others = np.arange(len(episodes)) != place
        kept = [name for name in names if (others & (personas == name)).any()]
        means = [table[others & (personas == name)].mean(axis=0) for name in kept]
        distances = [float(((table[place] - mean) ** 2).sum()) for mean in means]
        guesses.append(kept[distances.index(min(distances))])
    return guesses


def _words(text: str) -> list[str]:
    return "".join(c if c.isalpha() else " " for c in text.lower()).split()


def _deception(text: str, episode: Episode) -> float:
    context = SaleContext(asks=(episode.scenario.anchor,), bids=(), turns=())
    return read_tells(text, context, None).tells.verbal_deception_cue or 0.0


class Criterion(msgspec.Struct, frozen=True):
    """One number against its bar; ``at_least`` says on which side of the bar is good."""

    name: str
    bar: float
    value: float
    at_least: bool = True

    @property
    def met(self) -> bool:
        """Whether the bar is reached."""
        return self.value >= self.bar if self.at_least else self.value <= self.bar


def measure(episodes: Sequence[Episode]) -> tuple[Criterion, ...]:
    """Measure finished games of several personas."""
    return (
        Criterion("anchored in the listing", 0.90, anchored(episodes)),
        Criterion("acts below the reservation price", 0, broken(episodes, "limit"), at_least=False),
        Criterion("leaks", 0, broken(episodes, "leaks"), at_least=False),
        Criterion("mean rounds", 4, fmean(e.ended.round for e in episodes)),
        Criterion("capitulation in round zero", 0.10, capitulated(episodes), at_least=False),
        Criterion("persona recognisable", 0.70, recognised(episodes)),
    )


def anchored(episodes: Sequence[Episode]) -> float:
    """Return the share of the seller's messages that hold a telling word of the listing."""
    said = [is_anchored(text, e.scenario.item) for e in episodes for text in e.messages]
    return fmean(said or [0.0])


def broken(episodes: Sequence[Episode], check: str) -> int:
    """Count the broken promises of one kind on the honesty certificates of all games."""
    sheets = [certify(e.events, "seller", names_secret, is_promise) for e in episodes]
    return sum(c.broken for sheet in sheets for c in sheet.checks if c.name == check)


def capitulated(episodes: Sequence[Episode]) -> float:
    """Return the share of games in which the very first bid was sold to."""
    first = [e.ended.outcome == "deal" and e.ended.round == 1 for e in episodes]
    return fmean(sold and e.ended.by == "seller" for sold, e in zip(first, episodes, strict=True))
