"""What the cards after a game say, over many games: nothing in them contradicts the rest."""

import re
from random import Random

import msgspec
import pytest
from django.template.loader import render_to_string
from django.test import Client

from bazaarbatna.bargain.events import OfferMade
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import Paise, Side
from bazaarbatna.bargain.scenario import Item, SealedValues
from negotiation.bargain.house import Others
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.outcome import Outcome, outcome_of
from negotiation.bargain.web.seats import BUYING, SELLING, facing
from negotiation.models import EventRow, Game
from replays.grade.moves import GradedMove, LineMove
from replays.grade.page import grades_page, table_of
from replays.grade.reasons import Seen, reason_of
from replays.grade.result import result_of
from tests.support.finished import Playing, a_scenario, a_walk, store
from tests.support.visitors import key_of

pytestmark = pytest.mark.django_db

GAMES = 60


def a_random_game(dice: Random) -> Playing:
    """Whole rupees, over a samosa or a scooter; now and then nothing suits both."""
    asked = dice.choice((12, 50, 900, 34_000))
    floor = dice.randint(asked // 3, asked - 1)
    budget = dice.randint(asked // 3, asked)
    sealed = SealedValues(
        Paise(100 * floor), Paise(100 * floor), Paise(100 * budget), 7, persona="people"
    )
    playing = Playing(
        a_scenario(sealed=sealed, anchor=Paise(100 * asked), item=Item("Samosa"), max_rounds=5)
    )
    ask, bid = asked, max(1, min(budget, asked // 3))
    while playing.state.ended is None:
        side: Side = playing.state.to_move or "seller"
        chance = dice.random()
        move: Move = Walk()
        if chance < 0.25 and (side == "seller" or playing.state.bids) and floor <= bid and ask:
            move = Accept() if side == "seller" or ask <= budget else Offer(Paise(100 * bid))
        elif chance < 0.95:
            if side == "seller":
                ask = max(floor, bid, ask - dice.randint(0, max(1, asked // 6)))
            else:
                bid = min(budget, ask, bid + dice.randint(0, max(1, asked // 6)))
            move = Offer(Paise(100 * (ask if side == "seller" else bid)))
        playing.move(side, move)
    return playing


def written(number: int) -> tuple[Outcome, str, Playing]:
    """Play one game and write its sheet for one of its seats, beside some of the house."""
    dice = Random(number)
    playing = a_random_game(dice)
    game = store(playing)
    plain = SELLING if number % 2 else BUYING
    seat = facing(plain, "Sauda" if number % 2 else "A stranger", "en")
    house = tuple(dice.choice((-1.0, 0.0, dice.random())) for _ in range(40))
    if number % 3 == 0:
        house = (dice.choice((-1.0, 1.0)),) * 40
    log = frames(game, seat.side)
    shown = outcome_of(log, playing.scenario, seat, Others(house=house))
    context = {"standing": shown.standing, "seat": seat, "is_deal": shown.verdict.is_deal}
    return shown, render_to_string("negotiation/_standing_rank.html", context), playing


@pytest.mark.parametrize("number", range(GAMES))
def test_no_line_of_a_sheet_contradicts_another(number: int) -> None:
    shown, rank, playing = written(number)
    told = {fact.name: f"{fact.value} {fact.rest}" for fact in shown.facts}
    assert "of ₹0" not in " ".join(told.values())
    counts = re.search(r"[Bb]etter than (\d+) of (\d+)", rank)
    if counts:
        assert int(counts[1]) < int(counts[2]), "better than 40 of 40 is better than all"
        assert 2 * int(counts[1]) >= int(counts[2]), "praise for a place in the lower half"
    assert "fair day" not in shown.verdict.sentence
    if "Who that was" in told:
        made = [one for one in playing.events if isinstance(one, OfferMade)]
        steps = {one.price for one in made if one.actor == "buyer"}
        seen = any(one.price < playing.scenario.anchor for one in made if one.actor == "seller")
        assert seen or len(steps) < 2, "nobody saw her step"


@pytest.mark.parametrize("number", range(GAMES))
def test_no_mistake_costs_nothing(number: int) -> None:
    """Whatever the grades measured: in a room of a few rupees a twentieth of it is no rupee."""
    dice = Random(1000 + number)
    playing = a_random_game(dice)
    log = frames(store(playing), "seller")
    own = [one["seq"] for one in log if one["event"].get("actor") == "seller"
           and one["event"]["kind"] in ("offer", "accept", "walk")]  # fmt: skip
    best = LineMove("seller", "offer", Paise(100 * dice.randint(5, 90)))
    moves = [
        GradedMove(
            seq, "seller", 0.2, dice.choice((0.0, 0.06, 0.3)), 0.5, best, (best,),
            words=dice.choice((0.0, -0.4)), over=dice.choice((0.0, 0.02, 0.06, 0.4)),
        )
        for seq in own
    ]  # fmt: skip
    width = dice.choice((100, 300, 900, 50_000))
    seen = Seen(log, "seller", "Golu", is_person=bool(number % 2))
    found = reason_of(result_of({"seller": width}, moves), seen)
    if found is not None:
        assert "₹0" not in found.gain
        assert not re.search(r"by ₹0\b.*by ₹0\b", found.fact)


def test_a_mistake_that_costs_a_rupee_is_still_told() -> None:
    """Otherwise the rule above would be kept by silence."""
    playing = a_random_game(Random(1))
    log = frames(store(playing), "seller")
    own = next(one["seq"] for one in log if one["event"].get("actor") == "seller"
               and one["event"]["kind"] in ("offer", "accept", "walk"))  # fmt: skip
    best = LineMove("seller", "offer", Paise(4000))
    move = GradedMove(own, "seller", 0.2, 0.3, 0.5, best, (best,), over=0.3)
    found = reason_of(result_of({"seller": 400}, [move]), Seen(log, "seller", "Golu"))
    assert found is not None
    assert "₹1 more" in found.gain


def test_a_stranger_is_no_name_within_a_sentence() -> None:
    seat = facing(BUYING, "A stranger", "en")
    assert seat.speak_to == "Your words to a stranger"
    assert ": a stranger answers" in seat.first_word
    assert seat.both.startswith("A stranger asks")
    assert facing(BUYING, "Meena", "en").speak_to == "Your words to Meena"
    told = [getattr(seat, name) for name in seat.__struct_fields__]
    assert not [one for one in told if isinstance(one, str) and re.search(r"\w A stranger", one)]


@pytest.mark.parametrize(
    ("why", "words"), [("closed", "table was closed"), ("absent", "away too long")]
)
def test_of_a_closed_table_nobody_is_said_to_have_walked_away(
    asha: Client, why: str, words: str
) -> None:
    game = store(a_walk(), owner=key_of(asha), shared=True)
    left = Game.objects.get(pk=game.pk)
    pages = (f"/replays/{left.pk}/", "/replays/?mine=1")
    assert all("walked away" in asha.get(one).content.decode() for one in pages)
    EventRow.objects.filter(game=game, kind="walk").update(backend=why)
    shown, listed = (asha.get(one).content.decode() for one in pages)
    assert words in shown
    assert "No deal: the table was closed" in listed
    for html in (shown, listed):
        assert not re.search(r"(walked away|walks away|somebody leaves)", _told(html))


def _told(html: str) -> str:
    """Leave out the forms of what-ifs, whose buttons offer to walk away."""
    return re.sub(r'(?s)<form class="what-if".*?</form>|<select.*?</select>', "", html)


@pytest.mark.parametrize(
    ("best", "error", "is_person", "words"),
    [
        (("accept", 1600), 0.0, False, "The game ends there, and it leaves"),
        (("accept", 1600), 0.0, True, "The game ends there, and it leaves"),
        (("offer", 1300, "accept"), 0.0, False, "It is taken at once, and leaves"),
        (("offer", 1300, "accept"), 0.02, False, "on average"),
        (("offer", 1300, "accept"), 0.0, True, "on average"),
        (("offer", 1300, "offer", "accept"), 0.0, False, "on average"),
    ],
)
def test_what_is_sure_is_told_without_an_average(
    best: tuple[str | int, ...], error: float, is_person: bool, words: str
) -> None:
    kind, price, *answers = best
    first = LineMove("buyer", str(kind), Paise(100 * int(price)))
    line = (first, *(LineMove("seller", str(one), first.price) for one in answers))
    playing = Playing(a_scenario()).move("buyer", Offer(Paise(100_000)))
    playing.move("seller", Offer(Paise(160_000))).move("buyer", Walk())
    move = GradedMove(4, "buyer", 0.0, 0.3, 0.9, first, line, error=error, over=0.3)
    seen = Seen(frames(store(playing), "buyer"), "buyer", "Meena", is_person=is_person)
    found = reason_of(result_of({"buyer": 50_000}, [move]), seen)
    assert found is not None
    assert words in found.gain
    assert found.is_exact is ("on average" not in found.gain)
    assert "₹150 more" in found.gain


@pytest.mark.parametrize(
    ("side", "seq", "rupees", "is_standing"),
    [
        ("seller", 3, 2000, True),
        ("seller", 3, 1900, False),
        ("seller", 5, 1600, True),
        ("seller", 5, 2000, False),
        ("buyer", 2, 2000, False),
        ("buyer", 4, 1000, True),
        ("buyer", 4, 1100, False),
    ],
)
def test_the_own_price_once_more_is_holding_it(
    side: Side, seq: int, rupees: int, is_standing: bool
) -> None:
    playing = Playing(a_scenario()).move("buyer", Offer(Paise(100_000)))
    playing.move("seller", Offer(Paise(160_000))).move("buyer", Offer(Paise(110_000)))
    game = store(playing.move("seller", Walk()))
    best = LineMove(side, "offer", Paise(100 * rupees))
    move = GradedMove(seq, side, 0.0, 0.3, 0.9, best, (best,), over=0.3)
    seen = Seen(frames(game, side), side, "Golu")
    assert seen.is_standing(move) is is_standing
    table = msgspec.structs.replace(table_of(game, "", seen.frames), seen=seen)
    (mark,) = grades_page(result_of({side: 50_000}, [move]), table).marks.values()
    assert ("hold at" in mark.better) is is_standing
