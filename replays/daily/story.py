"""A line of a day's game told in sentences: who held, who came, who took it."""

from collections.abc import Callable, Sequence
from itertools import groupby

from django.utils.translation import ngettext

from bazaarbatna.money import rupees_text
from negotiation.sentences import sentences
from replays.daily.house import Step

say = sentences(__file__)

Reply = tuple[float, float]
"""What the seller asked, and what Sauda bid then."""


def told_of(steps: Sequence[Step], asking: float, currency: str) -> tuple[str, ...]:
    """Tell a line as advice, from Sauda's first bid to the end; ``asking`` stands at its start."""

    def money(rupees: float | None) -> str:
        return rupees_text(rupees or 0, currency)

    bids = [step.rupees or 0 for step in steps if (step.actor, step.kind) == ("buyer", "offer")]
    asks = [step.rupees or 0 for step in steps if (step.actor, step.kind) == ("seller", "offer")]
    if not bids:
        return ()
    said = [say("she_begins_at_bid", bid=money(bids[0]))]
    heard, before = bids[0], asking
    replies: list[Reply] = list(zip(asks, bids[1:], strict=False))
    for ask, group in groupby(replies, key=lambda reply: reply[0]):
        answers = [bid for _, bid in group]
        count = len(answers)
        did = (
            ngettext("hold %(ask)s", "hold %(ask)s for %(count)d rounds", count)
            if ask == before
            else ngettext("ask %(ask)s", "ask %(ask)s for %(count)d rounds", count)
        ) % {"ask": money(ask), "count": count}
        name = "and_she_comes_to_bid" if answers[-1] > heard else "and_she_stays"
        said.append(say(name, did=did[:1].upper() + did[1:], bid=money(answers[-1])))
        heard, before = answers[-1], ask
    return (*said, *_end(steps[-1], asks, len(replies), money))


def _end(
    last: Step, asks: Sequence[float], answered: int, money: Callable[[float | None], str]
) -> tuple[str, ...]:
    match last.kind, last.actor:
        case "accept", "seller":
            return (say("take_price", price=money(last.rupees)),)
        case "accept", _:
            return (say("she_takes_price", price=money(last.rupees)),)
        case "walk", _:
            return (say("somebody_walks"),)
        case _:
            return (say("ask_and_close", price=money(asks[-1])),) if len(asks) > answered else ()
