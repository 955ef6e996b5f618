"""The judge that is always there: compares two games rule by rule, the first difference decides."""

from collections.abc import Callable

from negotiation.engine.quantities import to_rupees
from negotiation.money import rupees_text
from training.judging.failures import failure_tags
from training.judging.speech import speech_score
from training.judging.transcript import DecidedBy, Transcript, Verdict, check_comparable

EQUAL_SURPLUS = 0.02
"""Surpluses that differ by no more than this share of the zone count as equal."""

EQUAL_WORDS = 0.002
"""Scores of the words that differ by no more than this count as equal."""

Edge = tuple[float, str]
"""By how much "a" is ahead (negative: "b"; 0: level), and the line that says so."""

Rule = Callable[[Transcript, Transcript], Edge]

LEVEL: Edge = (0.0, "")


def judge(a: Transcript, b: Transcript) -> Verdict:
    """Return which of two games on one scenario the buyer played better."""
    check_comparable(a, b)
    for decided_by, rule in RULES:
        lead, reason = rule(a, b)
        if lead:
            return Verdict("a" if lead > 0 else "b", reason, decided_by)
    return Verdict("tie", "Nothing tells the two games apart.", "nothing")


def by_deal(a: Transcript, b: Transcript) -> Edge:
    """Prefer a deal to none, whoever accepted, where a deal was possible.

    Without a zone of possible agreement every end without a deal is a good one.
    """
    if not a.winnable or a.is_deal == b.is_deal:
        return LEVEL
    lost, ahead = (b, 1.0) if a.is_deal else (a, -1.0)
    return ahead, f"A deal was possible; the other game ended by {_end(lost)}."


def by_surplus(a: Transcript, b: Transcript) -> Edge:
    """Prefer the larger surplus of two deals."""
    if not (a.is_deal and b.is_deal) or abs(a.surplus - b.surplus) <= EQUAL_SURPLUS:
        return LEVEL
    more, less = max(a.surplus, b.surplus), min(a.surplus, b.surplus)
    return a.surplus - b.surplus, f"It kept {more:.0%} of the zone, the other game {less:.0%}."


def by_ask(a: Transcript, b: Transcript) -> Edge:
    """Prefer the game without a deal that brought the seller lower; only where one was possible."""
    if not a.winnable or a.is_deal or b.is_deal or a.lowest_ask == b.lowest_ask:
        return LEVEL
    low, high = (_money(a, ask) for ask in sorted((a.lowest_ask, b.lowest_ask)))
    reason = f"It brought the ask down to {low}, the other game to {high}."
    return float(b.lowest_ask - a.lowest_ask), reason


def by_failures(a: Transcript, b: Transcript) -> Edge:
    """Prefer the game with fewer failures."""
    tags_a, tags_b = failure_tags(a), failure_tags(b)
    if len(tags_a) == len(tags_b):
        return LEVEL
    worse, better = (tags_b, tags_a) if len(tags_a) < len(tags_b) else (tags_a, tags_b)
    named = ", ".join(tag for tag in worse if tag not in better)
    return float(len(tags_b) - len(tags_a)), f"The other game failed more: {named}."


def by_rounds(a: Transcript, b: Transcript) -> Edge:
    """Prefer the deal that took fewer rounds."""
    if not (a.is_deal and b.is_deal) or a.ended.round == b.ended.round:
        return LEVEL
    few, many = sorted((a.ended.round, b.ended.round))
    return float(b.ended.round - a.ended.round), f"It closed in round {few}, the other in {many}."


def by_words(a: Transcript, b: Transcript) -> Edge:
    """Prefer the game with the better words."""
    score_a, score_b = speech_score(a), speech_score(b)
    if abs(score_a - score_b) <= EQUAL_WORDS:
        return LEVEL
    more, less = max(score_a, score_b), min(score_a, score_b)
    return score_a - score_b, f"Its words scored {more:.2f}, those of the other game {less:.2f}."


RULES: tuple[tuple[DecidedBy, Rule], ...] = (
    ("deal", by_deal),
    ("surplus", by_surplus),
    ("ask", by_ask),
    ("failures", by_failures),
    ("rounds", by_rounds),
    ("words", by_words),
)
"""In this order; a rule that finds no difference leaves the word to the next."""


def _money(game: Transcript, price: int) -> str:
    return rupees_text(to_rupees(price), game.scenario.item.currency)


def _end(game: Transcript) -> str:
    if game.ended.outcome == "expired":
        return "running out of rounds"
    return "the buyer's leaving" if game.ended.by == "buyer" else "the seller's leaving"
