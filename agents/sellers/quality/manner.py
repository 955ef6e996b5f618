"""Which persona played? A small classifier on what anybody can see of a game.

Features are standardised over all games; a game belongs to the persona whose mean is nearest,
where its own game is left out of the means (leave one out).
"""

from collections import Counter
from collections.abc import Sequence
from statistics import fmean, pstdev

import numpy as np

from agents.sellers.quality.games import Episode
from agents.tells_reader.reader import read_tells
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
    """Give the share of games whose persona is told from the rest, leaving each one out itself."""
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
