"""What-ifs of the market: another action in one turn, kept as a match of its own."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction

from arena.gpu_market.engine import Malformed, MarketAction, MarketEvent, fold
from arena.gpu_market.engine.events import TurnTaken
from arena.gpu_market.engine.quantities import LAB_IDS, to_credits
from arena.gpu_market.twins import STAND_IN, Fork, NoTurnHere, fork, gains
from arena.gpu_market.twins.seats import PERSON
from arena.gpu_market.web import appending, matches
from arena.gpu_market.web.errors import BadAction, NotOver, NoTurn
from arena.gpu_market.web.judge_rulings import before
from arena.gpu_market.web.players import Turn, check_here, trained_in
from arena.gpu_market.web.stored import position_of, stored_scenario
from arena.market_models import MarketMatch
from negotiation.games.stored_events import to_payload
from negotiation.models import Game, SealedRecord
from negotiation.statistics import paired_interval

PAIRS = 100
"""Paired continuations on other luck; a hundred take about 0.15 s for rules."""

PAIRS_OF_MODELS = 10
"""The same where a model plays, which takes some hundredths of a second for every turn."""


def fork_match(
    match_id: str,
    seq: int,
    action: MarketAction | Malformed,
    visitor: str,
    *,
    client: str = "",
    pairs: int | None = None,
) -> MarketMatch:
    """Put another action into a turn of a finished match and keep how it goes on.

    Args:
        match_id: the match.
        seq: the log's number of a ``turn`` event.
        action: what that lab does instead.
        visitor: session key of whoever asks.
        client: key of the address that asks.
        pairs: how many continuations on other luck are compared; None: as many as suit whoever
            plays.

    Raises:
        UnknownGame: there is no such match for this visitor.
        NotOver: it is still live.
        NoTurn: there is no turn with that number.
        BadAction: the action cannot be read.
        NoPlayer: whoever played a lab is gone.
    """
    match = matches.find(match_id, visitor)
    if not match.is_over:
        raise NotOver
    if isinstance(action, Malformed):
        raise BadAction(action.why)
    events = position_of(match.game).events
    scenario = stored_scenario(match.pk)
    seats = tuple(match.seats)
    check_here(seats)
    if pairs is None:
        pairs = PAIRS_OF_MODELS if trained_in(seats) else PAIRS
    try:
        found = fork(scenario, events, seq, action, seats)
        gained = gains(scenario, events, seq, action, seats, pairs=pairs)
    except NoTurnHere as wrong:
        raise NoTurn(str(wrong)) from wrong
    state = fold(scenario, found.events)
    with transaction.atomic():
        game = Game.objects.create(
            kind=matches.KIND,
            source=Game.Source.WHAT_IF,
            owner="",
            client=client,
            title=match.game.title,
            policy=match.game.policy,
            suite=match.game.suite,
            parent=match.game,
            forked_at_seq=seq,
            difference=_difference(found, gained, seats, scenario.sealed.seed),
            last_seq=len(found.events),
            **appending.ending(state),
        )
        child = MarketMatch.objects.create(
            game=game,
            task=match.task,
            seed=match.seed,
            options=match.options,
            # Where a person played, the stand-in took over.
            seats=[STAND_IN if who == PERSON else who for who in seats],
            owner=visitor,
            is_public=match.is_public,
            is_over=True,
            judge=match.judge,
            # A model is not asked about what never happened: there the rule judges alone.
            hearings=before(match.hearings, round_of(events, seq)),
        )
        SealedRecord.objects.create(game=game, scenario=to_payload(scenario))
        appending.store(appending.rows(game, 1, [Turn(state, found.events)]))
    return child


def round_of(events: Sequence[MarketEvent], seq: int) -> int:
    """Give the round of a turn, by its number in the log."""
    turn = events[seq - 1]
    assert isinstance(turn, TurnTaken)
    return turn.round


def _difference(
    found: Fork, gained: Sequence[int], seats: Sequence[str], seed: int
) -> dict[str, Any]:
    """Say what the action changed for its lab, in credits.

    ``exact`` is the difference on the match's own luck; mean, low and high (95 % of a bootstrap)
    are those of ``n`` pairs on other luck.
    """
    credits_ = [to_credits(one) for one in gained]
    spread = paired_interval(credits_, seed)
    return {
        "lab": LAB_IDS[found.lab],
        "exact": to_credits(found.difference),
        "mean": round(spread.mean, 2),
        "low": round(spread.low, 2),
        "high": round(spread.high, 2),
        "n": len(credits_),
        "utility": {
            "recorded": to_credits(found.recorded[found.lab]),
            "own": to_credits(found.own[found.lab]),
            "forked": to_credits(found.forked[found.lab]),
        },
        "stand_in": STAND_IN if PERSON in seats else None,
    }
