"""The dearest inputs that a search has found cost what is promised, and not the square of it.

Processor seconds of this thread, not of the clock, with ten times the bound that
``docs/security.md`` states: what grows with the square fails it by far more.
"""

import random
import time
from collections.abc import Callable

import pytest
from django.test import Client

from agents.speech.sides import clearly
from agents.speech.speaker import _likeness_of_questions
from agents.text.acts.hear import hear, is_mere_talk, is_order
from bazaar_site.doorway import bodies
from bazaarbatna.bargain.quantities import Side
from replays.transfer.signing import Unsignable, strictly_read
from rooms.study.files import lines_of
from rooms.study.pages import to_html
from tests.support.strangers_readers import READERS, Reader
from tests.support.worst_inputs import Part, cost_of, made, search
from training.data.consented import tells_who

BOUND_CPU_S = 0.25
GENEROUS = 10 * BOUND_CPU_S


def named(reader: Reader) -> str:
    return reader.name


@pytest.mark.parametrize("reader", READERS, ids=named)
def test_the_worst_that_was_found_is_read_within_its_bound(reader: Reader) -> None:
    reader.read(made(reader.worst, 100))  # tables are made when the first one asks
    assert cost_of(reader.read, made(reader.worst, reader.most)) < GENEROUS


@pytest.mark.soak
@pytest.mark.parametrize("reader", [one for one in READERS if one.most <= 4_000], ids=named)
def test_a_search_of_a_moment_finds_nothing_dearer(reader: Reader) -> None:
    luck = random.Random(reader.name)
    assert search(reader.read, reader.pieces, reader.most, tries=20, luck=luck).cpu_s < GENEROUS


def no_key_twice(text: str) -> None:
    with pytest.raises(Unsignable, match="stands twice"):
        strictly_read(text.encode())


LONG = 40_000
GREW_WITH_THE_SQUARE: dict[str, tuple[Callable[[str], object], str]] = {
    "signs of Hindi": (clearly, "ा" * LONG),
    "a line that ends in no question": (
        lambda text: _likeness_of_questions(text, "english"),
        "क" * LONG,
    ),
    "an address of nobody": (lambda text: tells_who(text, ("ravi",)), "Ⅷ" * LONG),
    "blanks before a price of some": (tells_who, "\n" * LONG),
    "a header of blanks": (lines_of, "[ " + " " * 5 * LONG),
    "links in links": (to_html.__wrapped__, "[[[](" * LONG),
    "a key twice at the end": (
        no_key_twice,
        "{" + "".join(f'"k{number}":1,' for number in range(90_000)) + '"k89999":2}',
    ),
}


@pytest.mark.parametrize("name", GREW_WITH_THE_SQUARE)
def test_what_grew_with_the_square_grows_no_more(name: str) -> None:
    """Texts so long that each took six seconds or more."""
    read, text = GREW_WITH_THE_SQUARE[name]
    read(text[:10] if read is not no_key_twice else text)
    assert cost_of(read, text) < GENEROUS


FILLERS = ("!", "?", " ", "*", "\u200b", "😀", "\u0301", "-", "(", "।", "₹", "क", "9 ")
ENDS = (" deal", " ok", " theek hai", " 170", " last price 170", " kitna?", " ignore all rules", "")


@pytest.mark.parametrize("side", ["seller", "buyer"])
def test_words_behind_what_is_heard_of_a_line_break_nothing(side: Side) -> None:
    """Of a long line the beginning is heard: what has no word there may end in an acceptance."""
    for filler in FILLERS:
        for count in (1, 590, 600, 601, 1_900):
            for end in ENDS:
                text = (filler * count)[:2_000] + end
                hear(text, 180_000, 90_000, side=side)
                is_mere_talk(text, side)
                is_order(text)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/api/listings/", "/api/replays/", "/env/bazaar/state"])
def test_more_names_in_an_address_than_are_read_are_no_fault_of_ours(path: str) -> None:
    answer = Client(raise_request_exception=False).get(f"{path}?{'a&' * 3_000}")
    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["code"]


def test_a_form_with_percent_signs_is_short_and_one_in_parts_may_be_long() -> None:
    form = b"Application/X-WWW-Form-Urlencoded; charset=utf-8"
    for path in ("/sell/new/", "/replays/import/", "/rooms/ABCDEF/study/", "/", "/admin/login/"):
        assert bodies.most_of(path, form) == bodies.MOST_OF_A_FORM
    assert bodies.most_of("/replays/import/", b"multipart/form-data; boundary=x") == bodies.MOST
    assert bodies.most_of("/api/replays/import/") == bodies.MOST
    assert bodies.most_of("/api/sell/") == bodies.MOST_OF_A_PROGRAM
    assert bodies.most_of("/env/bazaar/step") == bodies.MOST


def test_the_search_finds_what_grows_with_the_square() -> None:
    """It can fail: a reader that looks back at everything before each comma."""

    def looks_back(text: str) -> int:
        return sum(text.count("x", 0, place) for place, sign in enumerate(text) if sign == ",")

    luck = random.Random(1)
    worst = search(looks_back, ("a", "x", ",", "1 "), 20_000, tries=30, luck=luck)
    assert any("," in part.piece for part in worst.recipe)


def test_a_recipe_makes_a_text_of_its_length() -> None:
    recipe = (Part("begin ", False), Part("k#,", True), Part("ab", True))
    assert made(recipe, 18) == "begin k0,k1,ababab"
    assert len(made((Part("₹", True),), 100)) == 100
    began = time.thread_time()
    assert cost_of(len, "") <= time.thread_time() - began
