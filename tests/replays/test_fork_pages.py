"""The replay page of what-ifs: the form, the answer in words, the branches, who sees them."""

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from bazaarbatna.bargain.moves import Offer, Walk
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.bargain.scenario import SealedValues
from negotiation.bargain.visibility import frames
from negotiation.bargain.web.seats import Cast, replay_cast
from negotiation.games.fork import fork
from negotiation.games.game import Choice, Difference
from negotiation.models import EventRow, Game
from replays.fork.text import StoredMove, compared, ending, question, verdict
from replays.grade.moves import GradedMove, LineMove
from replays.grade.page import grades_page, table_of
from replays.grade.result import result_of
from replays.player.steps import steps_of
from replays.wording import wording_of
from tests.support.branches import levels_of_branches
from tests.support.finished import Playing, a_haggle, a_scenario, store
from tests.support.visitors import key_of

CAST = Cast("the seller", "Sauda")


@pytest.mark.django_db
def test_every_move_has_a_form_and_nothing_else_has(chetan: Client, shared: Game) -> None:
    page = chetan.get(f"/replays/{shared.pk}/?seq=3&try=1755").content.decode()
    moves = EventRow.objects.filter(game=shared, kind__in=("offer", "accept", "walk")).count()
    assert page.count('class="what-if"') == moves
    assert page.count('id="what-if"') == 1
    assert page.count('value="1755"') == 1
    assert "Any price from ₹1,200 to ₹2,000" in page


@pytest.mark.django_db
def test_the_form_leads_to_the_branch_and_the_branch_back(chetan: Client, shared: Game) -> None:
    sent = {"seq": "3", "action": "offer", "price": "₹1,750"}
    answer = chetan.post(f"/replays/{shared.pk}/fork/", sent)
    assert answer.status_code == 302
    page = chetan.get(answer["Location"]).content.decode()
    assert "What if the seller had asked ₹1,750 in round 1?" in page
    assert f'href="/replays/{shared.pk}/?seq=3"' in page
    assert "chart-ghost" in page
    assert "1 what-if<" in page
    assert (
        "Round 1: the seller asks ₹1,750" in chetan.get(f"/replays/{shared.pk}/").content.decode()
    )


@pytest.mark.django_db
def test_a_run_of_an_earlier_version_says_so(chetan: Client, shared: Game) -> None:
    child = fork(shared, 3, Choice("offer", Paise(175_000)), "bilal")
    Game.objects.filter(pk=child.pk).update(share_replay=True)
    address = f"/replays/{child.pk}/?seq=3"
    assert "an earlier version" not in chetan.get(address).content.decode()
    later = EventRow.objects.filter(game=child, seq__gt=3, backend="rules")
    now = later.values_list("policy_version", flat=True)[0]
    later.update(policy_version=f"{now.partition(' ')[0]}+a-voice@2")
    assert "an earlier version" not in chetan.get(address).content.decode(), "words move no price"
    later.update(policy_version="sauda@0 luck 104")
    assert "an earlier version, <code>sauda@0</code>" in chetan.get(address).content.decode()


@pytest.mark.django_db
def test_whoever_played_is_spoken_to(asha: Client, chetan: Client, shared: Game) -> None:
    child = fork(shared, 3, Choice("offer", Paise(175_000)), "bilal")
    told = asha.get(f"/replays/{child.pk}/").content.decode()
    assert "What if you had asked ₹1,750 in round 1?" in told
    assert "What if you" not in chetan.get(f"/replays/{child.pk}/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({"seq": "3", "action": "offer", "price": "5000"}, 409, "An ask never goes up"),
        ({"seq": "3", "action": "offer", "price": ""}, 422, "An offer needs a price"),
        ({"seq": "3", "action": "offer", "price": "<b>x"}, 422, "Write a price above 0"),
        ({"seq": "3", "action": "offer", "price": "1800"}, 422, "That is what was done"),
        ({"seq": "3", "action": "steal"}, 422, ""),
        ({"seq": "x", "action": "walk"}, 422, ""),
        ({}, 422, ""),
    ],
)
def test_a_refused_form_comes_back_with_its_reason(
    chetan: Client, shared: Game, sent: dict[str, str], status: int, words: str
) -> None:
    answer = chetan.post(f"/replays/{shared.pk}/fork/", sent)
    assert answer.status_code == status
    page = answer.content.decode()
    assert words in page
    assert "<b>x" not in page
    assert not Game.objects.filter(parent=shared).exists()


@pytest.mark.django_db
def test_chetan_cannot_post_to_what_he_cannot_open(chetan: Client, kept: Game) -> None:
    answer = chetan.post(f"/replays/{kept.pk}/fork/", {"seq": "3", "action": "walk"})
    assert answer.status_code == 404


@pytest.mark.django_db
def test_branches_of_a_private_game_show_to_nobody_else(
    asha: Client, chetan: Client, shared: Game
) -> None:
    hidden = fork(shared, 3, Choice("walk"), key_of(asha))
    Game.objects.filter(pk=hidden.pk).update(share_replay=False)
    assert hidden.pk in asha.get(f"/replays/{shared.pk}/").content.decode()
    assert hidden.pk not in chetan.get(f"/replays/{shared.pk}/").content.decode()


@pytest.mark.django_db
def test_a_long_chain_of_forks_is_drawn_and_not_ever_deeper(chetan: Client, shared: Game) -> None:
    game = shared
    for price in range(180_000, 178_800, -100):
        game = fork(game, 3, Choice("offer", Paise(price - 100)), "bilal")
    page = chetan.get(f"/replays/{game.pk}/")
    assert page.status_code == 200
    text = page.content.decode()
    assert text.count('class="branch"') == 13
    assert text.count('aria-current="page"') >= 1
    assert levels_of_branches(text) <= 6


@pytest.mark.django_db
def test_a_game_by_rules_that_are_gone_is_still_shown(chetan: Client) -> None:
    game = store(a_haggle())
    row = EventRow.objects.get(game=game, seq=2)
    row.payload = bytes(row.payload).replace(b"110000", b"170001")
    row.save()
    page = chetan.get(f"/replays/{game.pk}/")
    assert page.status_code == 200
    assert "what-if-price" not in page.content.decode()


@pytest.mark.django_db
def test_recorded_games_are_told_by_who_played(chetan: Client) -> None:
    call_command("record_games", "--games", "12", "--suite", "deceptive_seller@sampled-1")
    games = Game.objects.filter(source="simulation")
    assert games.count() == 12
    game = games.get(policy="sauda", pk=games.filter(policy="sauda").first().pk)  # type: ignore[union-attr]
    assert wording_of(game).players == "Sauda buys from a deceptive seller"
    assert (game.suite, game.persona) == ("deceptive_seller@sampled-1", "deceptive")
    assert "Sauda buys from a deceptive seller" in chetan.get("/replays/").content.decode()
    assert chetan.get(f"/replays/{game.pk}/").status_code == 200


@pytest.mark.django_db
def test_what_a_rule_seller_shows_belongs_to_the_move_it_makes() -> None:
    call_command("record_games", "--games", "3", "--suite", "single_deal@sampled-1")
    game = Game.objects.filter(source="simulation", last_seq__gt=6).first()
    assert game is not None
    log = frames(game, "replay")
    steps = steps_of(log, replay_cast(game))
    asks = [s for s in steps if s.event["kind"] == "offer" and s.event["actor"] == "seller"]
    assert asks
    for step in asks:
        assert step.read is not None
        assert step.read.of_seq == step.seq
        shown = log[step.seq - 2]["event"]["signals"]["verbal_urgency"]
        assert any(signal.share == shown for signal in step.read.signals)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong", [("--suite", "poker"), ("--buyer", "nobody"), ("--buyer", "seller:firm")]
)
def test_recording_what_is_not_there_is_refused_in_words(wrong: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        call_command("record_games", *wrong)


def test_questions_are_asked_in_plain_words() -> None:
    asked = [
        question(StoredMove("offer", 3, "seller", 17500), "INR", "the seller"),
        question(StoredMove("accept", 2, "seller", 9000), "INR", "the seller"),
        question(StoredMove("walk", 1, "buyer"), "INR", CAST.called("buyer")),
        question(StoredMove("offer", 4, "buyer", 5050), "USD", "you"),
    ]
    assert asked == [
        "What if the seller had asked ₹175 in round 3?",
        "What if the seller had taken ₹90 in round 2?",
        "What if Sauda had walked away in round 1?",
        "What if you had bid $50.50 in round 4?",
    ]


@pytest.mark.parametrize(
    ("mean", "room", "words"),
    [
        (0.05, True, "+5 points of 100"),
        (-0.2, True, "−20 points of 100"),
        (0.0, True, "changes nothing"),
        (0.0, False, "No price suits both"),
    ],
)
def test_a_what_if_without_averages_is_told_in_points(mean: float, room: bool, words: str) -> None:
    found = Difference("seller", mean, mean - 0.01, mean + 0.01, 100)
    assert compared(found, 40) is None
    assert words in verdict(found, "the seller", room=room)


@pytest.mark.parametrize(
    ("own", "mean", "tried", "told"),
    [
        (0.34, 0.07, (0.36, 0.46), (34, 41, 36, 46)),
        (0.0, 0.5, (0.5, 0.5), (0, 50, 50, 50)),
        (0.6, -0.6, None, (60, 0, -1, 1)),
    ],
)
def test_both_moves_stand_on_one_scale_in_whole_points(
    own: float, mean: float, tried: tuple[float, float] | None, told: tuple[int, int, int, int]
) -> None:
    found = Difference("seller", mean, mean - 0.01, mean + 0.01, 100, own, tried)
    made = compared(found, 61)
    assert made is not None
    assert (made.own, made.tried, made.low, made.high) == told
    assert made.played == 61


@pytest.mark.django_db
def test_a_what_if_is_compared_with_what_came_and_with_the_same_rules(
    asha: Client, chetan: Client, shared: Game
) -> None:
    child = fork(shared, 3, Choice("offer", Paise(175_000)), "bilal")
    shared.refresh_from_db()
    kept = round(100 * (shared.seller_share or 0))
    found = compared(msgspec.convert(child.difference, Difference))
    assert found is not None
    assert found.low <= found.tried <= found.high
    for reader, words in ((asha, "As you played"), (chetan, "As it was played")):
        page = reader.get(f"/replays/{child.pk}/").content.decode()
        assert f"{words}: <b>{kept}</b>." in page
        assert f"played on: about <b>{found.tried}</b>" in page
        # What came with one luck is no yardstick for an average: the other average is.
        assert f"by the same rules, and it comes to about <b>{found.own}</b>" in page
        assert ("no clear difference" in page) is (found.low <= found.own <= found.high)
        assert "of the room" not in page[page.index("answer-title") : page.index("replay-stage")]


@pytest.mark.django_db
def test_a_what_if_that_a_grade_names_has_the_grades_number_and_no_gap(
    asha: Client, shared: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    child = fork(shared, 3, Choice("offer", Paise(175_000)), "bilal")
    graded = {"tried": 85, "low": 80, "high": 90}
    monkeypatch.setattr("replays.grade.views._over", lambda game, frames: graded)
    page = asha.get(f"/replays/{child.pk}/").content.decode()
    assert "about <b>85</b> (80 to 90)" in page
    assert "<b></b>" not in page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("choice", "is_sure"),
    [
        (Choice("accept"), True),
        (Choice("walk"), True),
        (Choice("offer", Paise(175_000)), False),
    ],
)
def test_a_move_that_ends_the_game_is_told_as_it_is(
    chetan: Client, shared: Game, choice: Choice, is_sure: bool
) -> None:
    child = fork(shared, 9 if choice.action == "accept" else 3, choice, "bilal")
    page = chetan.get(f"/replays/{child.pk}/").content.decode()
    answer = page[page.index("answer-title") : page.index("replay-stage")]
    kept = round(100 * (child.seller_share or 0))
    assert (f"This move: exactly <b>{kept}</b>, the game ends there." in answer) is is_sure
    assert ("near the average" in answer) is not is_sure
    assert ("our rules play on" in answer) is not is_sure
    assert ("From there on" in answer) is not is_sure


@pytest.mark.django_db
def test_a_price_is_never_rounded_across_a_limit_in_paise(chetan: Client) -> None:
    """A buyer with 40.71 to spend: what-if and better line end below that, as they were played."""
    sealed = SealedValues(Paise(3000), Paise(3000), Paise(4071), 3)
    playing = Playing(a_scenario(sealed=sealed, anchor=Paise(4400)))
    playing.move("buyer", Offer(Paise(3500))).move("seller", Offer(Paise(4069)))
    game = store(playing.move("buyer", Offer(Paise(3600))).move("seller", Walk()))
    child = fork(game, 4, Choice("accept"), "bilal")
    assert child.deal_price == 4069
    assert ending(child, "INR") == "Deal at ₹40.69"
    page = chetan.get(f"/replays/{child.pk}/").content.decode()
    assert "Deal at ₹40.69" in page
    assert "₹41" not in page
    line = (LineMove("buyer", "offer", Paise(3700)), LineMove("seller", "accept", Paise(4069)))
    move = GradedMove(4, "buyer", 0.0, 0.3, 0.9, line[0], line, over=0.3)
    table = table_of(game, "", frames(game, "buyer"))
    (mark,) = grades_page(result_of({"buyer": 1071}, [move]), table).marks.values()
    assert mark.line == ("the seller accepts ₹40.69",)
