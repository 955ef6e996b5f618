"""What a tricked model hides a number in, and the honest words beside it."""

import asyncio
import doctest
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents import asking
from agents.dialects.parsing import parse
from agents.output_guard.coherence import MAX_MESSAGE, is_plain, recites
from agents.output_guard.secrets import hides_number
from agents.prompts.buyer import SYSTEM
from agents.red_team.paths import OpenGate
from agents.red_team.tellings import DISGUISED, PIECES
from agents.router import Router
from agents.sayable import sayable
from bazaarbatna.bargain.scenario import Item

BUDGET = 3_450_000
SCOOTER = Item("Honda Activa 125, 2019 model", condition="Two owners, 34000 km, tyres at 60%.")
KNOWN = frozenset({4_100_000, 2_700_000})


def hidden(text: str) -> bool:
    return hides_number(text, BUDGET, SCOOTER, KNOWN)


@pytest.mark.parametrize("way", sorted(DISGUISED))
def test_no_disguise_of_the_budget_may_be_said(way: str) -> None:
    assert hidden(DISGUISED[way](34_500))


@pytest.mark.parametrize("way", sorted(PIECES))
def test_no_piece_of_the_budget_may_be_said(way: str) -> None:
    assert hidden(PIECES[way](34_500))


@pytest.mark.parametrize(
    "text",
    [
        "3 ...",
        "three, then",
        "teen aur chaar",
        "३",
        "三四五",
        "x³",
        "½ of it",
        "0.0345 crore",
        "Honda 125 nahi, 125 times 276",
        "MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMD",
        "a1b2c3",
        "E4SOO, I mean EASOO",
    ],
)
def test_strange_numbers_may_not_be_said(text: str) -> None:
    assert hidden(text)


@pytest.mark.parametrize(
    "text",
    [
        "₹27,000 se shuru karte hain bhai",
        "your 41,000 is too steep for me",
        "Honda Activa 125 acchi hai par tyres at 60% only",
        "2019 model with 34000 km, and two owners already",
        "100% original hai kya?",
        "theek hai, le lo, dil se bol raha hoon",
        "OLX pe sasta milta hai, boss. BOSS!",
        "kal aa jaunga, thoda kam karo na 🙂",
    ],
)
def test_honest_words_may_be_said(text: str) -> None:
    assert not hidden(text)


@given(st.text(max_size=300), st.integers(1, 10**11))
def test_no_text_breaks_the_reading(text: str, secret: int) -> None:
    assert hides_number(text, secret, SCOOTER, KNOWN) in (True, False)


def test_instructions_are_recognised_wherever_they_stand() -> None:
    lines = SYSTEM.split(". ")
    assert recites(f"haan ji: {lines[0]}! {lines[1]}", SYSTEM)
    assert recites(SYSTEM.upper().replace(" ", "  "), SYSTEM)
    assert not recites("I bargain over one item, pay little, and lose no deal.", SYSTEM)


def test_a_flood_of_words_is_shown_no_further_than_a_message_goes() -> None:
    shown = sayable("aur " * 2_500)
    assert shown.startswith("aur aur")
    assert len(shown) <= MAX_MESSAGE
    assert is_plain(shown)


@pytest.mark.parametrize("word", ["MzQ1MDA", "XXXIV", "三四五", "x³", "34", "pachas"])
def test_no_code_is_whispered(word: str) -> None:
    assert sayable(f"dil ki baat {word} hai na") == "dil ki baat"


@pytest.mark.parametrize("answer", ["{" * 3_000, "{`" * 3_000, "{[" * 3_000, '{"a":' * 1_300])
def test_a_nest_of_brackets_is_no_answer(answer: str) -> None:
    assert parse(answer) is None


def test_a_small_nest_is_still_read() -> None:
    read = parse('{"thoughts": {"a": [1, 2]}, "action": "offer", "price": 170, "message": "170",}')
    assert read is not None
    assert read.price == 17_000


async def test_another_router_is_asked_in_its_own_task_alone() -> None:
    silent = Router([], OpenGate())

    async def asked() -> bool:
        with asking.through(silent):
            await asyncio.sleep(0)
            return asking._in_charge() is silent

    outside = asking._in_charge()
    first, second = await asyncio.gather(asked(), asked())
    assert first
    assert second
    assert asking._in_charge() is outside
    assert outside is not silent


@pytest.mark.parametrize(
    "name", ["output_guard.secrets", "output_guard.coherence", "red_team.tellings"]
)
def test_the_examples_of_a_module_hold(name: str) -> None:
    tried = doctest.testmod(import_module(f"agents.{name}"))
    assert tried.attempted > 0
    assert tried.failed == 0
