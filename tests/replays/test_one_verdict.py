"""One scale: whatever shows how a game ended, it says the same number, stars and sentence."""

import html
import re
from random import Random
from typing import Any

import msgspec
import pytest
from django.template.loader import render_to_string
from django.test import Client

from bazaarbatna.bargain.episode import legal_moves
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side, to_rupees
from bazaarbatna.bargain.scenario import SealedValues
from bazaarbatna.bargain.tells import Tells, TellSpan
from negotiation.bargain.continuation import Crossroads, move_of
from negotiation.bargain.recorded import record_of
from negotiation.bargain.scenarios import stored_scenario
from negotiation.bargain.sessions import side_of
from negotiation.bargain.terms import USUAL
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.outcome import outcome_of
from negotiation.bargain.web.seats import seat_of
from negotiation.models import Game
from replays.daily.results import Result as DailyResult
from replays.finished import replay_frames
from replays.grade import jobs
from replays.grade.moves import GradedMove, LineMove, candidates, grade_move, settled
from replays.grade.reasons import Seen, reason_of, say
from replays.grade.result import Result, result_of
from replays.grade.search import Effort
from replays.models import Grading
from replays.preview.card import card_of
from tests.support.finished import Playing, a_scenario, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db

GAMES = 500
REALLY_GRADED = 25
QUICK = Effort(first=1, kept=2, second=1, measured=3, tried=1, glance=2)
HURRY = "I need the money today"
LAST = {"You did not try one more price", "You left with nothing"}
LINES = ("", "", "1 of a kind, bhai", HURRY, "bas, last price")


def a_game(number: int, owner: str) -> Game:
    """A sale or a purchase over anything between no room and much, bargained without a plan."""
    dice = Random(number)
    reservation = dice.randrange(60_000, 170_000, 50)
    budget = reservation + dice.choice((-20_000, 0, 50, 100, 15_000, 40_000, 75_050))
    sealed = SealedValues(Paise(reservation), Paise(reservation), Paise(budget), number)
    playing = Playing(a_scenario(sealed=sealed, max_rounds=dice.choice((3, 6, 10))))
    while playing.state.to_move is not None:
        side, move = playing.state.to_move, a_move(playing, dice)
        playing.move(side, move)
        is_hurried = side == "seller" and isinstance(move, Offer) and move.text == HURRY
        if is_hurried and playing.state.ended is None:
            playing.tells(Tells(verbal_urgency=0.8), [TellSpan(2, 6, "verbal_urgency", 0.8, "")])
    game = store(playing, owner=owner)
    if number % 3 == 0:
        Game.objects.filter(pk=game.pk).update(
            kind="buy", seat=Game.Seat.BUYER, policy="seller:default"
        )
        game.refresh_from_db()
    return game


def a_move(playing: Playing, dice: Random) -> Move:
    state = playing.state
    side: Side = state.to_move  # type: ignore[assignment]
    sealed, low, high = state.scenario.sealed, state.standing_bid or 40_000, state.standing_ask
    price = Paise(dice.randrange(low, high + 1, 50)) if low < high else Paise(high)
    limit = sealed.reservation if side == "seller" else sealed.budget
    suits = price >= limit if side == "seller" else price <= limit
    offered = state.standing_bid if side == "seller" else high
    takes = offered is not None and (offered >= limit if side == "seller" else offered <= limit)
    if takes and "accept" in legal_moves(state, side) and dice.random() < 0.35:
        return Accept()
    own = high if side == "seller" else state.standing_bid
    if suits and price != (low if side == "seller" else high):
        return Offer(price, dice.choice(LINES))
    held = own is not None and (side == "seller" or own <= limit) and dice.random() < 0.8
    return Offer(Paise(own), dice.choice(LINES)) if held and own else Walk()


def graded(game: Game, dice: Random, *, really: bool) -> Result:
    """Grades of the person's moves: measured a little, or any that a search could have found."""
    record, side = record_of(game), str(game.seat)
    moves = []
    for seq, event in enumerate(record.events, start=1):
        if move_of(event) is None or getattr(event, "actor", "") != side:
            continue
        at = Crossroads(record, seq)
        moves.append(settled(grade_move(at, QUICK) if really else any_grade(at, dice), record))
    width = max(record.setting.zopa, 0)
    return result_of({"seller": width, "buyer": width}, moves)


def any_grade(at: Crossroads, dice: Random) -> GradedMove:
    better = [move for move in candidates(at.state, at.made) if not at.is_made(move)]
    loss = dice.choice((0.0, 0.02, 0.08, 0.3, 0.7)) if at.state.scenario.zopa > 0 else 0.0
    said = isinstance(at.made, Offer) and bool(at.made.text)
    words = dice.choice((0.0, 0.0, -0.4, 0.2)) if said and at.state.scenario.zopa > 0 else 0.0
    if not loss or not better:
        return GradedMove(at.seq, at.side, 0.5, 0.0, 0.1, words=words)
    move = dice.choice(better)
    kind = {Offer: "offer", Accept: "accept", Walk: "walk"}[type(move)]
    best = LineMove(at.side, kind, move.price if isinstance(move, Offer) else None)
    return GradedMove(at.seq, at.side, min(0.5, 1 - loss), loss, 0.9, best, (best,), words)


def read(page: str) -> tuple[str, str, str]:
    """Return number, stars and sentence as a page shows them; "" for what is not there."""
    number = re.search(r'verdict-number">(\d+)&nbsp;%', page)
    stars = re.search(r'verdict-stars"[^>]*>([★☆]*)<', page)
    sentence = re.search(r'<p class="lede">(.*?)</p>', page)
    found = (one[1] if one else "" for one in (number, stars, sentence))
    number_, stars_, sentence_ = found
    return number_, stars_, html.unescape(sentence_)


def reason_in(page: str) -> tuple[str, ...]:
    """Return title, fact and gain of the move that mattered most."""
    shown = re.search(
        r"The move that mattered most</p>\s*<h3>(.*?)</h3>\s*<p>(.*?)</p>"
        r'(?:\s*<p class="costly-better">(.*?)</p>)?',
        page,
        re.DOTALL,
    )
    assert shown is not None
    return tuple(html.unescape(re.sub(r"<[^>]*>|\s+", " ", one or "")) for one in shown.groups())


def amounts(text: str) -> set[float]:
    return {float(one.replace(",", "")) for one in re.findall(r"₹([\d,]+(?:\.\d+)?)", text)}


def said_in(game: Game, log: list[Any]) -> set[float]:
    """List the prices of a log, and by how much each side gave way between any two it was for."""
    found: set[float] = {0.0}
    for side in ("seller", "buyer"):
        own = [one["event"]["price"] for one in log if one["event"].get("actor") == side
               and one["event"]["kind"] in ("offer", "accept")]  # fmt: skip
        own = [log[0]["event"]["price"], *own] if side == "seller" else own
        found |= {*own, *(round(abs(one - two), 2) for one in own for two in own)}
    return found


def test_the_end_the_grades_and_the_cards_never_contradict_each_other(asha: Client) -> None:
    dice, owner = Random(11), key_of(asha)
    kinds: set[str] = set()
    ends: set[tuple[int, str]] = set()
    for number in range(GAMES):
        game = a_game(number, owner)
        seat, scenario, log = seat_of(game), stored_scenario(game), frames(game, side_of(game))
        result = graded(game, dice, really=number < REALLY_GRADED)
        Grading.objects.create(
            game=game, status="done", method=jobs.method(), result=msgspec.to_builtins(result)
        )
        outcome = outcome_of(log, scenario, seat)
        end = render_to_string(
            "negotiation/_outcome.html",
            {"outcome": outcome, "seat": seat, "game": game, "terms": USUAL},
        )
        answer = asha.get(f"/replays/{game.pk}/").content.decode()
        page = answer[answer.index('<section id="grades"') :]
        where = f"game {number}: {game.outcome} at {game.deal_price}"
        shown = read(end)
        assert shown == read(page), where
        number_, stars, sentence = shown
        assert sentence, where

        # The number is the share, the stars follow the number, the sentence the stars.
        is_deal, side = game.outcome == "deal", game.seat
        if scenario.zopa <= 0:
            assert (number_, stars) == ("", ""), where
            continue
        price = game.deal_price or 0
        sealed = scenario.sealed
        kept = price - sealed.reservation if side == "seller" else sealed.budget - price
        percent = 100 * kept / scenario.zopa if is_deal else 0.0
        assert abs(int(number_) - percent) <= 0.5 + 1e-6, where
        most = next(n for n in range(6) if int(number_) <= 20 * n)
        assert stars == "★" * most + "☆" * (5 - most), where
        assert (sentence in seat.praise) == is_deal, where
        if is_deal:
            assert sentence == seat.praise[5 - max(most, 1)], where
            (_, ours, _), (_, theirs, _) = card_of(game, replay_frames(game)).shares
            assert int(number_) == (ours if side == "seller" else theirs), where
            assert ours + theirs == 100
        if side == "seller":
            end = "deal" if is_deal else "left"
            daily = DailyResult(game.seller_share or 0.0, 1, (), (), end)
            assert (str(daily.verdict.percent), daily.verdict.starred) == (number_, stars), where
        ends.add((most, side))

        # The reason is one for both pages, and names nothing that the game does not bear.
        costly = asha.get(f"/replays/{game.pk}/costly/", headers={"HX-Request": "true"})
        title, fact, gain = reason_in(costly.content.decode())
        assert (title, fact, gain) == reason_in(page), where
        if not gain:
            continue
        kinds.add(title)
        missed = to_rupees(scenario.zopa) - (to_rupees(kept) if is_deal else 0)
        assert missed > 0.05 * to_rupees(scenario.zopa), where
        assert max(amounts(re.split("Played on|leaves you", gain)[-1])) <= missed + 1, where
        assert amounts(fact) <= said_in(game, log), (where, fact)
        is_own = log[-1]["event"]["by"] == side if not is_deal else True
        assert (title != "You walked too early") or (game.outcome == "walk" and is_own), where
        assert (title != "You took it too early") or is_deal, where
        is_last = f"Round {scenario.max_rounds} :" in fact
        assert not (is_last and "too early" in title), (where, fact)
        assert is_last or title not in LAST, (where, fact)
        if title == "You showed that you were pressed":
            assert any(one["event"].get("text") == HURRY for one in log), where
    assert {stars for stars, _ in ends} == set(range(6))
    assert {side for _, side in ends} == {"seller", "buyer"}
    assert kinds | LAST == set(say.texts("titles").values())


@pytest.mark.parametrize(("last_bid", "got"), [(12_100, 0), (12_600, 500)])
def test_only_what_came_after_the_named_move_was_got_for_it(last_bid: int, got: int) -> None:
    sealed = SealedValues(Paise(900_000), Paise(900_000), Paise(2_000_000), 1)
    playing = Playing(a_scenario(sealed=sealed, anchor=Paise(2_400_000)))
    playing.move("buyer", Offer(Paise(930_000))).move("seller", Offer(Paise(2_300_000)))
    playing.move("buyer", Offer(Paise(1_210_000))).move("seller", Offer(Paise(1_900_000)))
    playing.move("buyer", Offer(Paise(100 * last_bid))).move("seller", Offer(Paise(1_780_000)))
    playing.move("buyer", Walk())
    game = store(playing)
    seq = next(
        n for n, one in enumerate(playing.events, 1) if getattr(one, "price", 0) == 1_900_000
    )
    best = LineMove("seller", "offer", Paise(2_200_000))
    move = GradedMove(seq, "seller", 0.0, 0.3, 0.9, best, (best,), over=0.3)
    seen = Seen(frames(game, "seller"), "seller", "Sauda")
    found = reason_of(result_of({"seller": 1_100_000}, [move]), seen)
    assert found is not None
    assert f"From round 2 on you gave way by ₹5,200 in all and got ₹{got}." in found.fact


def test_a_yes_to_the_own_price_is_something_got() -> None:
    sealed = SealedValues(Paise(100_000), Paise(100_000), Paise(190_000), 1)
    playing = Playing(a_scenario(sealed=sealed))
    playing.move("buyer", Offer(Paise(100_000))).move("seller", Offer(Paise(195_000)))
    playing.move("buyer", Offer(Paise(120_000))).move("seller", Offer(Paise(170_000)))
    playing.move("buyer", Offer(Paise(120_000))).move("seller", Offer(Paise(140_000)))
    playing.move("buyer", Accept())
    game = store(playing)
    seq = next(n for n, one in enumerate(playing.events, 1) if getattr(one, "price", 0) == 170_000)
    best = LineMove("seller", "offer", Paise(190_000))
    move = GradedMove(seq, "seller", 0.4, 0.3, 0.9, best, (best,), over=0.3)
    seen = Seen(frames(game, "seller"), "seller", "Sauda")
    found = reason_of(result_of({"seller": 90_000}, [move]), seen)
    assert found is not None
    assert "From round 2 on you gave way by ₹550 in all and got ₹200." in found.fact


def test_whoever_kept_nothing_has_no_star_and_no_praise(chetan: Client) -> None:
    playing = Playing(a_scenario()).move("buyer", Offer(Paise(120_000))).move("seller", Accept())
    game = store(playing)
    moves = [GradedMove(n, "seller", 0.0, 0.0, 0.0) for n, one in enumerate(playing.events, 1)
             if move_of(one) is not None]  # fmt: skip
    told = msgspec.to_builtins(result_of({"seller": 50_000, "buyer": 50_000}, moves))
    Grading.objects.create(game=game, status="done", method=jobs.method(), result=told)
    page = chetan.get(f"/replays/{game.pk}/").content.decode()
    assert read(page)[:2] == ("0", "☆☆☆☆☆")
    assert "The seller: no other move that we tried would have brought more." in page
    assert "left nothing on the table" not in page


@pytest.mark.parametrize(
    ("last", "rounds", "title", "fact"),
    [
        (Accept(), 2, "You did not try one more price",
         "It was the last round, and one more price could still be named."),
        (Walk(), 2, "You left with nothing", "It was the last round, and ₹1,600 was on the table."),
        (Accept(), 3, "You took it too early", "The game has 3 rounds."),
        (Walk(), 3, "You walked too early", "₹1,600 was on the table when you left."),
    ],
)  # fmt: skip
def test_nothing_is_too_early_in_the_last_round(
    last: Move, rounds: int, title: str, fact: str
) -> None:
    playing = Playing(a_scenario(max_rounds=rounds)).move("buyer", Offer(Paise(100_000)))
    playing.move("seller", Offer(Paise(160_000))).move("buyer", last)
    game, best = store(playing), LineMove("buyer", "offer", Paise(140_000))
    move = GradedMove(4, "buyer", 0.2, 0.3, 0.9, best, (best,), over=0.3)
    seen = Seen(frames(game, "buyer"), "buyer", "Meena")
    found = reason_of(result_of({"buyer": 50_000}, [move]), seen)
    assert found is not None
    assert (found.title, found.fact) == (title, fact)
