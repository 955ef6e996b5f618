"""The model server is killed and comes back in the middle of a game: only the voice changes."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.support.browsing import Person, expect
from tests.support.haggling import SLOPPY, Haggle, sells_the_book
from tests.support.model_answers import Say
from tests.support.modelled import Models, a_modelled_site


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Models]:
    # Unsteered: a model's own price is played whatever the sealed budget of the game is.
    patient = {"SAUDA_HF_TIMEOUT_S": "8", "SAUDA_TURN_BUDGET_S": "9", "SAUDA_STEER": "false"}
    with a_modelled_site(tmp_path_factory.mktemp("dying"), catalogue=True, **patient) as running:
        running.forget()
        running.ollama.stop()
        yield running


@pytest.fixture
def asha(chromium: Browser, models: Models) -> Iterator[Person]:
    with Person(chromium, models.site.url) as person:
        yield person
        person.saw_no_errors()


def speaks(models: Models, price: int, message: str, *, pause_s: float = 0.0) -> None:
    answer = {"action": "offer", "price": price, "message": message}
    models.hf.always(Say(json.dumps(answer), pieces=10, pause_s=pause_s))


def test_a_person_notices_nothing_but_the_voice(asha: Person, models: Models) -> None:
    speaks(models, 110, "Arre bhai 110 sahi rahega")
    haggle = sells_the_book(asha, models.site)
    for number, (words, _) in enumerate(SLOPPY[:5], start=1):
        if number == 2:
            models.hf.stop()
        if number == 4:
            models.hf.start()
            models.site.execute("delete from agents_breakerrow")
        haggle.says(words)
        haggle.my_turn(number + 1)
        all_is_well(haggle)
    voices = [name for name, _ in models.served(haggle.game_id)]
    assert voices == ["hf", "hf", "rules", "rules", "hf", "hf"]
    shown = haggle.numbers()
    assert shown == sorted(set(shown))
    haggle.walks()


def all_is_well(haggle: Haggle) -> None:
    haggle.connection("live")
    expect(haggle.page.locator("[data-error] .problem")).to_have_count(0)
    expect(haggle.words).to_have_value("")
    assert haggle.bids.last.locator(".words").inner_text().strip()


def test_words_are_seen_while_they_are_made(asha: Person, models: Models) -> None:
    speaks(models, 55, "Namaste ji, pehle mera daam suniye")
    haggle = sells_the_book(asha, models.site)
    # Low enough for every sealed budget: a bid above it would not be played, nor whispered; and
    # other words than those of the first bid, in Asha's language: else the bank speaks.
    speaks(models, 60, "Goodness, that is rather a lot of money for a book like this", pause_s=0.05)
    haggle.page.evaluate(
        """() => {
          window.whispered = [];
          const whisper = document.querySelector("[data-whisper]");
          new MutationObserver(() => window.whispered.push(whisper.textContent))
            .observe(whisper, { childList: true, characterData: true, subtree: true });
        }"""
    )
    haggle.says(SLOPPY[0][0])
    haggle.my_turn(2)
    whispered = haggle.page.evaluate(
        "() => window.whispered.filter((words) => words.startsWith('Goodness'))"
    )
    assert len(whispered) >= 2
    assert whispered == sorted(whispered, key=len)
    all_is_well(haggle)
