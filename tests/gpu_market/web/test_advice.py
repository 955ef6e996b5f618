"""The market's one suggested move: among those the rules allow, and by the page's own numbers."""

import re
from html import unescape

import pytest
from django.test import Client

from arena.gpu_market.web import market
from tests.gpu_market.web.test_pages import asha, at_once, opens, page

pytestmark = pytest.mark.django_db

__all__ = ["asha", "at_once"]

PART = re.compile(r'<section class="advice".*?</section>', re.DOTALL)
FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


AGREE = re.compile(r"<form(?:(?!</form>).)*?Agree on", re.DOTALL)


def fields(part: str) -> dict[str, list[str]]:
    """What a form sends."""
    sent: dict[str, list[str]] = {}
    for name, value in FIELD.findall(part):
        sent.setdefault(name, []).append(value)
    sent.pop("csrfmiddlewaretoken", None)
    return sent


def advised(html: str) -> tuple[str, dict[str, list[str]]]:
    """The words of the advice, and what its button sends."""
    part = unescape((PART.search(html) or [""])[0])
    sent = fields(part)
    pressed = re.search(r'name="action" value="(\w+)"', part)
    if pressed:
        sent["action"] = [pressed[1]]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split()), sent


@pytest.mark.parametrize("task", ["market_round", "coalition_market"])
@pytest.mark.parametrize("seed", [3, 8, 21])
def test_every_advised_move_is_taken_at_once(asha: Client, task: str, seed: int) -> None:
    address = opens(asha, policy="you", task=task, seed=str(seed))
    moves = []
    for _ in range(12):
        html = page(asha, address)
        if 'id="result"' in html:
            break
        words, sent = advised(html)
        assert words.startswith("We would:"), words
        before = sent["round"]
        answer = asha.post(f"{address}act/", sent, follow=True)
        assert answer.status_code == 200, words
        html = answer.content.decode()
        if sent["action"] == ["send_offer"] and "final" not in sent and "data-problem" in html:
            # Too little: the lab has named its price, and the page says what to do about that.
            agreed = AGREE.search(html)
            sent = fields(agreed[0]) if agreed else advised(html)[1]
            html = asha.post(f"{address}act/", sent, follow=True).content.decode()
        after = advised(html)[1].get("round")
        assert after != before, f"it cost no turn, or was refused: {words}"
        moves.append(sent["action"][0])
    assert 'id="result"' in html
    assert set(moves) - {"wait"}, "it is not all waiting"


def test_what_labs_ask_is_no_part_of_the_advice_before_they_say_it(
    asha: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = opens(asha, policy="you", task="market_round", seed="3")

    def hidden(*told: object) -> None:
        pytest.fail("Nobody has bid anything.")

    monkeypatch.setattr(market, "asked_price", hidden)
    assert advised(page(asha, address))[0].startswith("We would:")


def test_nobody_is_advised_who_looks_on_or_plays_the_first_trade(asha: Client) -> None:
    demo = opens(asha, policy="rule_expert", task="market_round")
    first = opens(asha, policy="you", task="first_trade")
    assert not PART.search(page(asha, demo))
    assert not PART.search(page(asha, first))


def test_the_plan_says_which_shock_it_does_not_foresee(asha: Client) -> None:
    html = page(asha, opens(asha, policy="you", task="market_round", seed="3"))
    assert "You run Aravalli Lab." in html
    assert "Worth most is the" in html
    if "One job a round:" in html:
        assert "does not foresee a shock: capacity failure in round 4" in html
