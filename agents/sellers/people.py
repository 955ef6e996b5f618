"""Sellers of the population for people to buy from; no line of theirs tells their limit."""

from collections.abc import Iterator
from functools import cache, partial
from random import Random

import msgspec

from agents.output_guard.coherence import first_coherent, is_mere_talk
from agents.sellers.persona import earned, is_reciprocal
from agents.sellers.speaking import SellerSpeaker, listens
from agents.text.languages import Register, last_telling
from bazaarbatna.bargain.moves import Accept, Move, Offer
from bazaarbatna.bargain.observe import SellerObservation
from bazaarbatna.bargain.people.families import Family, family_names, family_of
from bazaarbatna.bargain.people.manner import price_unit
from bazaarbatna.bargain.people.paths import PathFamily, fit_paths, path_family
from bazaarbatna.bargain.people.seller import PersonSeller, all_lines, language_of, wordings
from bazaarbatna.bargain.quantities import clamp_price
from bazaarbatna.versions import version_label
from negotiation.policies import Entry, SellerFactory
from negotiation.sentences import sentences

say = sentences(__file__)

NUMBER = 4

SOMEBODY = "seller:people"

TITLE = say.text("title")
BARE_P = 0.15
"""How often a price is left to the move alone, so that a silent one betrays nothing."""


ANSWER = 1.2
"""Where steps are answered by their size: a person's step, as a multiple of the buyer's."""
GREED = 0.45
"""There: the part of what the ask leaves above the limit that makes any bid good enough."""


class LivePerson(PersonSeller):
    """A seller of the population opposite a person. It keeps nothing between turns."""

    def decide(self, seen: SellerObservation) -> Move:
        """Answer the standing bid and say nothing: the same deed as ``act``, much faster."""
        return self._chosen(seen)[0]

    def act(self, seen: SellerObservation) -> Move:
        """Answer the standing bid, in words that may be said."""
        move, mood = self._chosen(seen)
        if listens(seen):
            # Of another buyer, who is none, a person hears nothing.
            tongue = self._tongue("counter" if mood == "rival" else mood)
            return msgspec.structs.replace(move, text=tongue.line(seen, move))
        text = first_coherent(self._texts(move, mood, seen), seen, move)
        return msgspec.structs.replace(move, text=text)

    def reply(self, seen: SellerObservation) -> str:
        """Answer words that named no price; "" if nothing new may be said."""
        if listens(seen):
            return self._tongue("").reply(seen)
        own = [turn.text for turn in seen.turns if turn.actor == "seller"]
        lines = wordings("talk", self._language(seen), self._seed + seen.round + len(own))
        return next((text for text in lines if text not in own and is_mere_talk(text, seen)), "")

    def _chosen(self, seen: SellerObservation) -> tuple[Move, str]:
        move, mood = self.choose(seen)
        if not is_reciprocal(seen):
            return rounded(move, seen), mood
        bid, ask = seen.bids[-1], seen.standing_ask
        if not isinstance(move, Accept) and bid >= self._enough(seen):
            return Accept(), "accept"
        if not isinstance(move, Offer):
            return move, mood
        least = ask - ANSWER * earned(seen)
        offer = rounded(Offer(clamp_price(max(least, move.price))), seen)
        if offer == Offer(ask):
            return offer, "hold"
        # Cut short, it is no longer the middle.
        return offer, "counter" if mood == "split" and least > move.price else mood

    def _enough(self, seen: SellerObservation) -> float:
        return seen.reservation + GREED * (seen.standing_ask - seen.reservation)

    def _tongue(self, mood: str) -> SellerSpeaker:
        def manner(seen: SellerObservation, move: Move, language: Register) -> Iterator[str]:
            return self._texts(move, mood, seen, language)

        return SellerSpeaker(self._seed, manner)

    def _texts(
        self, move: Move, mood: str, seen: SellerObservation, spoken: str = ""
    ) -> Iterator[str]:
        language, first = spoken or self._language(seen), self._seed + seen.round
        bare = wordings("bare", language, first)
        if not isinstance(move, Offer):
            yield from wordings(mood, language, first)
            return
        if mood == "hold":
            yield from wordings(mood, language, first)
        elif Random(f"bare:{self._seed}:{seen.round}").random() >= BARE_P:
            yield from wordings(mood, language, first, move.price)
            yield from wordings("counter", language, first, move.price)
        yield from bare

    def _language(self, seen: SellerObservation) -> str:
        found, words = last_telling(seen.turns, "buyer", "seller")
        if found is None:
            return language_of(self._seed)
        return "hinglish" if found == "hindi" and words.isascii() else found


def rounded(move: Move, seen: SellerObservation) -> Move:
    """Raise an ask to a price that people name: 1,209.97 among round ones would tell the limit."""
    if not isinstance(move, Offer):
        return move
    unit = price_unit(seen.asks[0])
    price = clamp_price(-(-move.price // unit) * unit, high=seen.standing_ask)
    return msgspec.structs.replace(move, price=price)


def somebody(seed: int) -> LivePerson:
    """Return the seller of a seed, of a family drawn by weight."""
    return LivePerson.drawn(_family_of(seed), seed)


def _family_of(seed: int) -> Family:
    families = _who_answer()
    weights = [family.weight for family in families]
    return Random(f"somebody:{seed}").choices(families, weights)[0]


def _who_answer() -> list[Family]:
    """Return all registered families but paths: of those that are registered nobody may learn."""
    found = map(family_of, family_names())
    return [family for family in found if not isinstance(family, PathFamily)]


def _recorded() -> Family:
    return path_family(fit_paths(), name="recorded")


class PeoplePolicies:
    """These sellers as a source: whichever families are registered, and paths of people."""

    def entries(self) -> tuple[Entry, ...]:
        """List somebody, and every family."""
        return _entries(tuple(family.name for family in _who_answer()))

    def find(self, name: str) -> Entry | None:
        """Look a seller up, for example ``seller:people-halver``."""
        return next((entry for entry in self.entries() if entry.name == name), None)


@cache
def _entries(names: tuple[str, ...]) -> tuple[Entry, ...]:
    families = [family_of(name) for name in names]
    alone = (
        _entry(
            f"{SOMEBODY}-{family.name}",
            family.title,
            partial(LivePerson.drawn, family),
            [family.version],
        )
        for family in (*families, _recorded())
    )
    every = [f"{family.version} {family.weight}" for family in families]
    drawn = msgspec.structs.replace(
        _entry(SOMEBODY, TITLE, somebody, every), who=lambda seed: _family_of(seed).title
    )
    return (drawn, *alone)


def _entry(name: str, title: str, make: SellerFactory, versions: list[str]) -> Entry:
    parameters = {
        "families": versions,
        "lines": all_lines(),
        "bare": BARE_P,
        "size": (ANSWER, GREED),
    }
    return Entry(
        name=name,
        version=version_label(name, NUMBER, parameters),
        kind="rules",
        title=title,
        backend="rules",
        make=make,
        side="seller",
    )
