"""Results that were made with the library alone: signed, handed in, played again, on the board."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client

from bazaarbatna import offline
from bazaarbatna.bargain.moves import Accept, Offer, Walk
from bazaarbatna.offline import Answered, BadSubmission, Header, Played
from bazaarbatna.players.simple import Conceder
from tests.support.commands import ROOT, inherited
from tests.support.evaluating import a_plan, a_run
from training.bots import results, tasks
from training.bots.models import Play
from training.bots.owners import register
from training.evaluation.published import publish
from training.leaderboard import policy_table
from training.leaderboard.lines import stored

SUITES = tuple(one for one in offline.wanted_suites(2) if one.id.startswith(("single", "decept")))
AT = "/api/bots/results/"


def games() -> list[Played]:
    return list(offline.play(SUITES, Conceder, pytest.fail))


def a_file(token: str = "bzr_mine") -> bytes:
    return offline.write("conceder", SUITES, games(), token)


def signed(lines: list[bytes], token: str = "bzr_mine") -> bytes:
    body = b"".join(line + b"\n" for line in lines)
    return body + json.dumps({"signature": offline.sign(body, token)}).encode()


def changed(line: bytes, **fields: Any) -> bytes:
    return json.dumps({**json.loads(line), **fields}).encode()


def test_what_was_played_is_what_is_read() -> None:
    found = offline.read(a_file(), "bzr_mine")
    assert found.header == Header(offline.FORMAT, "conceder", SUITES)
    assert list(found.games) == games()


Doctored = Callable[[list[bytes]], bytes]

WRONG: dict[str, tuple[Doctored, str]] = {
    "foreign signature": (lambda on: signed(on, "bzr_other"), "not of this bot's token"),
    "a line changed after signing": (
        lambda on: signed(on).replace(b'"place":1', b'"place":0', 1), "or a line was changed",
    ),
    "no signature": (lambda on: b"\n".join(on), "is no signature"),
    "repeated seed": (lambda on: signed([*on, on[1]]), "Line 6 is game 0 of single_deal@sampled-1 "
                                                       "again, as in line 2"),
    "left out": (lambda on: signed(on[:-1]), "game 1 of deceptive_seller@sampled-1 is missing"),
    "lucky seed": (lambda on: signed([on[0], changed(on[1], seed=7), *on[2:]]),
                   "Line 2 has the seed 7; that of its game is"),
    "doctored log": (
        lambda on: signed([*on[:2], changed(on[2], digests=["0" * 64]), *on[3:]]),
        "Line 3: played again, its moves lead to another log.",
    ),
    "fewer moves": (lambda on: signed([*on[:2], changed(on[2], moves=[]), *on[3:]]),
                    "Line 3: its moves end before its game does."),
    "more moves": (
        lambda on: signed([*on[:2], changed(
            on[2], moves=[*json.loads(on[2])["moves"], {"kind": "answered", "action": "walk"}],
        ), *on[3:]]), "Line 3: played again, All bargains of this game are over",
    ),
    "a price that is none": (
        lambda on: signed([*on[:2], changed(
            on[2], moves=[{"kind": "answered", "action": "offer"}]), *on[3:]]),
        "Line 3: played again, An offer needs a price",
    ),
    "wrong version": (
        lambda on: signed([on[0].replace(b"offline@1", b"offline@0"), *on[1:]]),
        "Line 1 has the format 'bazaarbatna-offline@0'",
    ),
    "another seller": (
        lambda on: signed([on[0].replace(b"rule:default@1", b"rule:default@0"), *on[1:]]),
        "its seller is rule:default@1",
    ),
    "no such suite": (
        lambda on: signed([on[0].replace(b"single_deal@", b"nowhere@"), *on[1:]]),
        "there is no suite 'nowhere@sampled-1'",
    ),
    "too many games": (
        lambda on: signed([changed(on[0], suites=[{**json.loads(on[0])["suites"][0],
                                                   "games": 10**9}]), *on[1:]]),
        "has 1 to 200 games, not 1000000000",
    ),
    "nonsense": (lambda on: signed([on[0], b"[[[", *on[1:]]), "Line 2 is no played"),
    "nothing": (lambda on: b"", "is no signature"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_counted_is_refused_by_its_line(name: str) -> None:
    doctor, told = WRONG[name]
    with pytest.raises(BadSubmission) as refused:
        offline.read(doctor(a_file().splitlines()[:-1]), "bzr_mine")
    assert told in str(refused.value)


def test_a_huge_file_is_neither_written_nor_read() -> None:
    with pytest.raises(BadSubmission, match="1200000 are read"):
        offline.read(b" " * (offline.MOST_BYTES + 1), "bzr_mine")
    talk = Played("single_deal@sampled-1", 0, 0, (), (Answered("walk", message="x" * 2000),) * 700)
    with pytest.raises(BadSubmission, match="would have"):
        offline.write("talker", SUITES, [talk], "bzr_mine")


@pytest.mark.parametrize(
    ("move", "kept"),
    [
        (Offer(4321, "Bas."), Answered("offer", 43.21, "Bas.")),  # type: ignore[arg-type]
        (Accept(), Answered("accept")),
        (Walk("No."), Answered("walk", message="No.")),
    ],
)
def test_moves_are_kept_as_they_are_proposed(move: object, kept: Answered) -> None:
    assert offline.answered(move) == kept
    assert offline.proposal_of(kept) == move


@pytest.mark.parametrize("nonsense", [None, 40, "forty", Offer(float("nan")), Offer("40")])  # type: ignore[arg-type]
def test_a_model_that_answers_nonsense_walks_and_the_others_are_played(nonsense: object) -> None:
    class Babbler:
        def act(self, _: object) -> Any:
            return nonsense

    heard: list[str] = []
    played = list(offline.play(SUITES, lambda _: Babbler(), heard.append))
    assert {one.moves for one in played} == {(Answered("walk"),)}
    assert len(heard) == len(played) == 4
    assert heard[0].startswith("single_deal@sampled-1, game 0: ValueError: ")
    offline.read(offline.write("babbler", SUITES, played, "t"), "t")


@pytest.fixture
def published(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "enqueue", lambda _run_id: None)
    names = [one.id.partition("@")[0] for one in SUITES]
    publish(a_run(tmp_path / "run", a_plan(list(results.REFERENCES), names, episodes=2)))
    policy_table.refresh_policies()


def hand_in(token: str, data: bytes) -> Any:
    return Client().post(
        AT, data, content_type="application/json", headers={"Authorization": f"Bearer {token}"}
    )


@pytest.mark.django_db
def test_a_file_is_played_again_and_stands_on_the_board_unverified(published: None) -> None:
    bot, token = register("Offliner", "asha")
    answer = hand_in(token, a_file(token))
    assert answer.status_code == 202, answer.content
    play = Play.objects.get(bot=bot)
    assert tasks.advance(play.pk) == "over"
    play = Play.objects.select_related("run", "bot").get(pk=play.pk)
    assert (play.run.status, play.verified_at) == ("done", None)
    assert play.opened_at is not None
    assert not play.tables.exclude(repeats=None).exists(), "nobody is there to be asked again"
    own = [row for row in results.stored_rows(play) if row.policy == bot.policy]
    assert [row.digest for row in own] == [one for game in games() for one in game.digests]
    assert policy_table.refresh_policies()
    known = stored("policies")
    assert known is not None
    place = next(one for one in known[0].places if one.player.key == bot.policy)
    assert (place.ranks, place.player.verified) == (None, False)
    page = Client().get(bot.get_absolute_url()).content.decode()
    assert "on seeds that everybody knows" in page
    again = hand_in(token, a_file(token))
    assert again.status_code == 202, "a later file is a later play"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("token", "data", "status", "told"),
    [
        ("bzr_nobody", b"", 404, "No bot has this token"),
        ("", b"", 404, "No bot has this token"),
        (None, b"", 422, "is no signature"),
        (None, a_file("bzr_other"), 422, "not of this bot"),
    ],
)
def test_the_site_refuses_in_a_sentence(
    token: str | None, data: bytes, status: int, told: str
) -> None:
    own = register("Refused", "bilal")[1]
    answer = hand_in(own if token is None else token, data)
    assert (answer.status_code, Play.objects.count()) == (status, 0)
    assert told in answer.json()["error"]["detail"]


@pytest.mark.parametrize(
    ("asked", "token", "told"),
    [
        (["--buyer", "conceder"], "", "token.txt holds no token"),
        (["--buyer", "nobody"], "t", "There is no rule 'rules:nobody'"),
        (["--buyer", "no.such:thing"], "t", "'no.such:thing' cannot be imported"),
        (["--buyer", "math:pi"], "t", "'math:pi' is not callable"),
        (["--buyer", "linear", "--url", "http://host"], "t", "A token goes over https alone"),
        (["--buyer", "linear", "--url", "http://127.0.0.1:9"], "t", "is out of reach"),
    ],
)
def test_the_command_tells_what_is_wrong(
    asked: list[str], token: str, told: str, tmp_path: Path
) -> None:
    (tmp_path / "token.txt").write_text(f"{token}\n")
    command = [sys.executable, "-m", "bazaarbatna", "submit", "--bargains", "1", *asked]
    command += ["--token", "token.txt"]
    done = subprocess.run(
        command, cwd=tmp_path, check=False, capture_output=True, text=True,
        env={**inherited(), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode in (1, 2)
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    if "out of reach" in told:
        kept = (tmp_path / "bazaar-results.jsonl").read_bytes()
        assert len(offline.read(kept, token).games) == 8
        assert msgspec.json.decode(kept.splitlines()[0])["buyer"] == "linear"
