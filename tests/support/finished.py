"""Finished games, written as the live site would leave them."""

import datetime as dt
from collections.abc import Sequence

import msgspec

from bazaarbatna.bargain.episode import State, apply, say, show_tells, start
from bazaarbatna.bargain.events import Event
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import Item, Scenario, SealedValues
from bazaarbatna.bargain.tells import Tells, TellSpan
from negotiation.models import EventRow, Game, SealedRecord

LONG_AGO = dt.datetime(2026, 3, 1, 9, 0, tzinfo=dt.UTC)


def a_scenario(**changes: object) -> Scenario:
    """A pressure cooker at 2,000 rupees; reservation 1,200, budget 1,700."""
    plain = {
        "suite": "sell@1",
        "item": Item("Prestige pressure cooker, 5 litre", "kitchen", "Lid gasket is new", "good"),
        "max_rounds": 10,
        "anchor": Paise(200000),
        "sealed": SealedValues(Paise(120000), Paise(114285), Paise(170000), 42),
        "salt": "a1b2c3",
    }
    return Scenario(**(plain | changes))  # type: ignore[arg-type]


class Playing:
    """Collects the events of a game while it is played."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.state: State
        self.state, first = start(scenario)
        self.events: list[Event] = list(first)

    def move(self, side: Side, move: Move) -> "Playing":
        self.state, events = apply(self.state, side, move)
        self.events += events
        return self

    def say(self, side: Side, text: str) -> "Playing":
        self.state, events = say(self.state, side, text)
        self.events += events
        return self

    def tells(self, tells: Tells, spans: Sequence[TellSpan] = ()) -> "Playing":
        """What the last event's words showed."""
        of_seq = len(self.events)
        self.state, events = show_tells(self.state, "seller", tells, tuple(spans), of_seq)
        self.events += events
        return self


def a_haggle(**changes: object) -> Playing:
    """Two rounds and a deal at 1,500: twelve events."""
    urgent = "need it gone today, 1800"
    spans = [TellSpan(0, 18, "verbal_urgency", 0.8, "A hurry to sell.")]
    return (
        Playing(a_scenario(**changes))
        .move("buyer", Offer(Paise(110000), "1100 for me, bhaiya."))
        .move("seller", Offer(Paise(180000), urgent))
        .tells(Tells(verbal_urgency=0.8, price_rounding="round", repeat_phrases=0), spans)
        .move("buyer", Offer(Paise(140000), "Last month it sold for 1300."))
        .say("seller", "aur log bhi dekh rahe hain 😀 <b>sach</b>")
        .tells(
            Tells(verbal_confidence=0.7), [TellSpan(27, 28, "verbal_confidence", 0.7, "A grin.")]
        )
        .say("buyer", "I hear you.")
        .move("seller", Offer(Paise(160000), "1600, bas."))
        .move("buyer", Offer(Paise(150000), "1500 and I come now."))
        .move("seller", Accept("done"))
    )


def a_cheap_sale() -> Playing:
    """The same haggle with a buyer who would have paid 2,500."""
    return a_haggle(sealed=SealedValues(Paise(120000), Paise(114285), Paise(250000), 42))


def a_walk(**changes: object) -> Playing:
    """The buyer bids once and the seller walks."""
    return (
        Playing(a_scenario(**changes))
        .move("buyer", Offer(Paise(90000), "900."))
        .move("seller", Walk("No, thank you."))
    )


def store(
    playing: Playing,
    *,
    owner: str = "somebody",
    shared: bool = True,
    ended_at: dt.datetime = LONG_AGO,
) -> Game:
    """Keep a game with its whole log; a game that has not ended stays live."""
    scenario, ended = playing.scenario, playing.state.ended
    game = Game.objects.create(
        owner=owner,
        title=scenario.item.title,
        category=scenario.item.category,
        policy="sauda",
        policy_version="sauda@1",
        share_replay=shared,
        last_seq=len(playing.events),
    )
    if ended is not None:
        game.status = Game.Status.ENDED
        game.outcome = ended.outcome
        game.deal_price = ended.price
        game.rounds_used = ended.round
        game.ended_at = ended_at
        if ended.outcome == "deal":
            game.seller_share, game.buyer_share = ended.seller_share, ended.buyer_share
        game.save()
    SealedRecord.objects.create(game=game, scenario=msgspec.json.encode(scenario))
    EventRow.objects.bulk_create(
        _row(game, seq, event) for seq, event in enumerate(playing.events, start=1)
    )
    return game


def _row(game: Game, seq: int, event: Event) -> EventRow:
    row = EventRow(
        game=game,
        seq=seq,
        kind=event.__struct_config__.tag,
        payload=msgspec.json.encode(event),
    )
    if getattr(event, "actor", "") == "buyer":
        row.backend, row.policy_version, row.latency_ms = "rules", "sauda@1", 12
    return row
