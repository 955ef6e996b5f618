"""The market's pages as the server renders them, before any script runs."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from arena.gpu_market.board.action_words import EXAMPLES
from arena.gpu_market.web import market
from arena.gpu_market.web.game import MARKET
from arena.models import MarketMatch
from bazaarbatna.market import ACTION_NAMES, COLUMNS, TASK_NAMES
from tests.support.visitors import a_visitor

pytestmark = pytest.mark.django_db

HOSTILE = ("-1", "99999999999999999999", "٣", "abc", "1' or '1'='1", "<script>", "%00", "1e3", "")


@pytest.fixture(autouse=True)
def at_once(settings: Any) -> None:
    """Demos are played to their end in the request that starts them."""
    settings.MARKET_PACE_S = 0
    settings.LIMITS = {**settings.LIMITS, "messages": "1000/second", "matches": "1000/second"}


@pytest.fixture
def asha() -> Client:
    """Asha, who plays."""
    return a_visitor()


@pytest.fixture
def chetan() -> Client:
    """Chetan, who must not see what is hers."""
    return a_visitor()


def opens(
    client: Client, policy: str = "rule_expert", task: str = "coalition_market", seed: str = ""
) -> str:
    """Start a market with a known world; gives its address."""
    seed = seed or ("15" if policy == "you" else "11")
    answer = client.post("/market/", {"task": task, "seed": seed, "policy": policy})
    assert answer.status_code == 302, answer.content[-300:]
    return str(answer["Location"])


def page(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, address
    return unescape(answer.content.decode())


def acts(client: Client, address: str, **fields: object) -> str:
    """Send one action by form and give the page that follows."""
    answer = client.post(f"{address}act/", fields, follow=True)
    assert answer.status_code == 200, answer.content[-400:]
    return unescape(answer.content.decode())


def test_the_pages_for_researchers_say_what_the_code_says(asha: Client) -> None:
    html = page(asha, "/market/actions/") + page(asha, "/market/rewards/")
    for name in (*ACTION_NAMES, *COLUMNS):
        assert f"<code>{name}</code>" in html
    for example in EXAMPLES:
        assert example.json in html
    tasks = page(asha, "/market/tasks/")
    for name in TASK_NAMES:
        assert f"<code>{name}</code>" in tasks
    assert "capacity failure in round 4" in tasks


def test_a_fresh_site_has_a_market_to_show(asha: Client) -> None:
    html = page(asha, "/market/")
    address = (re.search(r'href="(/market/\w{8,}/)"', html) or [""])[1]
    assert "Deccan Models made most of it" in html
    assert "Deccan Models made 120 credits." in page(asha, address)
    page(asha, "/market/")
    assert MarketMatch.objects.count() == 1


def test_the_front_page_shows_the_newest_market(asha: Client) -> None:
    address = opens(asha)
    html = page(asha, "/market/")
    assert f'href="{address}"' in html
    assert "Lately" in html


@pytest.mark.parametrize(
    "wrong",
    [
        {"seed": "-3"},
        {"seed": "lamp"},
        {"seed": "9" * 30},
        {"task": "no_such_task"},
        {"policy": "sauda; drop table"},
        {"task": "<script>"},
    ],
    ids=str,
)
def test_a_wrong_form_comes_back_with_words(asha: Client, wrong: dict[str, str]) -> None:
    form = {"task": "single_trade", "seed": "3", "policy": "rule_expert"} | wrong
    for address in ("/market/", "/market/tasks/"):
        answer = asha.post(address, form)
        assert answer.status_code == 422
        assert 'role="alert"' in answer.content.decode()
    assert not MarketMatch.objects.exclude(owner="").exists()


def test_a_finished_market_is_open_to_everybody(asha: Client, chetan: Client) -> None:
    address = opens(asha)
    for client in (asha, chetan, Client()):
        html = page(client, address)
        assert "Deccan Models made 120 credits." in html
        assert "seed 11" in html
        assert "coalition_market" in html
        assert "retaliatory" in html
        assert "Check the seal" in html
        assert "who could claim what" in html
        assert "the exact solver found it for every group" in html


def test_a_page_without_time_for_the_solver_says_who_answered(
    asha: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(market, "WITHIN_S", 0)
    html = page(asha, opens(asha))
    assert "the engine’s quick planner finds, an estimate" in html
    assert "the exact solver found" not in html


def test_a_market_is_explained_once(asha: Client) -> None:
    match_id = opens(asha).strip("/").split("/")[-1]
    first = market.explained(match_id)
    assert first
    assert market.explained(match_id) is first


def test_a_page_does_not_wait_long_for_a_solver_that_is_busy(
    asha: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = opens(asha).strip("/").split("/")[-1]
    monkeypatch.setattr(market, "WITHIN_S", 0.01)
    with market._solving:
        assert not any(one.exact for one in market.explained(match_id))
    monkeypatch.setattr(market, "WITHIN_S", 60)
    assert all(one.exact for one in market.explained(match_id))


def test_the_scrubber_shows_the_board_of_a_moment(asha: Client) -> None:
    address = opens(asha)
    whole = page(asha, f"{address}board/")
    stops = (re.search(r'data-stops="([\d ]+)"', whole) or [""])[1].split()
    assert len(stops) > 15
    first = page(asha, f"{address}board/?until={stops[0]}")
    assert f'data-seq="{stops[0]}"' in first
    assert "Capacity failure" not in first
    assert "Capacity failure" in whole
    assert page(asha, f"{address}?until={stops[3]}").count(f'data-seq="{stops[3]}"') == 1


@pytest.mark.parametrize("asked", HOSTILE)
def test_a_hostile_moment_is_the_newest_one_or_the_first(asha: Client, asked: str) -> None:
    address = opens(asha, task="single_trade")
    for path in (address, f"{address}board/"):
        answer = asha.get(path, {"until": asked})
        assert answer.status_code == 200
        assert "<script>alert" not in answer.content.decode()


@pytest.mark.parametrize("asked", [one for one in HOSTILE if one != ""])
def test_a_hostile_twin_or_turn_is_not_there(asha: Client, asked: str) -> None:
    address = opens(asha, task="single_trade")
    assert asha.get(f"{address}twin/", {"shock": asked}).status_code == 404
    assert asha.get(f"{address}what-if/", {"seq": asked}).status_code == 404


@pytest.mark.parametrize("path", ["", "board/", "twin/", "what-if/?seq=1"])
def test_a_market_that_is_not_there_is_a_404(asha: Client, path: str) -> None:
    page(asha, f"/market/nothinghere1/{path}", 404)
    page(asha, f"/market/..%2f..%2fetc/{path}", 404)


def test_a_persons_market_is_hers_alone(asha: Client, chetan: Client) -> None:
    address = opens(asha, "you")
    assert "Your turn" in page(asha, address)
    for client in (chetan, Client()):
        page(client, address, 404)
        page(client, f"{address}board/", 404)
        assert client.post(f"{address}act/", {"action": "wait"}).status_code == 404


def test_a_live_page_tells_nothing_that_is_sealed(asha: Client) -> None:
    address = opens(asha, "you")
    for _ in range(3):
        html = acts(asha, address, action="wait")
    scenario = MARKET.scenario_of(address.strip("/").split("/")[-1])
    sealed = scenario.sealed
    for path in ("", "board/"):
        html = page(asha, address + path)
        assert str(sealed.seed) not in html
        assert scenario.salt not in html
        assert "seed 15" not in html
        for budget in sealed.budgets[1:]:
            assert f"{budget / 100:.2f}" not in html
        for kind in ("energy spike of round 7", "Demand surge", "What if it had not struck"):
            assert kind not in html
        for name in set(sealed.archetypes[1:]):
            assert name.replace("_", " ") not in html
        others = [job for jobs in sealed.jobs[1:] for job in jobs]
        assert not any(f"{job.value / 100:,.2f}" in html for job in others)
    page(asha, f"{address}twin/", 404)
    page(asha, f"{address}what-if/?seq=3", 404)


def test_a_lab_is_played_to_the_end_without_scripts(asha: Client) -> None:
    address = opens(asha, "you")
    html = acts(asha, address, action="accept_offer", offer_id="offer_3_0_0", round=0)
    assert "Deal: Deccan Models gives you 4 GPUs in rounds 7–8 (no. 2) and 5 credits for" in html
    html = acts(asha, address, action="allocate_to_job", job_id="job_0_0", block_ids=["block_1"])
    assert "Aravalli Lab runs its paper run (2 GPU-hours) on" in html
    for _ in range(7):
        html = acts(asha, address, action="wait")
    assert "The market is closed" in html
    assert "What if Aravalli Lab had done something else?" in html


def test_what_the_rules_refuse_costs_no_turn_and_says_why(asha: Client) -> None:
    address = opens(asha, "you")
    for fields, words in (
        (
            {"action": "send_offer", "target_lab_id": "lab_2", "block_ids": ["block_4"]},
            "does not belong to",
        ),
        ({"action": "send_offer", "target_lab_id": "lab_2", "payment": "much"}, "like 4.50"),
        ({"action": "accept_offer", "offer_id": "offer_1_0_9"}, "You know of no offer"),
        ({"action": "allocate_to_job", "job_id": "job_0_0"}, "Name at least one block"),
        ({"action": "make_pitch", "message": "now"}, "A pitch has at least 12 characters"),
        ({"action": "fly"}, "fly"),
        ({}, "action"),
    ):
        answer = asha.post(f"{address}act/", fields)
        html = unescape(answer.content.decode())
        assert answer.status_code == 422, fields
        alert = re.search(r'role="alert"[^>]*>(.+?)</p>', html)
        assert alert is not None
        assert words in alert[1]
        assert "Round 1 of 9" in html
    assert page(asha, address).count("reputation") == page(asha, address).count("reputation")
    assert "data-yours" in page(asha, address)


def test_a_refused_offer_comes_back_as_it_was_filled_in(asha: Client) -> None:
    address = opens(asha, "you")
    form = {
        "action": "send_offer",
        "target_lab_id": "lab_2",
        "block_ids": ["block_0"],
        "requested_block_ids": ["block_9"],
        "payment": "7000",
        "message": "For <b>both</b> of us",
    }
    html = asha.post(f"{address}act/", form).content.decode()
    assert re.search(r'value="block_0" checked', html)
    assert re.search(r'value="block_9" checked', html)
    assert 'value="7000"' in html
    assert "&lt;b&gt;both" in html
    assert "<b>both" not in html


def test_an_action_twice_is_one_action(asha: Client) -> None:
    address = opens(asha, "you")
    acts(asha, address, action="wait", round=0)
    answer = asha.post(f"{address}act/", {"action": "wait", "round": 0})
    assert answer.status_code == 409
    assert "Round 2 of 9" in answer.content.decode()


def test_the_board_alone_answers_a_script(asha: Client) -> None:
    address = opens(asha, "you")
    answer = asha.post(f"{address}act/", {"action": "wait"}, headers={"X-Part": "board"})
    assert answer.status_code == 200
    assert answer.content.decode().lstrip().startswith('<div id="market-board"')
    wrong = asha.post(f"{address}act/", {"action": "fly"}, headers={"X-Part": "board"})
    assert wrong.status_code == 422
    assert "data-problem" in wrong.content.decode()


def test_the_twin_of_a_shock_says_what_it_cost(asha: Client) -> None:
    address = opens(asha)
    html = page(asha, f"{address}twin/?shock=0")
    assert "Without the capacity failure of round 4" in html
    assert "cost Banyan Compute 8.82 credits" in html
    assert html.count('class="strip-row') > 10
    assert "Without any shock" in page(asha, f"{address}twin/")
    page(asha, f"{address}twin/?shock=3", 404)


def test_another_action_becomes_a_market_of_its_own(asha: Client, chetan: Client) -> None:
    address = opens(asha)
    seq = re.findall(r"what-if/\?seq=(\d+)", page(asha, address))[1]
    html = page(chetan, f"{address}what-if/?seq={seq}")
    assert "Aravalli Lab chose: accept offer 1 of" in html
    options = len(re.findall(r'name="choice"', html))
    assert options >= 3
    wrong = chetan.post(f"{address}what-if/", {"seq": seq, "choice": str(options)})
    assert wrong.status_code == 422
    answer = chetan.post(f"{address}what-if/", {"seq": seq, "choice": "0"})
    assert answer.status_code == 302
    html = page(chetan, answer["Location"])
    assert "With other luck, 100 times" in html
    assert "As it was" in html


def test_a_private_market_stays_private_in_its_what_if(asha: Client, chetan: Client) -> None:
    address = opens(asha, "you", task="single_trade")
    for _ in range(3):
        acts(asha, address, action="wait")
    seq = re.findall(r"what-if/\?seq=(\d+)", page(asha, address))[0]
    child = asha.post(f"{address}what-if/", {"seq": seq, "choice": "0"})["Location"]
    assert "The rule expert plays on" in page(asha, child)
    page(chetan, child, 404)


def test_who_started_a_demo_pauses_it_on_its_page(
    asha: Client, chetan: Client, settings: Any
) -> None:
    settings.MARKET_PACE_S = 30
    address = opens(asha)

    def says(client: Client, pause: str, status: int) -> str:
        answer = client.post(f"{address}pace/", {"pause": pause})
        assert answer.status_code == status, answer.content[-300:]
        return unescape(answer.content.decode())

    match = MarketMatch.objects.get()
    says(asha, "true", 302)
    match.refresh_from_db()
    assert match.is_paused
    assert "Let it go on" in page(asha, address)
    assert "has paused it for everybody" in page(chetan, address)
    assert "Let it go on" not in page(chetan, address)
    seen = match.game.last_seq
    says(asha, "step", 302)
    match.game.refresh_from_db()
    assert match.game.last_seq > seen
    assert "can pause it" in says(chetan, "false", 403)
    for wrong in ("", "maybe", "1"):
        assert "ask for one turn" in says(asha, wrong, 422)
    says(asha, "false", 302)
    match.refresh_from_db()
    assert not match.is_paused


def test_a_market_of_a_person_has_no_clock(asha: Client) -> None:
    address = opens(asha, "you")
    assert "data-clock" not in page(asha, address)
    assert asha.post(f"{address}pace/", {"pause": "true"}).status_code == 403


def test_a_low_offer_in_a_full_round_is_answered_with_a_price_that_is_taken(asha: Client) -> None:
    address = opens(asha, policy="you", task="market_round")
    wanted = re.search(
        r'value="send_offer"><input type="hidden" name="target_lab_id" value="(lab_\d)">'
        r'<input type="hidden" name="requested_block_ids" value="(block_\d+)"',
        page(asha, address),
    )
    assert wanted, "nothing is worth buying"
    lab, block = wanted.groups()
    offer = {"action": "send_offer", "target_lab_id": lab, "requested_block_ids": block}
    html = acts(asha, address, **offer, payment="1")
    asked = re.search(r"is far off\. The label is checked, you pay for no surprises: (\d+)\.", html)
    assert asked, "no price was named"
    assert "Round 1 of 5" in html, "asking took the turn"
    assert 'name="final"' in html
    assert 'value="1"' in html, "what was tried is not kept"
    # The next one stands, takes the turn, and is answered again.
    html = acts(asha, address, **offer, payment="1", final="1")
    assert "Round 2 of 5" in html
    asked = re.search(r"For 1 I would rather keep mine\. (\d+)\.", html)
    assert asked
    html = acts(asha, address, **offer, payment=asked[1])
    assert f"{asked[1]} credits for" in html
    assert "Deal:" in html
    assert "keep mine" not in html


def test_a_price_that_stood_beside_a_block_is_not_filled_in_without_it(asha: Client) -> None:
    address = opens(asha, policy="you", task="market_round", seed="4")
    form = re.search(
        r'name="target_lab_id" value="(lab_\d)"><input type="hidden" name="requested_block_ids" '
        r'value="(block_\d+)">.*?name="block_ids" value="(block_\d+)"',
        page(asha, address),
        re.DOTALL,
    )
    assert form, "nothing is to spare"
    lab, block, spare = form.groups()
    html = acts(
        asha,
        address,
        action="send_offer",
        target_lab_id=lab,
        requested_block_ids=block,
        block_ids=spare,
        payment="1",
        final="1",
    )
    assert 'class="answers ' in html
    field = re.search(rf'<input class="input" id="buy-{block}"[^>]*>', html)
    assert field
    assert " value=" not in field[0]


def test_nobody_else_hears_how_far_an_offer_was_from_enough(asha: Client, chetan: Client) -> None:
    address = opens(asha, policy="you", task="market_round")
    acts(
        asha,
        address,
        action="send_offer",
        target_lab_id="lab_1",
        requested_block_ids="block_3",
        payment="1",
        final="1",
    )
    MarketMatch.objects.update(is_public=True)
    assert "first-speech" in page(asha, address)
    assert "first-speech" not in page(chetan, address)


def test_every_open_offer_says_what_it_brings(asha: Client) -> None:
    html = page(asha, opens(asha, policy="you", task="market_round"))
    html = html.partition('class="rivals"')[2]
    told = re.findall(r"It (?:brings|costs) you \d+\.|It changes nothing for you\.", html)
    assert len(told) == html.count('value="accept_offer"') > 0


@pytest.mark.parametrize("language", ["en", "hi"])
def test_what_all_jobs_would_bring_is_no_target(asha: Client, language: str) -> None:
    address = opens(asha, "you", "market_round")
    html = unescape(asha.get(address, headers={"accept-language": language}).content.decode())
    goal = (re.search(r'<p class="market-goal soft">(.*?)</p>', html) or [""])[1]
    wanted = r"would bring \d+ credits if all" if language == "en" else r"सारे काम .* \d+ क्रेडिट"
    assert re.search(wanted, goal), goal
    assert "as much of" not in goal


def test_the_next_market_is_a_press_away_from_the_end(asha: Client) -> None:
    address = opens(asha, policy="you", task="market_round")
    for _ in range(5):
        html = acts(asha, address, action="wait")
    forms = re.findall(r'<form method="post" action="/market/">.*?</form>', html, re.DOTALL)
    assert [re.findall(r"<button[^>]*>(.*?)</button>", one)[0] for one in forms] == [
        "Next market",
        "Play the same again",
        "With coalitions",
    ]
    assert all("csrfmiddlewaretoken" in one for one in forms)
    assert "button-primary" in forms[0]
    assert not any("button-primary" in one for one in forms[1:])
