"""The market's front page and its first trade as a newcomer meets them, before any script runs."""

import re
from html import unescape
from typing import Any

import msgspec
import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.utils.translation import override

from arena.gpu_market.board import drawing
from arena.gpu_market.board.drawing import board_context
from arena.gpu_market.board.parts import Board
from arena.gpu_market.board.wants import Wanted
from arena.gpu_market.web import matches, orders
from arena.gpu_market.web.game import MARKET
from arena.gpu_market.web.visibility import Facts, Viewer, shown
from arena.gpu_market.web.watching import Named
from arena.models import MarketMatch
from arena.templatetags.market import pitch
from bazaarbatna.market import MarketAction, MarketScenario, advance, apply, start
from bazaarbatna.market.first_trade import NEW, OLD, TRADERS, make_first_trade
from bazaarbatna.market.quantities import Cents
from tests.support.visitors import a_visitor

pytestmark = pytest.mark.django_db

CODE_NAMES = re.compile(r"\b(?:B\d+\b|(?:block|lab|job|offer|coalition)_\d|job \d|seed \d)")


@pytest.fixture
def asha() -> Client:
    """Asha, who has never traded."""
    return a_visitor()


@pytest.fixture(autouse=True)
def often(settings: Any) -> None:
    """Nobody is told to slow down."""
    settings.LIMITS = {**settings.LIMITS, "messages": "1000/second", "matches": "1000/second"}


def words_of(html: str) -> str:
    """The words of a page, without what is folded under technical names, and without its foot."""
    main = html[html.index("<main") : html.index("</main>")]
    main = re.sub(
        r'<details class="(?:more|strip-table|seal)[^>]*>.*?</details>', " ", main, flags=re.S
    )
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", main)))


def begins(client: Client, **fields: str) -> str:
    answer = client.post("/market/", {"task": "first_trade", "policy": "you", **fields})
    assert answer.status_code == 302, answer.content[-300:]
    return str(answer["Location"])


def acts(client: Client, address: str, **fields: object) -> str:
    answer = client.post(f"{address}act/", fields, follow=True)
    assert answer.status_code == 200, answer.content[-300:]
    return answer.content.decode()


def test_the_front_page_has_one_primary_button_and_no_jargon(asha: Client) -> None:
    html = asha.get("/market/").content.decode()
    assert html.count("button-primary") == 1
    words = words_of(html)
    assert len(words.split()) < 260
    for jargon in ("reward columns", "seed ", "archetype", "policy", "utility", "episode"):
        assert jargon not in words
    assert not CODE_NAMES.search(words)


@pytest.mark.parametrize("task", ["market_round", "coalition_market"])
def test_the_next_steps_seat_the_newcomer(asha: Client, task: str) -> None:
    answer = asha.post("/market/", {"task": task, "policy": "you"})
    words = words_of(asha.get(answer["Location"]).content.decode())
    assert "Your turn" in words
    assert "Round 1 of" in words
    assert not CODE_NAMES.search(words)


BIDS = (
    ("46", "You came up 6, so I come down 3: 70."),
    ("46", "You said 46 before, and I said no. 70."),
    ("47", "1 more is no step. 70, as before."),
    ("20", "You go down? Then I do not move: 70."),
    ("55", "That was a step. Here is mine: 66."),
)


def test_a_first_trade_is_played_to_its_verdict(asha: Client) -> None:
    address = begins(asha, seed="0")
    html = asha.get(address).content.decode()
    words = words_of(html)
    for wanted in ("You need", "You have", "Round 1: read the label", "95 % reliable"):
        assert wanted in words
    assert "label: 74 % reliable" in words
    assert "Take this swap" in words
    assert "you end with" not in words, "no button says what comes of it"
    assert 'name="payment" value' not in html, "nothing is suggested that would be refused"
    assert not CODE_NAMES.search(words)
    offer = {"action": "send_offer", "target_lab_id": "lab_1", "requested_block_ids": NEW}
    answer = asha.post(f"{address}act/", {**offer, "payment": "40"})
    words = words_of(answer.content.decode())
    assert answer.status_code == 200
    assert "Not for 40. Make it 73." in words
    assert "Agree on 73" in words
    assert "Agree on 73:" not in words
    assert "Round 1 of 3" in words, "it cost no turn"
    said = []
    for payment, wanted in BIDS:
        answer = asha.post(f"{address}act/", {**offer, "payment": payment})
        words = words_of(answer.content.decode())
        assert wanted in words
        said.append(words.split("Agree on")[0][-80:])
        assert f"{payment} credits for two new GPUs" in words.split("What happened")[1]
    assert len(set(said)) == len(said), "no two bids hear the same"
    words = words_of(acts(asha, address, **offer, payment="60"))
    assert "The two new GPUs are yours." in words
    assert "Run the whole job: 150" in words
    assert "to answer" not in words, "the page shows no offer any more"
    job = {"action": "allocate_to_job", "job_id": "job_0_0"}
    acts(asha, address, **job, block_ids=["block_0", NEW])
    assert "nothing is left to do" in words_of(asha.get(address).content.decode())
    words = words_of(acts(asha, address, action="finish"))
    assert "You made 90 of the 94 credits that could be had." in words, (
        "with the job run there is nothing to wait for"
    )
    assert "79\xa0% ★★★★☆ of what trading could add here" in words
    assert "Trading brought you 15: with no trade it would have been 75, with the" in words
    assert "you paid 60 for the new GPUs; in round 1 an offer of 56 is enough." in words
    assert "says yes to the first offer 3" in words
    assert "promises blocks and takes them back" in words
    assert "The label of the four" not in words, "nobody swapped"
    assert "Next market: three labs" in words
    assert not CODE_NAMES.search(words)
    match_id = address.strip("/").split("/")[-1]
    assert asha.get(f"/api/market/{match_id}/replay/").json()["match"]["task"] == "first_trade"


@pytest.mark.parametrize("seed", [str(seed) for seed in range(6)])
def test_no_answer_says_what_is_not_so_in_a_later_round(asha: Client, seed: str) -> None:
    address = begins(asha, seed=seed)
    offer = {"action": "send_offer", "target_lab_id": "lab_1", "requested_block_ids": NEW}
    match = MarketMatch.objects.get(pk=address.strip("/").split("/")[-1])
    for payment in ("20", "28"):
        asha.post(f"{address}act/", {**offer, "payment": payment})
    match.refresh_from_db()
    asked = match.bids[-1]["counter"] // 100
    acts(asha, address, action="wait")
    matches.step(match.pk)
    html = asha.get(address).content.decode()
    assert re.search(rf"Last time you offered 28, and \w+ wanted {asked}\.", words_of(html))
    words = words_of(asha.post(f"{address}act/", {**offer, "payment": "10"}).content.decode())
    match.refresh_from_db()
    now = match.bids[-1]["counter"] // 100
    assert now <= asked
    if now < asked:
        assert f"not {asked} any more, but {now}." in words
        assert "do not move" not in words
    else:
        assert f"You go down? Then I do not move: {asked}." in words


def test_what_was_said_of_the_old_gpus_is_set_beside_their_label(asha: Client) -> None:
    for seed, said in (("0", "95"), ("1", "90"), ("2", "")):
        address = begins(asha, seed=seed)
        words = words_of(acts(asha, address, action="finish"))
        assert ("Believe labels" in words) is bool(said)
        assert not said or f"you heard “{said} % reliable”" in words.replace("\xa0", " ")


def test_the_lab_speaks_of_its_swap_in_the_language_of_the_page() -> None:
    for trader in TRADERS:
        assert pitch(trader.pitch) == trader.pitch
        with override("hi"):
            assert re.search(r"[\u0900-\u097f]", pitch(trader.pitch))
    assert pitch("Whatever a person says.") == "Whatever a person says."


@pytest.mark.parametrize("trader", range(len(TRADERS)))
def test_no_part_of_the_first_trade_has_the_swaps_words_in_english_on_a_hindi_page(
    asha: Client, trader: int
) -> None:
    address = begins(asha, seed=str(trader))
    acts(asha, address, action="wait")
    english = TRADERS[trader].pitch
    plain, hindi = (
        unescape(asha.get(address, headers={"accept-language": language}).content.decode())
        for language in ("en", "hi")
    )
    assert plain.count(english) >= 2, "on the card, and in the log"
    assert english not in hindi
    with override("hi"):
        assert hindi.count(pitch(english)) == plain.count(english)


def test_refused_bids_are_told_to_whoever_made_them_alone(asha: Client) -> None:
    address = begins(asha, seed="0")
    offer = {"action": "send_offer", "target_lab_id": "lab_1", "requested_block_ids": NEW}
    asha.post(f"{address}act/", {**offer, "payment": "41"})
    told, bilal = "41 credits for two new GPUs", a_visitor()
    assert told in words_of(asha.get(address).content.decode())
    assert told not in words_of(bilal.get(address).content.decode())
    acts(asha, address, action="finish")
    assert told in words_of(asha.get(address).content.decode())
    assert told not in words_of(bilal.get(address).content.decode())
    match_id = address.strip("/").split("/")[-1]
    for kind in ("", "replay/"):
        assert "41.0" not in bilal.get(f"/api/market/{match_id}/{kind}").content.decode()


def test_the_first_offer_is_a_poor_one_and_the_page_says_so(asha: Client) -> None:
    address = begins(asha, seed="0")
    words = words_of(acts(asha, address, action="accept_offer", offer_id="offer_1_0_0"))
    assert "You swapped your GPUs for four that fail too often for your job." in words
    assert "None of your GPUs may run this job" in words
    for _ in range(2):
        words = words_of(acts(asha, address, action="wait"))
    assert "You made 3 of the 94 credits that could be had." in words
    assert "A lab that trades with nobody makes 75 here." in words


def test_the_page_reads_the_facts_of_the_first_trade_from_its_market(
    asha: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(seed: int) -> MarketScenario:
        scenario = make_first_trade(seed)
        [job] = scenario.sealed.jobs[0]
        jobs = ((msgspec.structs.replace(job, min_reliability=0.8),), scenario.sealed.jobs[1])
        blocks = tuple(
            msgspec.structs.replace(one, reliability=0.71) if one.id == OLD else one
            for one in scenario.blocks
        )
        labs = (scenario.labs[0], msgspec.structs.replace(scenario.labs[1], name="Deccan Models"))
        sealed = msgspec.structs.replace(scenario.sealed, jobs=jobs)
        return msgspec.structs.replace(scenario, blocks=blocks, labs=labs, sealed=sealed)

    monkeypatch.setattr(orders, "make_first_trade", other)
    address = begins(asha, seed="0")
    html = asha.get(address).content.decode()
    assert "Deccan Models" in html
    assert "Banyan" not in html
    acts(asha, address, action="accept_offer", offer_id="offer_1_0_0")
    for _ in range(2):
        words = words_of(acts(asha, address, action="wait"))
    assert "said 71 % reliable; your job needed 80." in words
    assert re.search(r"Deccan Models [a-z ]+\.", words)


def test_nothing_is_planned_for_a_board_that_does_not_show_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def planned(board: Board) -> tuple[Wanted, ...]:
        raise AssertionError("planned for nobody")

    monkeypatch.setattr(drawing, "wanted", planned)
    assert "first-other" in boards(make_first_trade(0))[0]


def test_a_verdict_is_for_the_player_alone(asha: Client) -> None:
    address = asha.post("/market/", {"task": "single_trade", "seed": "3", "policy": "rule_expert"})
    html = asha.get(address["Location"]).content.decode()
    assert "You made" not in html


def test_nobody_sees_a_strangers_first_trade(asha: Client) -> None:
    address = begins(asha)
    assert a_visitor().get(address).status_code == 404
    assert a_visitor().get(f"{address}board/").status_code == 404


def test_other_tasks_and_mixes_of_it_are_refused(asha: Client) -> None:
    for wrong in ({"reward": "published"}, {"options": ["sudden_supply"]}, {"lab": 2}):
        answer = asha.post(
            "/api/market/",
            {"task": "first_trade", "policy": "you", **wrong},
            content_type="application/json",
        )
        assert answer.status_code == 422, wrong


def otherwise(scenario: MarketScenario) -> MarketScenario:
    """The same market to its player: inside, the rival has other jobs, money and strictness."""
    sealed = scenario.sealed
    job = msgspec.structs.replace(sealed.jobs[1][0], hours=2, base_value=Cents(9_100), deadline=2)
    changed = msgspec.structs.replace(
        sealed,
        budgets=(sealed.budgets[0], Cents(12_300)),
        jobs=(sealed.jobs[0], (msgspec.structs.replace(job, note="customer incident"),)),
        archetypes=("selfish", "selfish"),
        strictness=(0.0, 0.1),
    )
    return msgspec.structs.replace(scenario, sealed=changed, salt="0" * 32)


def boards(scenario: MarketScenario) -> list[str]:
    """The board of the player in rounds 1 and 2, after an offer that nobody takes."""
    state, events = start(scenario)
    log = [*events]
    drawn = [_drawn(scenario, log)]
    low = MarketAction(
        "send_offer", target_lab_id="lab_1", requested_block_ids=(NEW,), payment=Cents(500)
    )
    state, events = apply(state, 0, low)
    log += events
    state, events = advance(state, (0,))
    return [*drawn, _drawn(scenario, [*log, *events])]


def _drawn(scenario: MarketScenario, log: list[Any]) -> str:
    viewer, facts = Viewer("lab", 0), Facts(scenario, ("person", "archetype"))
    context = board_context(shown(list(enumerate(log, 1)), facts, viewer), None)
    return render_to_string("market/_board.html", context | {"match": Named("abc", None)})


@pytest.mark.parametrize("seed", range(3))
def test_what_the_rival_hides_changes_no_letter_of_the_page(seed: int) -> None:
    scenario = make_first_trade(seed)
    assert boards(scenario) == boards(otherwise(scenario))


def test_the_sealed_values_are_nowhere_in_the_live_page(asha: Client) -> None:
    for seed in range(3):
        address = begins(asha, seed=str(seed))
        sealed = MARKET.scenario_of(address.strip("/").split("/")[-1]).sealed
        for path in ("", "board/"):
            html = asha.get(address + path).content.decode()
            assert str(sealed.seed) not in html
            assert sealed.archetypes[1].replace("_", " ") not in html
            for word in ("benchmark", "job_1_0", "best trade", "strictness"):
                assert word not in html


def bar_of(html: str) -> int:
    """How much of its bar of 100 the goal has filled."""
    return int(re.findall(r'class="goal-sure" width="(\d+)"', html)[0])


def test_what_gives_up_the_trade_asks_once_and_the_bar_is_not_full_of_it(asha: Client) -> None:
    address = begins(asha, seed="0")
    html = asha.get(address).content.decode()
    asks = re.compile(
        r'<summary class="button[^>]*>(Run half[^<]*|Do nothing[^<]*)</summary>'
        r"<p>(That ends the game[^<]*)</p>\s*<button[^>]*>([^<]*)</button></details>"
    )
    [(button, said, sure)] = asks.findall(html)
    assert (button, sure) == ("Run half the job: 75", "Run it and give up the trade")
    assert "it would bring 75 more" in said
    job = {"action": "allocate_to_job", "job_id": "job_0_0"}
    html = acts(asha, address, **job, block_ids=["block_0"])
    assert "You stand at 75" in words_of(html)
    assert bar_of(html) == 50, "without a trade half is made, and the goal is more than that"
    again = begins(asha, seed="0")
    for _ in range(2):
        html = acts(asha, again, action="wait")
    assert [found[0] for found in asks.findall(html)] == ["Do nothing and end"]
    assert "Run half the job: 75</button>" in html, "no trade helps any more: nothing to ask"


def test_the_headline_is_the_last_answer_and_no_formula_is_on_the_wall(asha: Client) -> None:
    address = begins(asha, seed="0")
    offer = {"action": "send_offer", "target_lab_id": "lab_1", "requested_block_ids": NEW}
    formula = re.compile("half as much|by 5 ")
    for payment, wanted in (("40", "Make it 73."), ("46", "I come down 3: 70.")):
        html = asha.post(f"{address}act/", {**offer, "payment": payment}).content.decode()
        [headline] = re.findall(r'<p class="now-words">([^<]*)</p>', html)
        assert headline.endswith(wanted)
        assert not formula.search(words_of(html).split("What happened")[0])
    acts(asha, address, **offer, payment="70")
    acts(asha, address, action="allocate_to_job", job_id="job_0_0", block_ids=["block_0", NEW])
    assert formula.search(words_of(acts(asha, address, action="finish")))
