"""Who wrote a file: signed by this house, by another one, by nobody; and what every page says."""

import copy
import json
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site
from django.core.management import call_command
from django.test import Client

from bazaar_site.env_secrets import make_signing_key, signed_before, signing_key
from negotiation.models import Game
from replays.finished import replay_frames
from replays.preview.card import card_of
from replays.transfer.signing import (
    Unsignable,
    canonical,
    key_id,
    public_keys,
    public_of,
    signed,
    signer_of,
    strictly_read,
)
from tests.support.commands import ROOT
from tests.support.finished import a_haggle, store
from tests.support.tables import a_match, plays_out
from tests.support.visitors import a_visitor, key_of

pytestmark = pytest.mark.django_db
File = dict[str, Any]

NOT_SIGNED = "words may have been changed"


@pytest.fixture
def bilal(db: None) -> Client:
    """Bilal, who brings files."""
    return a_visitor()


@pytest.fixture
def file(asha: Client, shared: Game) -> File:
    """A game of Asha's, as she took it home."""
    return exported(asha, shared.pk)


def exported(client: Client, pk: str) -> File:
    response = client.get(f"/replays/{pk}.json")
    assert response.status_code == 200
    told: File = json.loads(response.content)
    return told


def brings(client: Client, file: File | bytes) -> tuple[int, File]:
    body = file if isinstance(file, bytes) else json.dumps(file).encode()
    response = client.post("/api/replays/import/", body, content_type="application/json")
    return response.status_code, response.json()


def page(client: Client, pk: str) -> str:
    return client.get(f"/replays/{pk}/").content.decode()


def rewritten(file: File) -> File:
    """Mallory's copy: another word in every line, and no signature."""
    forged = copy.deepcopy(file)
    forged.pop("signature", None)
    for event in forged["events"]:
        if event.get("text"):
            event["text"] = "I am a fool"
        if event["kind"] == "tells":
            event["spans"] = []
    return forged


def elsewhere(file: File, settings: Any) -> File:
    """The same file, signed by another house."""
    told = {name: value for name, value in file.items() if name != "signature"}
    own, settings.SIGNING_KEY = settings.SIGNING_KEY, make_signing_key()
    try:
        return signed(told, "person")
    finally:
        settings.SIGNING_KEY = own


def test_words_that_were_replaced_are_not_called_ours(bilal: Client, file: File) -> None:
    status, answer = brings(bilal, rewritten(file))
    assert status == 201
    assert answer["words"] == {"by": "nobody"}
    bilal.post(f"/replays/{answer['id']}/share/", {"public": "1"})
    chetan = a_visitor()
    html = page(chetan, answer["id"])
    assert f"From a file that is not signed: {NOT_SIGNED}" in html
    assert "signed by this house" not in html
    title = html.split("<title>")[1].split("</title>")[0]
    assert title.startswith("Not signed: ")
    heading = f"Not signed: {NOT_SIGNED}: {file['game']['item']['title']}"
    assert f'<meta property="og:title" content="{heading}">' in html
    assert html.count(f"Not signed: {NOT_SIGNED}. ") >= 3
    assert f"Not signed: {NOT_SIGNED}" in chetan.get("/replays/?source=import").content.decode()
    (row,) = chetan.get("/api/replays/?source=import").json()["results"]
    assert row["words"] == {"by": "nobody"}


def test_the_picture_of_unsigned_words_is_another_one(bilal: Client, file: File) -> None:
    signed_id, unsigned_id = (brings(bilal, one)[1]["id"] for one in (file, rewritten(file)))
    ours, theirs = (Game.objects.get(pk=pk) for pk in (signed_id, unsigned_id))
    assert card_of(ours, replay_frames(ours)).mark == ""
    card = card_of(theirs, replay_frames(theirs))
    assert card.mark == f"Not signed: {NOT_SIGNED}"
    assert card.description.startswith(card.mark)
    one, other = (bilal.get(f"/replays/{pk}/card.png").content for pk in (signed_id, unsigned_id))
    assert one != other


def test_a_signed_file_comes_back_as_ours(bilal: Client, file: File) -> None:
    status, answer = brings(bilal, file)
    assert (status, answer["words"]) == (201, {"by": "this-house", "of": "game"})
    html = page(bilal, answer["id"])
    assert "every word signed by this house" in html
    assert "The sealed numbers match their commitment" in html
    assert NOT_SIGNED not in html


def test_a_match_is_signed_too(asha: Client, bilal: Client) -> None:
    match = a_match("rules:aggressive", "rules:smart", "sauda", seed=11)
    plays_out(match.pk)
    file = exported(asha, match.pk)
    assert brings(bilal, file)[1]["words"]["by"] == "this-house"
    forged = copy.deepcopy(file)
    placed = next(event for event in forged["events"] if event["kind"] == "placed")
    placed["backend"] = "hf"
    assert brings(bilal, forged)[1]["error"]["code"] == "broken-signature"
    del forged["signature"]
    _, answer = brings(bilal, forged)
    assert answer["words"] == {"by": "nobody"}
    html = page(bilal, answer["id"])
    assert NOT_SIGNED in html
    assert "<title>Not signed: " in html


def test_a_what_if_that_comes_back_is_no_game_as_it_was_played(
    asha: Client, bilal: Client, shared: Game
) -> None:
    asked = json.dumps({"seq": 2, "action": "offer", "price": 1200})
    child = asha.post(f"/api/replays/{shared.pk}/fork/", asked, content_type="application/json")
    file = exported(asha, child.json()["id"])
    assert file["signature"]["of"] == "what-if"
    _, answer = brings(bilal, file)
    assert answer["words"] == {"by": "this-house", "of": "what-if"}
    html = page(bilal, answer["id"])
    assert "a what-if of this house, signed" in html
    assert "<title>What if: " in html
    forged = copy.deepcopy(file)
    forged["signature"]["of"] = "person"
    assert brings(bilal, forged)[1]["error"]["code"] == "broken-signature"


def test_what_follows_from_unsigned_words_is_marked_and_never_signed(
    bilal: Client, file: File
) -> None:
    pk = brings(bilal, rewritten(file))[1]["id"]
    moves = [e["seq"] for e in file["events"] if e["kind"] == "offer" and e["actor"] == "buyer"]
    asked = json.dumps({"seq": moves[-1], "action": "offer", "price": 1650})
    child = bilal.post(f"/api/replays/{pk}/fork/", asked, content_type="application/json")
    assert child.status_code == 201, child.content
    html = page(bilal, child.json()["id"])
    assert f"Not signed: {NOT_SIGNED}" in html
    assert "From a file" not in html, "it never was one"
    for told in (pk, child.json()["id"]):
        assert "signature" not in exported(bilal, told)


def test_a_copy_of_a_signed_file_is_not_signed_again(bilal: Client, file: File) -> None:
    assert "signature" not in exported(bilal, brings(bilal, file)[1]["id"])


def test_another_house_is_named_by_its_key(bilal: Client, file: File, settings: Any) -> None:
    theirs = elsewhere(file, settings)
    key = theirs["signature"]["key"]
    _, answer = brings(bilal, theirs)
    assert answer["words"] == {"by": "another-house", "key": key}
    html = page(bilal, answer["id"])
    assert f"Signed by another house, key {key}" in html
    assert "<title>Of another house: " in html
    assert "signed by this house" not in html


def test_old_keys_count_after_a_rotation(bilal: Client, file: File, settings: Any) -> None:
    before = public_of(settings.SIGNING_KEY)
    settings.SIGNING_KEY = make_signing_key()
    assert brings(bilal, file)[1]["words"]["by"] == "another-house"
    settings.SIGNING_KEYS_BEFORE = (before,)
    assert [key.in_use for key in public_keys()] == [True, False]
    assert brings(bilal, file)[1]["words"]["by"] == "this-house"


def strip(file: File) -> None:
    del file["signature"]


def from_another_game(file: File) -> None:
    file["game"]["description"] = "another game"


def swap_key(file: File) -> None:
    file["signature"]["public_key"] = public_of(make_signing_key())


def swap_key_and_its_name(file: File) -> None:
    swap_key(file)
    file["signature"]["key"] = key_id(file["signature"]["public_key"])


def test_a_key_that_shares_the_name_of_ours_is_another_one(
    bilal: Client, file: File, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.transfer.signing.key_id", lambda public_key: "0" * 16)
    assert brings(bilal, elsewhere(file, settings))[1]["words"]["by"] == "another-house"


def name_another_key(file: File) -> None:
    file["signature"]["key"] = "0" * 16


def normalise(file: File) -> None:
    said = next(event for event in file["events"] if event.get("text"))
    said["text"] = unicodedata.normalize("NFD", said["text"] + "é")


def add_a_remark(file: File) -> None:
    file["signature"]["note"] = "checked twice"


def cut_the_signature(file: File) -> None:
    file["signature"]["value"] = file["signature"]["value"][:-1]


def grow_the_signature(file: File) -> None:
    file["signature"]["value"] *= 1000


HOSTILE: dict[str, Callable[[File], None]] = {
    "words": lambda file: next(e for e in file["events"] if e.get("text")).update(text="hm"),
    "who served": lambda file: file["events"][1].update(backend="hf"),
    "a time": lambda file: file["game"].update(started_at="2024-01-01T00:00:00+00:00"),
    "of another game": from_another_game,
    "key swapped": swap_key,
    "key and name swapped": swap_key_and_its_name,
    "another key named": name_another_key,
    "key in other letters": lambda file: file["signature"].update(public_key="é" * 43),
    "key and a new line": lambda file: file["signature"].update(public_key="A" * 43 + "\n"),
    "normalised": normalise,
    "remark": add_a_remark,
    "cut": cut_the_signature,
    "huge": grow_the_signature,
    "none": lambda file: file.update(signature=None),
    "list": lambda file: file.update(signature=[]),
    "another algorithm": lambda file: file["signature"].update(algorithm="none"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_signature_that_does_not_fit_is_refused(name: str, bilal: Client, file: File) -> None:
    HOSTILE[name](file)
    before = Game.objects.count()
    status, answer = brings(bilal, file)
    assert (status, answer["error"]["code"]) == (422, "broken-signature"), answer
    assert "Without its signature" in answer["error"]["detail"]
    assert Game.objects.count() == before


def test_the_signature_of_one_game_does_not_fit_another(
    asha: Client, bilal: Client, file: File
) -> None:
    other = exported(asha, store(a_haggle(), owner=key_of(asha)).pk)
    other["signature"] = file["signature"]
    assert brings(bilal, other)[1]["error"]["code"] == "broken-signature"


def test_events_after_the_end_are_told_with_their_place(bilal: Client, file: File) -> None:
    file["events"].append({**file["events"][1], "seq": len(file["events"]) + 1})
    assert brings(bilal, file)[1]["error"]["code"] == "not-a-game"


def without_a_point(text: str) -> float:
    """As JavaScript writes it: 170 for 170.0."""
    return int(text[:-2]) if text.endswith(".0") else float(text)


def test_order_and_space_do_not_matter_but_a_key_stands_once(bilal: Client, file: File) -> None:
    turned = json.dumps(dict(reversed(file.items())), indent=7, ensure_ascii=True).encode()
    assert brings(bilal, turned)[1]["words"]["by"] == "this-house"
    whole = json.loads(json.dumps(file), parse_float=without_a_point)
    assert brings(bilal, whole)[1]["words"]["by"] == "this-house"
    twice = json.dumps(file).encode().replace(b'"seq": 2,', b'"seq": 2, "seq": 2,', 1)
    status, answer = brings(bilal, twice)
    assert (status, answer["error"]["code"]) == (400, "unreadable-replay")
    assert "stands twice" in answer["error"]["detail"]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1.0, b"1"), (-0.0, b"0"), (1e21, b"1e+21"), (1e20, b"1" + b"0" * 20), (1e-6, b"0.000001"),
        (1e-7, b"1e-7"), (123456789012345680000.0, b"123456789012345680000"), (5e-324, b"5e-324"),
        (333333333.33333329, b"333333333.3333333"), (4.50, b"4.5"), (2e-3, b"0.002"),
        (True, b"true"), (None, b"null"),
        ("€$\x0f\nA'B\"\\\\\"/", b'"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
        ({"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "😀": 5, "\x80": 6, "ö": 7},
         '{"\\r":2,"1":4,"\x80":6,"ö":7,"€":1,"😀":5,"\ufb33":3}'.encode()),
    ],
)  # fmt: skip
def test_the_canonical_bytes_are_those_of_the_standard(value: Any, written: bytes) -> None:
    # Values of RFC 8785, sections 3.2.2 to 3.2.4 and appendix B.
    assert canonical(value) == written


def test_what_lies_deep_is_written_in_as_many_steps_as_what_lies_flat() -> None:
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    flat: list[Any] = [1] * 1_000
    deep = flat
    for _ in range(300):
        deep = [deep]
    seen = []
    for value in (flat, deep):
        calls = 0
        sys.setprofile(count)
        try:
            canonical(value)
        finally:
            sys.setprofile(None)
        seen.append(calls)
    assert seen[1] < 2 * seen[0]


@pytest.mark.parametrize("text", ['{"a":1,"a":1}', "NaN", "[1e999]", '"\\ud800"', "9" * 5000, "{"])
def test_what_has_more_than_one_meaning_has_no_canonical_bytes(text: str) -> None:
    with pytest.raises(Unsignable):
        canonical(strictly_read(text.encode()))


def test_the_public_keys_are_where_programs_look(client: Client, file: File) -> None:
    (key,) = client.get("/.well-known/bazaarbatna-keys.json").json()["keys"]
    assert (key["kty"], key["crv"], key["x"]) == ("OKP", "Ed25519", file["signature"]["public_key"])
    assert key["kid"] == file["signature"]["key"]
    assert key["kid"] in client.get("/learn/sealed/").content.decode()
    assert site.SIGNING_KEY not in json.dumps(key)


def checked(*arguments: str) -> tuple[int, str]:
    told = subprocess.run(
        [sys.executable, "examples/check_export.py", *arguments],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return told.returncode, told.stdout + told.stderr


def test_anybody_checks_a_file_without_this_site(
    file: File, client: Client, tmp_path: Path
) -> None:
    kept, keys = tmp_path / "game.json", tmp_path / "keys.json"
    kept.write_text(json.dumps(file), encoding="utf-8-sig")  # as some editors save it
    keys.write_bytes(client.get("/.well-known/bazaarbatna-keys.json").content)
    status, told = checked(str(kept), "--keys", str(keys))
    assert status == 0, told
    assert "Every word is signed by the house whose keys you gave." in told
    assert "The sealed numbers match their commitment." in told
    status, told = checked(str(kept))
    assert status == 0
    assert f"Signed by the key {file['signature']['key']}" in told
    next(e for e in file["events"] if e.get("text"))["text"] += "!"
    kept.write_text(json.dumps(file))
    status, told = checked(str(kept), "--keys", str(keys))
    assert status == 1
    assert "was changed after it was signed" in told
    kept.write_text(json.dumps(rewritten(file)))
    status, told = checked(str(kept))
    assert status == 1
    assert "Not signed: words may have been changed." in told


def test_our_own_check_and_the_examples_agree(file: File) -> None:
    assert signer_of(file).key == file["signature"]["key"]


def test_a_key_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    key = signing_key(None, tmp_path)
    assert signing_key(None, tmp_path) == key
    assert (tmp_path / "signing_key").stat().st_mode & 0o777 == 0o600


def test_a_new_key_keeps_the_old_one_valid(
    tmp_path: Path, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.DATA_DIR = tmp_path
    settings.SIGNING_KEY = signing_key(None, tmp_path)
    old = public_of(settings.SIGNING_KEY)
    call_command("signing_key", "--new")
    new = signing_key(None, tmp_path)
    assert new != settings.SIGNING_KEY
    assert signed_before("", tmp_path) == (old,)
    told = capsys.readouterr().out
    assert key_id(public_of(new)) in told
    assert new not in told
    assert settings.SIGNING_KEY not in told
