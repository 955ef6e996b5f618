"""Each term of the score of a game's words."""

from collections.abc import Callable

import pytest

from agents.buyers.sauda import Sauda
from agents.speech.voice import TONGUES
from bazaarbatna.bargain.moves import Accept, Move, Offer, Walk
from bazaarbatna.bargain.quantities import to_paise
from tests.support.judging_games import by_rule, scripted
from training.judging.speech import (
    TERMS,
    Line,
    _lines,
    fits_move,
    greets_once,
    has_fair_length,
    is_fresh,
    is_whole,
    keeps_register,
    names_own_price,
    speech_score,
    uses_known_words,
)

BID = Offer(to_paise(36))


def line(text: str, move: Move = BID, *, turn: int = 2, earlier: tuple[str, ...] = ()) -> Line:
    """Say something in a turn of a real game, whose seller has said things by then."""
    game = scripted(32, 33, 34)
    return Line(text, game.turns[turn].seen, move, earlier)


EARLIER = ("Aap thoda aaye, toh main bhi aati hoon: ₹32.",)


@pytest.mark.parametrize(
    ("term", "text", "worth"),
    [
        (is_fresh, "Okay okay, aapke liye: ₹36.", 1.0),
        (is_fresh, "Aap thoda aaye, toh main bhi aati hoon: ₹36!", 0.0),
        (is_fresh, "Aap thoda aur neeche, ₹36.", 0.5),
        (names_own_price, "₹36 le lijiye.", 1.0),
        (names_own_price, "Le lijiye.", 1.0),
        (names_own_price, "₹39 le lijiye.", 0.0),
        (greets_once, "Chaliye, ₹36.", 1.0),
        (greets_once, "Namaste ji! ₹36.", 0.0),
        (has_fair_length, "₹36 le lijiye.", 1.0),
        (has_fair_length, "ji", 0.0),
        (has_fair_length, "ji " * 50, 0.0),
        (is_whole, "Gol gol ghoom rahe hain hum. ₹36.", 1.0),
        (is_whole, "₹36 mein mein done.", 0.0),
        (is_whole, "Mera offer <pri hai.", 0.0),
        (is_whole, "₹36 (aur nahi.", 0.0),
        (is_whole, "Mera offer hai ₹", 0.0),
        (uses_known_words, "Okay, ₹36.", 1.0),
        (uses_known_words, "Aap blorf, main bhi aati hoon.", 0.5),
        (uses_known_words, "Okay blorf, ₹36.", 0.0),
        (is_whole, "Ab ₹36 ₹36.", 0.0),
        (fits_move, "₹36 pe aa jaiye.", 1.0),
        (fits_move, "Deal! ₹36. Aap toh expert nikle.", 0.0),
    ],
)
def test_a_term_is_worth(term: Callable[[Line], float], text: str, worth: float) -> None:
    assert term(line(text, earlier=EARLIER)) == worth


def test_a_greeting_is_welcome_in_the_opening() -> None:
    assert greets_once(line("Namaste ji! ₹36.", turn=0)) == 1.0


ENGLISH, HINGLISH, HINDI = (
    "My best price is this.",
    "Itna zyada mat boliye, final price batao.",
    "Aap thoda aur kijiye na.",
)


@pytest.mark.parametrize(
    ("turn", "worths"),
    [(1, (1.0, 0.5, 0.0)), (2, (0.0, 0.5, 1.0)), (3, (1.0, 0.5, 0.0))],
)
def test_the_register_follows_the_sellers_latest_words(
    turn: int, worths: tuple[float, ...]
) -> None:
    """They are English, then Hindi, then English again."""
    found = tuple(keeps_register(line(text, turn=turn)) for text in (ENGLISH, HINGLISH, HINDI))
    assert found == worths


def test_the_register_is_kept_while_the_seller_is_silent() -> None:
    assert keeps_register(line(ENGLISH, turn=0, earlier=(HINDI,))) == 0.0
    assert keeps_register(line(HINDI, turn=0, earlier=(HINDI,))) == 1.0
    assert keeps_register(line(ENGLISH, turn=0)) == 1.0
    assert keeps_register(line("₹36?", turn=0, earlier=(HINDI,))) == 1.0


@pytest.mark.parametrize(
    ("move", "fitting", "other"),
    [
        (Accept(), ("accepting", "accepting_unpriced"), ("concession", "pressure", "walking")),
        (Walk(), ("walking",), ("concession", "holding", "accepting")),
        (BID, ("opening", "concession", "closing"), ("walking", "accepting")),
    ],
)
def test_every_line_of_the_house_fits_its_own_moves_only(
    move: Move, fitting: tuple[str, ...], other: tuple[str, ...]
) -> None:
    slots = {"price": "₹36", "ask": "₹48", "item": "Steel tiffin"}
    for tongue in TONGUES.values():
        for pool in fitting:
            assert all(fits_move(line(t.format(**slots), move)) for t in tongue.lines[pool])
        for pool in other:
            assert not any(fits_move(line(t.format(**slots), move)) for t in tongue.lines[pool])


@pytest.mark.parametrize(
    "text", ["Thoda kam karo na, phir le lunga?", "I will take it if you go lower."]
)
def test_haggling_in_an_acceptance_does_not_fit(text: str) -> None:
    assert fits_move(line(text, Accept())) == 0.0


def test_the_weights_add_to_one_and_the_score_is_their_mean() -> None:
    assert sum(term.weight for term in TERMS) == pytest.approx(1.0)
    game = scripted((32, "Okay, ₹32."), (33, "ji"), Accept("Deal, pakka."))
    lines = _lines(game)
    terms = {one.name: sum(map(one.worth, lines)) / len(lines) for one in TERMS}
    assert terms["length"] == pytest.approx(2 / 3)
    assert speech_score(game) == pytest.approx(sum(t.weight * terms[t.name] for t in TERMS))


def test_a_silent_game_is_worth_nothing_and_the_house_speaks_almost_without_a_flaw() -> None:
    assert speech_score(scripted(32, 33, 34)) == 0.0
    scores = [speech_score(by_rule(Sauda, "single_deal@sampled-1", seed)) for seed in range(10)]
    assert min(scores) > 0.9
