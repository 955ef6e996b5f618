"""A person at the table who talks is answered, alone and never twice alike; nothing is closed."""

import pytest

from agents.output_guard.secrets import names_secret
from agents.speech.checks import is_in, opening_of
from agents.text.languages import Register
from arena.auction.web.commands import Say, move_of, remark_to
from arena.auction.web.game import Position
from bazaarbatna.auction.events import AskLowered, Bid
from bazaarbatna.auction.making import make_match
from bazaarbatna.auction.match import ArenaState, start
from bazaarbatna.auction.scenario import Seat
from bazaarbatna.bargain.errors import NotYourTurn
from bazaarbatna.bargain.goods import SAMPLE_LISTINGS
from bazaarbatna.bargain.quantities import Paise
from negotiation.errors import NoPrice
from negotiation.games.live import Asked

TALK: dict[Register, tuple[str, ...]] = {
    "english": (
        "hello there", "is the bill there?", "any scratches on it?", "what is your last price?",
        "where do i pick it up?", "are you a bot?", "that is too expensive",
    ),
    "hinglish": (
        "namaste ji", "bill hai kya?", "koi scratch to nahi hai?", "last price kya hai?",
        "kahan se lena hai?", "aap robot ho kya?", "bahut mehnga hai bhai",
    ),
    "hindi": (
        "नमस्ते जी", "बिल है क्या?", "कोई खरोंच है?", "आख़िरी दाम क्या है?", "कहाँ से लेना है?",
        "आप रोबोट हैं?", "बहुत महँगा है",
    ),
}  # fmt: skip


def a_table(seed: int) -> ArenaState:
    seats = (Seat("Asha", "person", "", person=True), Seat("Smart", "rules:smart", "1"))
    state, _ = start(make_match(SAMPLE_LISTINGS[0], seats, "default", seed))
    return state


@pytest.mark.parametrize("language", TALK)
def test_what_a_person_says_is_answered_in_their_language(language: Register) -> None:
    for seed in range(7_000, 7_010):
        state, said = a_table(seed), []
        for text in TALK[language]:
            remark = remark_to(state, 0, text)
            assert remark
            assert is_in(remark, language)
            assert not names_secret(remark, state.scenario.sealed.reservation)
            assert opening_of(remark) not in map(opening_of, said)
            said.append(remark)


def test_the_answer_goes_to_the_person_and_closes_no_envelope() -> None:
    state = a_table(7_100)
    position = Position(1, (), state)
    with pytest.raises(NoPrice, match="take the ask of") as caught:
        move_of(position, 0, Say("hello there"))
    assert "There was no price" not in str(caught.value)
    assert state.pending[0] is None


def test_two_seats_hear_their_own() -> None:
    state = a_table(7_200)
    first = [remark_to(state, 0, "hello there") for _ in range(3)]
    assert len(set(first)) == 3
    assert remark_to(state, 1, "hello there")


def test_yes_confirms_a_price_of_this_round_only() -> None:
    state = a_table(7_300)
    price = Paise(state.asks[0] // 3)
    opened = Position(1, (), state)
    said = Say("haan", asked=Asked((price,), 1))
    assert move_of(opened, 0, said) == Bid(price, "haan")
    later = Position(3, (*[AskLowered(1, price)] * 3,), state)
    with pytest.raises(NotYourTurn, match="A new round has begun"):
        move_of(later, 0, said, seen=3)
