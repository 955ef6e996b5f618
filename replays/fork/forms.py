"""The what-if form: which moves could have been made at each step, and what was filled in."""

from typing import Any, Literal

import msgspec
from django import forms
from django.utils.translation import pgettext_lazy

from bazaarbatna.bargain.episode import State, follow, highest_ask, legal_moves, start
from bazaarbatna.bargain.moves import Accept, Move, Walk
from bazaarbatna.bargain.quantities import MIN_PRICE, Side, to_rupees
from negotiation.bargain.continuation import move_of
from negotiation.bargain.recorded import Record
from negotiation.bargain.web.forms import PriceField
from negotiation.bargain.web.seats import Cast
from negotiation.games.game import Choice
from negotiation.sentences import sentences

say = sentences(__file__)

Action = Literal["offer", "accept", "hold", "walk"]
ACTIONS: tuple[Action, ...] = ("offer", "accept", "hold", "walk")

VERBS: dict[Side, Any] = {
    "seller": pgettext_lazy("had", "asked"),
    "buyer": pgettext_lazy("had", "bid"),
}


class Question(msgspec.Struct, frozen=True):
    """What can be asked at one move: what its price field holds, and its bounds, in rupees."""

    seq: int
    side: Side
    who: str
    low: float
    high: float
    price: str = ""
    may_accept: bool = False
    may_walk: bool = True
    may_offer: bool = True

    @property
    def verb(self) -> str:
        """What the side does with a price."""
        return str(VERBS[self.side])


class ForkForm(forms.Form):
    """A what-if without JavaScript."""

    seq = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    action = forms.ChoiceField(choices=[(name, name) for name in ACTIONS])
    price = PriceField(required=False)

    def choice(self) -> Choice:
        """Return what was chosen; call it when the form is valid."""
        cleaned = self.cleaned_data
        offered = cleaned["action"] == "offer"
        return Choice(cleaned["action"], cleaned["price"] if offered else None)


class TurnForkForm(forms.Form):
    """A what-if in a game of turns; ``move`` as JSON."""

    seq = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    move = forms.JSONField()


def questions_of(
    record: Record, cast: Cast, attempt: tuple[int, str] | None = None
) -> dict[int, Question]:
    """List what can be asked, by number of the move; ``attempt``: a move and its price's text."""
    found = {}
    state, expected = start(record.setting)
    for seq, event in enumerate(record.events, start=1):
        made = move_of(event)
        if made is not None and state.to_move is not None:
            text = attempt[1] if attempt is not None and attempt[0] == seq else ""
            found[seq] = _question(record, state, seq, made, cast, text)
        state, expected = follow(state, expected, event)
    return found


def problem_of(form: ForkForm) -> str:
    """Say in one sentence what is wrong with a form."""
    errors: dict[str, Any] = dict(form.errors)
    if "price" in errors:
        return str(errors["price"][0])
    return say("choose_a_move_of_this_haggle")


def _question(
    record: Record, state: State, seq: int, made: Move, cast: Cast, text: str
) -> Question:
    assert state.to_move is not None
    side: Side = state.to_move
    legal = legal_moves(state, side)
    if side == "seller":
        low, high = state.scenario.sealed.reservation, highest_ask(state)
    else:
        bid = state.standing_bid
        low = bid if record.is_live and bid is not None else MIN_PRICE
        high = state.scenario.sealed.budget
    return Question(
        seq=seq,
        side=side,
        who=cast.called(side),
        low=to_rupees(low),
        high=to_rupees(high),
        price=text,
        may_accept="accept" in legal and not isinstance(made, Accept),
        may_walk=not isinstance(made, Walk),
        may_offer=low <= high,
    )
