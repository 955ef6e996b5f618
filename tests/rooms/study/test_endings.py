"""How a part in a study ends: after the games, for lack of a partner, by leaving."""

import pytest

from negotiation.games.event_log import from_payload, log_rows
from negotiation.models import EventRow, Game, GameAnswer
from rooms import presence
from rooms.hosting import plan_for
from rooms.models import Answer, Member, Room, RoomGame, Study
from rooms.plan import NEVER_S
from rooms.study import flow
from tests.rooms.study import games
from tests.rooms.study.conftest import DESIGN, MakeStudy, Participant
from tests.support.rooms import waited

pytestmark = pytest.mark.django_db
ID = "5f1a2b3c4d5e6f7a8b9c0d1e"
SECRET = "the blue teapot of my aunt"


def test_after_the_games_come_the_survey_the_code_and_the_way_back(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), "one").to_the_lobby()
    row = games.begin(asha.member)
    assert flow.next_step(asha.member) is None, "the game runs"
    games.end(row)
    assert flow.next_step(asha.member) == asha.at("after")
    assert asha.member.finished_at is None
    assert asha.post("after", fair="4")["Location"] == asha.at("done")
    member = asha.member
    assert (member.end, member.finished_at is not None) == ("finished", True)
    html = asha.client.get(asha.at("done")).content.decode()
    assert "DONE1" in html
    assert 'href="https://app.prolific.com/submissions/complete?cc=DONE1"' in html
    assert asha.enter()["Location"] == asha.at("done"), "nobody takes part twice"


def test_a_study_without_a_last_survey_ends_with_the_last_game(a_study: MakeStudy) -> None:
    asha = Participant(a_study(after=[]), "one").to_the_lobby()
    games.end(games.begin(asha.member))
    assert flow.next_step(asha.member) == asha.at("done")
    assert asha.member.end == "finished"


def test_all_games_of_the_plan_are_played_first(a_study: MakeStudy) -> None:
    asha = Participant(a_study(plan={"games": 2}), "one")
    Room.objects.update(plan={**asha.room.plan, "games": 2})
    asha.to_the_lobby()
    games.end(games.begin(asha.member))
    assert flow.next_step(asha.member) is None
    games.end(games.begin(asha.member, 2))
    assert flow.next_step(asha.member) == asha.at("after")


def test_when_the_room_closes_nobody_waits_for_more_games(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), "one").to_the_lobby()
    Room.objects.update(state=Room.State.OVER)
    assert flow.next_step(asha.member) == asha.at("after")


def test_who_waits_too_long_comes_to_a_paid_end(a_study: MakeStudy) -> None:
    study = a_study(waiting={"most_s": 60, "then": "end"}, exits={"waited": {"code": "WAITED"}})
    asha = Participant(study, "one").to_the_lobby()
    waited(50)
    assert flow.next_step(asha.member) is None
    waited(61)
    assert flow.next_step(asha.member) == asha.at("done")
    assert asha.member.end == "waited"
    html = asha.client.get(asha.at("done")).content.decode()
    assert "Nobody came to bargain with you" in html
    assert "WAITED" in html


def test_the_time_in_a_game_is_no_waiting(a_study: MakeStudy) -> None:
    study = a_study(waiting={"most_s": 60, "then": "end"}, plan={"games": 2})
    asha = Participant(study, "one").to_the_lobby()
    Room.objects.update(plan={**asha.room.plan, "games": 2})
    row = games.begin(asha.member)
    waited(3600)
    Member.objects.update(**presence.leaving())
    assert flow.next_step(asha.member) is None
    games.end(row)
    assert flow.next_step(asha.member) is None, "it counts from coming into the lobby"


def test_who_waits_for_the_host_waits_for_no_partner(a_study: MakeStudy) -> None:
    study = a_study(waiting={"most_s": 60, "then": "end"})
    asha = Participant(study, "one").to_the_lobby()
    Room.objects.update(state=Room.State.GATHERING)
    waited(3600)
    assert flow.next_step(asha.member) is None


def test_a_study_says_when_a_policy_sits_down(a_study: MakeStudy) -> None:
    study = a_study(waiting={"most_s": 77, "then": "policy"})
    plan = plan_for(Participant(study, "one").to_the_lobby().member)
    assert (plan.odd_s, plan.unmet_s) == (77, 77), "for somebody new nobody waits longer"


def test_who_waits_to_the_end_for_somebody_new_meets_no_old_partner(a_study: MakeStudy) -> None:
    waiting = {"most_s": 77, "then": "end"}
    for unmet_s, wanted in ((77, NEVER_S), (30, 30)):
        arm = {"name": "all", "plan": {"partners": "rotation", "unmet_s": unmet_s}}
        study = a_study(waiting=waiting, arms=[arm])
        plan = plan_for(Participant(study, f"one-{unmet_s}").to_the_lobby().member)
        assert (plan.odd_s, plan.unmet_s, plan.partners) == (NEVER_S, wanted, "rotation")


def leave(study: Study, *, live: bool = False) -> tuple[Participant, RoomGame]:
    asha = Participant(study, ID)
    asha.enter()
    asha.consent(may_quote="yes", may_train="yes")
    asha.understand()
    asha.post("before", age="30")
    row = games.begin(asha.member)
    games.talk(row, SECRET, 190_000)
    if not live:
        games.end(row)
    Game.objects.update(may_train=True)
    page = asha.client.get(asha.at("withdraw"))
    assert page.status_code == 200
    assert Answer.objects.exists(), "a look alone deletes nothing"
    assert asha.post("withdraw")["Location"] == asha.at("done")
    return asha, row


def test_no_seat_is_kept_for_who_has_left_the_study(a_study: MakeStudy) -> None:
    asha = Participant(a_study(), ID).to_the_lobby()
    games.begin(asha.member)
    Game.objects.update(owner="b" * 32, gone=asha.member.session)
    asha.client.get(asha.at("withdraw"))
    asha.post("withdraw")
    assert asha.member.withdrawn_at is not None
    assert Game.objects.get().gone == ""


def promising(a_study: MakeStudy, *what: str) -> Study:
    return a_study(consent={**DESIGN["consent"], "withdrawal": list(what)})


def everything_stored(game: Game) -> str:
    payloads = [bytes(row.payload).decode() for row in EventRow.objects.filter(game=game)]
    return "".join(payloads) + str(list(EventRow.objects.filter(game=game).values("plan")))


def test_leaving_deletes_answers_and_words_where_that_was_promised(a_study: MakeStudy) -> None:
    asha, row = leave(promising(a_study, "answers", "words"))
    assert not Answer.objects.exists()
    kept = everything_stored(row.game)
    assert SECRET not in kept
    assert "teapot" not in kept
    assert "I am off" not in kept
    prices = [getattr(from_payload(one.payload), "price", None) for one in log_rows(row.game_id)]
    assert 190_000 in prices, "prices stay"
    member = asha.member
    assert member.withdrawn_at
    assert (member.slot, member.external_id) == (0, ID), "the place stays counted"
    assert (member.may_quote, member.may_train) == (False, False)
    row.game.refresh_from_db()
    assert row.game.may_train is False
    html = asha.client.get(asha.at("done")).content.decode()
    assert "You have left the study" in html
    assert asha.enter()["Location"] == asha.at("done"), "nobody comes in again"


def test_leaving_deletes_no_more_than_was_promised(a_study: MakeStudy) -> None:
    _, row = leave(promising(a_study, "words"))
    assert Answer.objects.count() == 4
    assert SECRET not in everything_stored(row.game)
    Answer.objects.all().delete()


def test_words_stay_where_only_answers_were_promised(a_study: MakeStudy) -> None:
    _, row = leave(promising(a_study, "answers"))
    assert not Answer.objects.exists()
    assert SECRET in everything_stored(row.game)


def test_whole_games_go_where_that_was_promised(a_study: MakeStudy) -> None:
    leave(promising(a_study, "games"))
    assert not Game.objects.exists()
    assert not EventRow.objects.exists()
    assert Answer.objects.exists()


def test_a_game_with_another_person_stays_without_who_left(a_study: MakeStudy) -> None:
    study = promising(a_study, "games")
    bilal = Participant(study, "two").to_the_lobby()
    asha = Participant(study, "one").to_the_lobby()
    row = games.begin(asha.member)
    games.talk(row, SECRET, 190_000)
    games.end(row)
    Game.objects.update(rival=bilal.member.session, names={"seller": "Asha", "buyer": "Bilal"})
    RoomGame.objects.update(buyer=bilal.member)
    asha.post("withdraw")
    row.refresh_from_db()
    row.game.refresh_from_db()
    assert (row.seller, row.buyer) == (None, bilal.member)
    assert SECRET not in everything_stored(row.game)
    assert (row.game.owner, row.game.names["seller"]) == ("", "")
    assert row.game.rival == bilal.member.session


@pytest.mark.parametrize(("promised", "kept"), [("answers", 1), ("games", 1), ("words", 2)])
def test_leaving_deletes_the_own_answers_about_a_pair_and_no_others(
    a_study: MakeStudy, promised: str, kept: int
) -> None:
    study = promising(a_study, promised)
    bilal = Participant(study, "two").to_the_lobby()
    asha = Participant(study, "one").to_the_lobby()
    row = games.begin(asha.member)
    games.end(row)
    Game.objects.update(rival=bilal.member.session)
    RoomGame.objects.update(buyer=bilal.member)
    for side in ("seller", "buyer"):
        GameAnswer.objects.create(game=row.game, side=side, question="self", value=3)
    asha.post("withdraw")
    assert GameAnswer.objects.count() == kept
    assert GameAnswer.objects.filter(side="buyer").exists(), "Bilal's is his"


def test_a_fingerprint_recognises_who_left_and_cannot_be_read(a_study: MakeStudy) -> None:
    study = promising(a_study, "external_id")
    leave(study)
    member = Member.objects.get()
    assert member.external_id.startswith("gone:")
    assert ID not in member.external_id
    again = Participant(study, ID)
    assert again.consent()["Location"] == again.at("done")
    assert Member.objects.count() == 1


def test_a_game_that_runs_is_left_too(a_study: MakeStudy) -> None:
    _, row = leave(promising(a_study, "words"), live=True)
    row.game.refresh_from_db()
    assert row.game.status == Game.Status.ENDED
    assert SECRET not in everything_stored(row.game)


def test_leaving_twice_is_leaving_once(a_study: MakeStudy) -> None:
    asha, _ = leave(promising(a_study, "answers"))
    first = asha.member.withdrawn_at
    assert asha.post("withdraw")["Location"] == asha.at("done")
    assert asha.member.withdrawn_at == first


def test_what_ifs_of_a_game_go_with_its_words(a_study: MakeStudy) -> None:
    study = promising(a_study, "words")
    asha = Participant(study, "one").to_the_lobby()
    row = games.begin(asha.member)
    games.talk(row, SECRET, 190_000)
    games.end(row)
    fork = Game.objects.get(pk=row.game_id)
    fork.pk, fork.parent_id, fork.source = "whatifwhatif", row.game_id, Game.Source.WHAT_IF
    fork.save(force_insert=True)
    asha.post("withdraw")
    assert not Game.objects.filter(pk="whatifwhatif").exists()
    assert Game.objects.filter(pk=row.game_id).exists()
