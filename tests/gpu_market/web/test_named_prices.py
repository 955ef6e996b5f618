"""Prices that labs have named: what they bind, what they are worth, and what is said of them."""

import re
from typing import Any

import pytest
from django.test import Client

from arena.gpu_market.board.advice import LESS, LIKELY
from arena.gpu_market.web import market
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.yardsticks import best_known
from arena.models import MarketMatch
from bazaarbatna.market.events import JobRun, OfferMade
from bazaarbatna.market.first_trade import NEW
from negotiation.models import EventRow
from tests.gpu_market.web.test_advice import SUM
from tests.gpu_market.web.test_pages import acts, asha, at_once, opens, page

pytestmark = pytest.mark.django_db

__all__ = ["asha", "at_once"]

NEW_GPUS = {"action": "send_offer", "target_lab_id": "lab_1", "requested_block_ids": NEW}


@pytest.fixture(autouse=True)
def often(settings: Any) -> None:
    """Nobody is told to slow down."""
    settings.LIMITS = {**settings.LIMITS, "messages": "1000/second", "matches": "1000/second"}


def match_of(address: str) -> MarketMatch:
    return MarketMatch.objects.get(pk=address.strip("/").split("/")[-1])


def offered(address: str) -> list[int]:
    """What the person's offers paid, as the log has them."""
    rows = EventRow.objects.filter(game=match_of(address).pk).order_by("seq")
    made = [MARKET.event_from(row.payload) for row in rows]
    return [
        int(one.offer.payment)
        for one in made
        if isinstance(one, OfferMade) and one.offer.sender == "lab_0"
    ]


@pytest.mark.parametrize("waits", [0, 1])
@pytest.mark.parametrize("seed", [str(seed) for seed in range(6)])
def test_nobody_pays_more_than_the_lab_has_named(asha: Client, seed: str, waits: int) -> None:
    address = opens(asha, policy="you", task="first_trade", seed=seed)
    for payment in ("15", "22"):
        acts(asha, address, **NEW_GPUS, payment=payment)
    named = match_of(address).bids[-1]["counter"]
    for _ in range(waits):
        acts(asha, address, action="wait")
    html = acts(asha, address, **NEW_GPUS, payment=str(named // 100 + 12))
    assert offered(address) == [named]
    assert f"It had named {named // 100}, so that is all you offer." in html
    assert "The two new GPUs are yours." in html


def test_an_offer_that_came_too_late_is_not_said_to_be_made(asha: Client) -> None:
    address = opens(asha, policy="you", task="first_trade", seed="0")
    acts(asha, address, **NEW_GPUS, payment="22")
    late = {**NEW_GPUS, "payment": "95", "round": "2"}
    assert asha.post(f"{address}act/", late).status_code >= 400
    assert offered(address) == []
    assert [one["kind"] for one in match_of(address).bids] == ["far"]


def test_an_offer_below_the_named_price_is_made_as_it_is(asha: Client) -> None:
    address = opens(asha, policy="you", task="first_trade", seed="0")
    acts(asha, address, **NEW_GPUS, payment="55")
    named = match_of(address).bids[-1]["counter"]
    acts(asha, address, **NEW_GPUS, payment="60")
    assert named > 6_000
    assert offered(address) == [6_000]


@pytest.mark.parametrize("seed", ["3", "8", "0", "2"])
def test_a_price_heard_in_a_full_round_binds_and_stays_among_the_choices(
    asha: Client, seed: str
) -> None:
    address = opens(asha, policy="you", task="market_round", seed=seed)
    wanted = re.findall(
        r'name="target_lab_id" value="(lab_\d)"><input type="hidden" name="requested_block_ids" '
        r'value="(block_\d+)">',
        page(asha, address),
    )
    assert wanted
    lab, block = wanted[-1]
    offer = {"action": "send_offer", "target_lab_id": lab, "requested_block_ids": block}
    acts(asha, address, **offer, payment="5", asks="1")
    named = match_of(address).bids[-1]["counter"]
    budget = int(re.findall(r'desk-money"><span class="number">(\d+)', page(asha, address))[0])
    more = min(named // 100 + 3, budget)
    acts(asha, address, **offer, payment=str(more), final="1")
    assert offered(address) == [min(named, more * 100)]


def test_the_sum_beside_an_ask_is_the_mean_over_likely_prices(asha: Client) -> None:
    seen = 0
    for seed in range(12):
        html = page(asha, opens(asha, policy="you", task="market_round", seed=str(seed)))
        budget = int(re.findall(r'desk-money"><span class="number">(\d+)', html)[0])
        sums = [(int(now), int(ends)) for now, ends, _ in SUM.findall(html)]
        for at, part in enumerate(re.findall(r'<li class="choice is-.*?</li>', html, re.DOTALL)):
            block = re.findall(r'name="requested_block_ids" value="(\w+)"', part)
            if not block:
                continue
            less = LESS if 'name="block_ids"' in part else 0
            prices = [(price - less) // 100 for price in LIKELY]
            assert "credits on average" in part
            (worth,) = re.findall(
                rf"brings you (\d+) more(?:(?!brings you).)*?{block[0]}\"", html, re.DOTALL
            )
            others = max(ends for place, (_, ends) in enumerate(sums) if place != at)
            now, ends = sums[at]
            left = [
                max(now + int(worth) - price, others) if price <= budget else others
                for price in prices
            ]
            assert abs(ends - sum(left) / len(left)) <= 2
            seen += ends > others
    assert seen


@pytest.mark.parametrize("seed", range(15))
def test_no_answer_to_a_refused_offer_speaks_of_less_than_nothing(asha: Client, seed: int) -> None:
    address = opens(asha, policy="you", task="market_round", seed=str(seed))
    wanted = re.findall(
        r'name="target_lab_id" value="(lab_\d)"><input type="hidden" name="requested_block_ids" '
        r'value="(block_\d+)">',
        page(asha, address),
    )
    for lab, block in wanted[-1:]:
        offer = {"action": "send_offer", "target_lab_id": lab, "requested_block_ids": block}
        html = acts(asha, address, **offer, payment="40", final="1")
        if "refuses" not in html and "turns down" not in html and "To your 40" not in html:
            continue
        said = re.findall(r"To your 40 credits.*?<q>([^<]*)</q>", html, re.DOTALL)
        assert said, "a refused offer is answered"
        assert "−" not in said[0]


@pytest.mark.parametrize("seed", ["3", "11"])
def test_the_best_play_is_told_with_all_its_runs(asha: Client, seed: str) -> None:
    address = opens(asha, policy="you", task="market_round", seed=seed)
    html = acts(asha, address, action="finish")
    match = match_of(address)
    _, _, trades, events = best_known(MARKET.scenario_of(match.pk), tuple(match.seats), 0)
    runs = [one for one in events if isinstance(one, JobRun) and one.lab == "lab_0"]
    told = html.split("in your chair, so:")[1].split("</details>")[0]
    assert runs
    assert told.count(" runs its ") == len(runs)
    assert told.count("<li>") >= len(runs) + len(trades)


def test_an_eased_lab_says_so() -> None:
    words = market.answer_words("eased", 0, 4_000, 3_500)
    assert words == "40 was too little when you offered it. Now 35 will do."
