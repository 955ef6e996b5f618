"""A wire event in plain words, for the slider, the page title and people who listen."""

from pathlib import Path
from typing import Any

from bazaarbatna.bargain.quantities import to_paise
from bazaarbatna.money import about_text
from bazaarbatna.word_tables import read_table
from negotiation.bargain.web.bubbles import closed_words
from negotiation.bargain.web.outcome import zone_amounts
from negotiation.bargain.web.seats import SALE, Cast
from negotiation.sentences import Sentences
from replays.wording import VERBS

say = Sentences(VERBS | read_table(Path(__file__).with_suffix(".toml"), dict[str, str]))
_DEEDS = {"accept": "takes", "walk": "walks_away", "tells": "tells"}


def in_words(
    event: dict[str, Any], currency: str = "INR", cast: Cast = SALE, closed: str = ""
) -> str:
    """Return in one sentence what happened, without the words that were spoken.

    ``closed``: why the table was closed, where nobody ended the game.

    >>> in_words({"kind": "offer", "actor": "buyer", "round": 2, "price": 1350.0})
    'Round 2: Sauda bids ₹1,350'
    """
    kind = event["kind"]
    if kind == "opened":
        price = about_text(event["price"], currency)
        return say("opens", who=cast.name("seller"), price=price)
    if kind == "ended":
        return say("closed", why=closed) if closed else _ending(event, currency, cast)
    return closed_words(event, cast) or say(
        "round", round=event["round"], who=cast.called(event["actor"]), does=_does(event, currency)
    )


def why_no_deal(event: dict[str, Any], currency: str, cast: Cast, closed: str = "") -> str:
    """Return whether a deal was possible, and which; "" where there was one."""
    if event["outcome"] == "deal":
        return ""
    opened = event["opened"]
    reservation, budget = to_paise(opened["reservation"]), to_paise(opened["budget"])
    amounts = zone_amounts(reservation, budget, currency)
    if budget > reservation:
        words = "possible"
    elif budget == reservation:
        words = "one_price"
    else:
        is_walk = event["outcome"] == "walk" and not closed
        words = "right_to_walk" if is_walk else "right_not_to_agree"
        amounts |= {"buyer": cast.name("buyer"), "seller": cast.called("seller")}
    return say(words, **amounts)


def _does(event: dict[str, Any], currency: str) -> str:
    match event["kind"]:
        case "offer":
            what = "asks" if event["actor"] == "seller" else "bids"
        case kind:
            what = _DEEDS.get(kind, "speaks")
    price = about_text(event["price"], currency) if what in ("asks", "bids", "takes") else ""
    return say(what, price=price)


def _ending(event: dict[str, Any], currency: str, cast: Cast) -> str:
    match event["outcome"]:
        case "deal":
            return say("deal", price=about_text(event["price"], currency))
        case "walk":
            return say("walked", who=cast.called(event["by"]))
        case _:
            return say("ran_out")
