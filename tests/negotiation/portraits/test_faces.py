"""Characters: everybody who bargains has a name, a face that fits a small page, and one person."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from django.template import Context, Template

from bazaarbatna.bargain.sellers import SELLERS
from bazaarbatna.market.making import NAMES
from bazaarbatna.market.policies import registry
from negotiation.bargain.shops import SHOPS
from negotiation.policies import policies
from negotiation.portraits.characters import character, characters, stranger
from negotiation.portraits.face import MOODS, _drawn, face_svg


def drawn(text: str) -> str:
    return Template("{% load portraits %}" + text).render(Context())


@pytest.mark.parametrize("side", ["buyer", "seller"])
def test_everybody_who_is_registered_is_somebody(side: str) -> None:
    nameless = [one.name for one in policies(side) if not character(one.name).is_known]  # type: ignore[arg-type]
    assert nameless == []


def test_personas_labs_and_market_players_are_somebody_too() -> None:
    names = (*(f"rule:{one}@1" for one in SELLERS), *NAMES, *registry.names(), "lab-mini:sft@1#0")
    assert [name for name in names if not character(name).is_known] == []


def test_two_policies_of_the_ladder_are_two_people() -> None:
    rules = [one.name for one in policies("buyer") if one.name.startswith("rules:")]
    assert len({character(name).key for name in rules}) == len(rules)


def test_names_are_names_of_people_and_faces_are_told_apart() -> None:
    people = [
        one
        for one in characters().values()
        if one.key not in ("stranger", "stallholder", "visitor")
    ]
    assert all(re.fullmatch(r"[A-Z][a-z]+", one.name) for one in people)
    assert len({one.name for one in people}) == len(people)
    assert [(a.key, b.key) for a, b in combinations(people, 2) if a.face == b.face] == []


def test_a_temper_is_one_short_line() -> None:
    tempers = [one.temper for one in characters().values() if one.temper]
    assert max(map(len, tempers)) <= 70


def test_the_shops_and_the_characters_agree() -> None:
    for shop in SHOPS:
        person = character(shop.policy)
        assert (person.name, person.temper) == (shop.keeper, shop.line)


@pytest.mark.parametrize("key", sorted(characters()))
def test_a_face_is_small_wellformed_and_without_styles(key: str) -> None:
    for mood in MOODS:
        text = face_svg(characters()[key].face, mood)
        ElementTree.fromstring(text)
        assert len(text) < 4000
        assert "style=" not in text
        assert "<script" not in text
        assert " id=" not in text


def test_every_mood_has_another_face() -> None:
    faces = {face_svg(characters()["sauda"].face, mood).partition(">")[2] for mood in MOODS}
    assert len(faces) == len(MOODS)


def test_a_face_is_an_ornament_unless_it_is_named() -> None:
    assert 'aria-hidden="true"' in drawn('{% face "sauda" %}')
    named = drawn('{% face "sauda" mood="pleased" named=True %}')
    assert "<title>Sauda, pleased</title>" in named
    assert 'role="img"' in named


def test_a_title_cannot_bring_markup() -> None:
    assert "<b>" not in drawn('{% face "sauda" title="<b>x</b>" %}')


def test_a_mood_that_nobody_knows_is_calm() -> None:
    assert "is-calm" in drawn('{% face "sauda" mood="furious" %}')


def test_a_person_has_an_initial_and_never_a_face() -> None:
    for name, initial in (
        ("Rohit", "R"),
        ("sauda", "S"),
        ("\u092e\u0940\u0930\u093e", "\u092e"),
        ("<b>", "&lt;"),
    ):
        mark = drawn(f'{{% face "person:{name}" %}}')
        assert f">{initial}</text>" in mark
        assert "<path" not in mark


def test_a_stranger_keeps_a_colour() -> None:
    assert stranger("somebody's bot").face == stranger("somebody's bot").face
    assert len({stranger(f"bot {n}").face.back for n in range(20)}) > 5


def test_sauda_through_any_model_is_sauda() -> None:
    assert {character(name).key for name in ("sauda", "sauda:hf", "sauda:rules@1#f00")} == {"sauda"}


def test_strangers_without_end_take_a_bounded_place() -> None:
    assert _drawn.cache_info().maxsize is not None
