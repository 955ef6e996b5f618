"""The picture of a replay says what happened, in letters that exist, whatever people typed."""

import io
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings
from PIL import Image

from bazaarbatna.bargain.scenario import Item, SealedValues
from negotiation.bargain.visibility import frames
from negotiation.models import Game
from replays.preview import canvas
from replays.preview.canvas import Canvas, runs_of, wrapped
from replays.preview.card import Card, Path, card_of, draw
from tests.support.finished import a_haggle, a_walk, store

CARD = Card(
    title="Brass lamp", players="A visitor sells, Sauda buys", ending="Sold to Sauda for ₹1,500",
    rest="₹2,000 asked, 3 rounds", tone="deal", currency="INR",
    paths=(Path("ask", ((0, 2000), (2, 1800), (5, 1500))), Path("bid", ((1, 1100), (5, 1500)))),
    meeting=(5, 1500), limits=(("reservation", 1200), ("budget", 1700)),
    shares=(("The seller", 60, "ask"), ("Sauda", 40, "bid")),
)  # fmt: skip


def picture(card: Card) -> Image.Image:
    image = Image.open(io.BytesIO(draw(card)))
    image.load()
    return image


def changed(**fields: Any) -> Card:
    return Card(**{name: getattr(CARD, name) for name in Card.__struct_fields__} | fields)


def test_the_picture_has_the_size_that_links_are_shown_in() -> None:
    image = picture(CARD)
    assert (image.size, image.format, image.mode) == ((1200, 630), "PNG", "RGB")


@pytest.mark.django_db
def test_a_card_tells_the_ending_of_any_game() -> None:
    narrow = SealedValues(120000, 114285, 100000, 7)  # type: ignore[arg-type]
    told = {}
    for name, game in {
        "deal": store(a_haggle()),
        "walk": store(a_walk()),
        "dollars": store(a_walk(item=Item("Lamp", currency="USD"), sealed=narrow)),
    }.items():
        card = card_of(game, frames(game, "replay"))
        told[name] = card.description
        assert picture(card).size == (1200, 630)
    assert told == {
        "deal": "Sold to Sauda for ₹1,500, ₹2,000 asked, 3 rounds. "
        "The seller 60 %, Sauda 40 % of what there was to share.",
        "walk": "No deal: the seller walked away, ₹2,000 asked, 1 round.",
        "dollars": "No deal: the seller walked away, $2,000 asked, 1 round.",
    }


@pytest.mark.django_db
def test_a_what_if_says_so() -> None:
    game = store(a_haggle())
    game.source = Game.Source.WHAT_IF
    assert card_of(game, frames(game, "replay")).players.startswith("What if")


def test_signs_that_no_letter_exists_for_leave_no_box() -> None:
    assert draw(changed(title="漢字 lamp \U000e0001")) == draw(changed(title="lamp"))


def test_without_any_font_installed_words_are_spelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas, "_font", lambda name, size: None)
    canvas._fonts.cache_clear()
    text = "".join(run for _, run in runs_of("बजाज कुकर for ₹500 — café", "display", 40))
    canvas._fonts.cache_clear()
    assert text == "bajaj kukar for Rs 500 - cafe"


@settings(max_examples=15, deadline=None)
@given(st.text(max_size=220), st.text(max_size=60))
def test_no_words_break_the_picture(title: str, players: str) -> None:
    assert picture(changed(title=title, players=players)).size == (1200, 630)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(st.floats(0.01, 1e9), min_size=1, max_size=9),
    st.lists(st.floats(0.01, 1e9), max_size=9),
    st.lists(st.floats(0.01, 1e9), max_size=2),
    st.integers(0, 100),
)
def test_no_prices_break_the_picture(
    asks: list[float], bids: list[float], limits: list[float], share: int
) -> None:
    paths = tuple(
        Path(role, tuple(enumerate(prices, start=at)))
        for role, prices, at in (("ask", asks, 0), ("bid", bids, 1))
    )
    card = changed(
        paths=paths, meeting=paths[0].points[-1], limits=tuple(("budget", p) for p in limits),
        shares=(("The seller", share, "ask"), ("Sauda", 100 - share, "bid")),
    )  # fmt: skip
    assert picture(card).size == (1200, 630)


@pytest.mark.parametrize("text", ["a b c " * 60, "x" * 200, "बहुत लंबा नाम " * 20, "one", ""])
def test_a_long_title_is_broken_and_ends_in_dots(text: str) -> None:
    canvas = Canvas("#ffffff")
    lines = wrapped(canvas, text, "display", 46, 1000, 2)
    assert len(lines) <= 2
    assert all(canvas.width(line, "display", 46) <= 1000 for line in lines)
    assert bool(lines and lines[-1].endswith("…")) == (len(text) > 100)
