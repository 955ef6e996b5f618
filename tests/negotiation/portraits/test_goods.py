"""Pictures of goods: everything that is for sale has one that fits."""

import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from django.template import Context, Template

import negotiation.catalogue
from bazaarbatna.bargain.goods import GOODS, SAMPLE_LISTINGS
from negotiation.models import Listing
from negotiation.portraits.goods.kinds import HUES, KINDS, OF_CATEGORY, PARCEL, goods_svg, kind_of

DATA = Path(negotiation.catalogue.__file__).parent / "data"
CATALOGUE = [
    (listing["title"], file["category"])
    for path in sorted(DATA.glob("*.toml"))
    for file in [tomllib.loads(path.read_text(encoding="utf-8"))]
    for listing in file["listing"]
]


def test_the_catalogue_is_the_one_that_is_shipped() -> None:
    assert len(CATALOGUE) >= 242


def test_everything_in_the_catalogue_is_named_by_a_word() -> None:
    """Not by its category: that would be a guess."""
    assert [title for title, _ in CATALOGUE if kind_of(title) == PARCEL] == []


def test_the_goods_of_the_tasks_have_pictures_too() -> None:
    assert [one.title for one in (*GOODS, *SAMPLE_LISTINGS) if kind_of(one.title) == PARCEL] == []


def test_no_drawing_is_for_nothing() -> None:
    used = {kind_of(title, category) for title, category in CATALOGUE}
    used |= {kind_of(one.title) for one in (*GOODS, *SAMPLE_LISTINGS)} | {PARCEL}
    assert set(KINDS) - used == set()
    assert len(used) >= 24


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Yamaha F310 acoustic guitar with bag", "guitar"),
        ("Voltas 1.5 ton split AC, 3 star, with stabiliser", "ac"),
        ("Kanjivaram silk saree, bottle green with temple border", "sari"),
        ("Harmonium, Pakrashi, scale changer, 9 scale", "harmonium"),
        ("Battery-operated ride-on jeep, 12 V, remote", "car"),
        ("HP Pavilion gaming laptop, Ryzen 5, GTX 1650", "laptop"),
        ("PUMP SHOES", "shoes"),
        ("Jewel box camera", "box-camera"),
        ("Steam iron cot", "bed"),
        ("Study table lamp", "desk-lamp"),
        ("cars", "car"),
        ("carpet", "carpet"),
        ("Painting of a car", "painting"),
        ("Thanjavur painting, butter Krishna, 15 x 12, gold foil", "painting"),
        ("Madhubani painting, mango and drum", "painting"),
        ("Board games lot: Business, Ludo, Scrabble, Scotland Yard", "board-games"),
        ("Full-size carrom board, Precise, 4 mm ply", "carrom"),
        ("Set of cups", "cups"),
        ("Scarcely used", PARCEL),
        ("", PARCEL),
        ("\u0939\u093e\u0930", PARCEL),
    ],
)
def test_the_thing_is_what_is_named_last_before_a_comma(title: str, kind: str) -> None:
    assert kind_of(title) == kind


def test_titles_without_end_take_a_bounded_place() -> None:
    assert kind_of.cache_info().maxsize is not None


def test_a_category_helps_where_the_title_says_nothing() -> None:
    assert kind_of("Chacha ji ki nishani", "Books") == "books"
    assert set(OF_CATEGORY.values()) <= set(KINDS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_drawing_is_wellformed_small_and_without_styles(kind: str) -> None:
    for seed in range(4):
        text = goods_svg(kind, seed)
        ElementTree.fromstring(text)
        assert len(text) < 5000
        assert "style=" not in text
        assert " id=" not in text


def test_a_seed_varies_a_picture_and_keeps_it() -> None:
    assert goods_svg("bicycle", 1) == goods_svg("bicycle", 1)
    assert len({goods_svg("bicycle", seed) for seed in range(24)}) > 20
    hues = {hue for hue in HUES for seed in range(60) if f"hue-{hue} " in goods_svg("chair", seed)}
    assert hues == set(HUES)


def test_a_colour_in_the_title_is_the_colour_of_the_picture() -> None:
    assert "hue-madder " in goods_svg("phone", "iPhone XR, 64 GB, red")
    assert "hue-indigo " in goods_svg("tent", "Quechua 2-person tent, blue")


def test_a_kind_that_is_gone_is_a_parcel() -> None:
    assert goods_svg("flying-carpet", 3) == goods_svg(PARCEL, 3)


def test_the_tag_takes_kinds_titles_listings_and_dicts() -> None:
    listing = Listing(title="Brass lamp, five wicks", category="Home")
    item = {"title": "Six Nilkamal chairs, maroon", "category": "Furniture"}
    text = (
        '{% load portraits %}{% goods "bicycle" seed=3 %}|{% goods listing %}|'
        '{% goods item title="x<y" %}'
    )
    bicycle, lamp, chairs = (
        Template(text).render(Context({"listing": listing, "item": item})).split("|")
    )
    assert bicycle == goods_svg("bicycle", 3)
    assert lamp == goods_svg(kind_of("Brass lamp, five wicks", "Home"), listing.title)
    assert "x&lt;y" in chairs
    assert "hue-madder" in chairs
