"""A judged market in Chromium: choose the judge, argue, and read the verdict on the board."""

import re

from tests.support.browsing import Person, expect, has_no_sideways_scroll
from tests.support.market_pages import is_over, orders


def test_a_true_pitch_wins_a_round_and_big_words_win_none(asha: Person) -> None:
    page = asha.page
    page.goto("/market/judge/")
    expect(page.locator("#judge .try")).to_have_count(3)
    page.goto("/market/tasks/")
    page.get_by_role("radio", name=re.compile("^A full round")).check()
    page.get_by_label("Who plays Aravalli Lab?").select_option(label="You")
    page.get_by_label("Who judges pitches?").select_option("rule")
    orders(page, seed=1)
    expect(page.get_by_text("Nobody has pitched yet.")).to_be_visible()

    def speaks_up() -> None:
        if not page.get_by_label("Words").is_visible():
            page.locator("summary", has_text="Speak").click()

    def pitches(words: str) -> None:
        speaks_up()
        page.get_by_label("Words").fill(words)
        page.get_by_role("button", name="Make it a pitch").click()

    speaks_up()
    pitches(page.locator(".pitch-hint q").inner_text())
    hearing = page.locator(".court .hearing")
    expect(hearing).to_have_count(1)
    expect(hearing.locator("summary")).to_have_text("Round 1: Aravalli Lab")
    own = hearing.locator(".voice.of-lab_0")
    expect(own.locator(".findings .is-true")).not_to_have_count(0)
    expect(hearing.locator(".voice.of-lab_1 .findings")).to_have_count(0)
    pitches("URGENT critical deadline! Reliable, fair, evidence for a paper and a customer!")
    expect(hearing).to_have_count(2)
    expect(hearing.first.locator("summary")).not_to_have_text(re.compile("Aravalli"))
    row = page.locator(".court-scores tr.of-lab_0 td")
    expect(row.nth(1)).to_have_text("0.00")
    has_no_sideways_scroll(page)
    for round_ in (2, 3, 4):
        expect(page.locator(".now-round")).to_contain_text(f"Round {round_ + 1}")
        page.get_by_role("button", name="Wait").click()
    is_over(page)
    # Everything is open now: what was found in the others' words too.
    expect(page.locator(".court .voice.of-lab_1 .findings")).not_to_have_count(0)
