"""What is kept between two visitors is kept for each language."""

from pathlib import Path

import pytest
from django.test import Client

from bazaarbatna.word_tables import Phrase
from tests.support.pseudo import pseudo_hindi

pytestmark = pytest.mark.django_db


def test_pages_that_are_kept_are_kept_by_language(tmp_path: Path) -> None:
    english, hindi = Client(), Client(headers={"accept-language": "hi"})
    pages = ("/market/judge/", "/market/lab/", "/market/results/")
    with pseudo_hindi(tmp_path):
        before = [english.get(page).content.decode() for page in pages]
        told = [hindi.get(page).content.decode() for page in pages]
        after = [english.get(page).content.decode() for page in pages]
    assert "One position, argued three ways" in before[0]
    assert "What is so" in after[0]
    assert not [page for page in told if "What is so" in page]
    assert [len(page) for page in before] == [len(page) for page in after]


def test_a_phrase_is_said_by_whoever_shows_it() -> None:
    phrase = Phrase("%(who)s left", {"who": Phrase("Mira")})
    assert phrase.told() == "Mira left"
    assert (
        phrase.told({"%(who)s left": "%(who)s gaya", "Mira": "Meera"}.__getitem__) == "Meera gaya"
    )
