"""A person at the table who talks is answered, alone and never twice alike; nothing is closed."""

import pytest

from agents.output_guard.secrets import names_secret
from agents.speech.checks import is_in, opening_of
from agents.text.languages import Register
from arena.answering import remark_to
from arena.auction_game import Position
from arena.commands import Say, move_of
from arena.engine.making import make_match
from arena.engine.match import ArenaState, start
from arena.engine.scenario import Seat
from negotiation.engine.goods import SAMPLE_LISTINGS
from negotiation.errors import NoPrice

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
