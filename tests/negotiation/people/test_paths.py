"""Paths of people: what is read of a file, and sellers who follow what was read."""

import json
from io import StringIO
from pathlib import Path as File

import msgspec
import pytest
from django.core.management import CommandError, call_command

from bazaarbatna.bargain import Accept, Offer, Paise, SellerObservation, Walk
from bazaarbatna.bargain.budgets import LEAST_BUDGET
from bazaarbatna.bargain.episode import State, advance, start
from bazaarbatna.bargain.observe import observe_seller
from bazaarbatna.bargain.people.held_out import ASSUMPTIONS, PATHS, VALIDATION, plug_in
from bazaarbatna.bargain.people.manner import named_price
from bazaarbatna.bargain.people.paths import (
    FIT,
    LONGEST,
    BadPaths,
    Path,
    fit_paths,
    path_family,
    path_of,
    sift_paths,
    talk_of,
)
from bazaarbatna.bargain.people.seller import PersonSeller
from bazaarbatna.bargain.people.suites import FIT_PATHS, people_suite
from negotiation.management.commands import people_fit

ROOT = File(__file__).parents[3]
GOOD = {"prices": [["s", 0.95], ["b", 0.7], ["s", 0.9]], "agreed": 0.85}

plug_in()


def test_a_row_becomes_the_prices_of_its_seller_and_the_first_bid() -> None:
    assert path_of(talk_of(GOOD)) == Path((0.95, 0.9, 0.85), 0.7)
    assert path_of(talk_of({"prices": [["b", 0.8]], "agreed": 1})) == Path((1.0,), 0.8)


WRONG_ROWS = {
    b"NaN": "malformed",
    b"[1, 2": "malformed|truncated",
    b"0.8": "needs 'prices'",
    b"[0.9, 0.8]": "needs 'prices'",
    b'{"price": 3, "title": "Lamp"}': "needs 'prices'",
    b'{"prices": [], "agreed": 0.8}': "nobody named a price",
    b'{"prices": [["b", 0.8]], "agreed": null}': "no deal",
    b'{"prices": {"s": 0.9}, "agreed": 0.8}': "no list",
    b'{"prices": "s0.9", "agreed": 0.8}': "no list",
    b'{"prices": [0.9], "agreed": 0.8}': "price 1 is not",
    b'{"prices": [["s"]], "agreed": 0.8}': "price 1 is not",
    b'{"prices": [["s", 0.9], ["x", 0.9]], "agreed": 0.8}': "price 2 is not",
    b'{"prices": [[["s"], 0.9]], "agreed": 0.8}': "price 1 is not",
    b'{"prices": [[{}, 0.9]], "agreed": 0.8}': "price 1 is not",
    b'{"prices": [["s", "0.9"]], "agreed": 0.8}': "price 1 is no number",
    b'{"prices": [["s", null]], "agreed": 0.8}': "price 1 is no number",
    b'{"prices": [["b", true]], "agreed": 0.8}': "price 1 is no number",
    b'{"prices": [["s", [0.9]]], "agreed": 0.8}': "price 1 is no number",
    b'{"prices": [["s", 0.9]], "agreed": true}': "agreed is no number",
    b'{"prices": [["s", 0.9]], "agreed": "0.8"}': "agreed is no number",
    b'{"prices": [["s", 0.9]], "agreed": NaN}': "malformed",
    b'{"prices": [["s", Infinity]], "agreed": 0.8}': "malformed",
    b'{"prices": [["s", 1e999]], "agreed": 0.8}': "out of range",
    b'{"prices": [["s", 1' + b"0" * 400 + b']], "agreed": 0.8}': "price 1 is no share",
    b'{"prices": [["s", 4500]], "agreed": 4000}': "price 1 is no share",
    b'{"prices": [["b", -0.2]], "agreed": 0.8}': "price 1 is no share",
    b'{"prices": [["b", 0]], "agreed": 0.8}': "price 1 is no share",
    b'{"prices": [["b", 0.1]], "agreed": 0.1}': "agreed is 0.1, not between",
    b'{"prices": [["b", 1.1]], "agreed": 1.1}': "agreed is 1.1, not between",
    b'{"prices": [["s", 0.8], ["b", 0.6], ["s", 0.85]], "agreed": 0.7}': "price 3 rises to 0.85",
    b'{"prices": [["s", 1.2]], "agreed": 0.8}': "price 1 rises to 1.2",
    b'{"prices": [["s", 0.7]], "agreed": 0.8}': "price 1 is 0.7, below the 0.8",
    json.dumps({"prices": [["s", 0.9]] * LONGEST, "agreed": 0.8}).encode(): "names 9 prices",
    b"[" * 100_000: "nested too deeply",
    b'{"prices": ' + b"[" * 5000 + b"]" * 5000 + b', "agreed": 0.8}': "nested too deeply",
    b"category,agreed": "malformed",
    b"\x1f\x8b\x08\x00\xff\xfe": "malformed",
    '{"prices": [["s", 0.9]], "agreed": 0.8}'.encode("utf-16"): "malformed",
    b'{"prices": [["s", 0.9]], "agreed": 0.8, "a": "\xff"}': "utf-8",
}


@pytest.mark.parametrize("row", WRONG_ROWS, ids=range(len(WRONG_ROWS)))
def test_a_row_that_is_no_path_is_refused_with_its_number_and_the_reason(row: bytes) -> None:
    good = json.dumps(GOOD).encode()
    found = sift_paths([good, row, b" \n", good])
    assert len(found.paths) == 2
    [refused] = found.refused
    assert refused.startswith("Row 2: ")
    with pytest.raises(BadPaths, match=rf"No row is a path. Row 1: .*({WRONG_ROWS[row]})"):
        sift_paths([row])


def test_a_mark_of_the_byte_order_and_ends_of_lines_of_windows_are_passed_over() -> None:
    row = json.dumps(GOOD).encode()
    assert len(sift_paths([b"\xef\xbb\xbf" + row + b"\r\n", row + b"\r\n", b"\r\n"]).paths) == 2


def test_dialogues_without_a_deal_count_as_talk_and_are_no_paths() -> None:
    found = sift_paths([json.dumps(GOOD).encode(), b'{"prices": [["b", 0.5]], "agreed": null}'])
    assert (len(found.talks), len(found.paths)) == (2, 1)


def told(file: File) -> tuple[str, str]:
    out, errors = StringIO(), StringIO()
    call_command("people_fit", paths=file, stdout=out, stderr=errors, no_color=True)
    return out.getvalue(), errors.getvalue()


def test_a_file_of_paths_is_played_and_its_refused_rows_are_named(
    tmp_path: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_fit, "GAMES", 40)
    file = tmp_path / "own.jsonl"
    rows = [json.dumps(GOOD), '{"prices": [["s", 1.4]], "agreed": 0.8}', "", json.dumps(GOOD)]
    file.write_text("\n".join(rows), encoding="utf-8")
    out, errors = told(file)
    assert "Row 2: price 1 rises to 1.4." in errors
    assert "2 of 3 rows are paths." in errors
    assert "| figure | people | dialogues of the file | sellers who follow them | fits |" in out
    assert "| deals after three at most |" in out
    monkeypatch.setattr(people_fit, "MOST_SHOWN", 1)
    file.write_text("\n".join([*rows, "0", "1"]), encoding="utf-8")
    assert "... and 2 rows more." in told(file)[1]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "The file is empty"),
        (b"\n \n", "The file is empty"),
        (b"price,agreed\n0.9,0.8\n", "Row 1: .*malformed"),
        (bytes(range(256)) * 9, "Row 1: "),
        (json.dumps([GOOD]).encode(), "Row 1: it needs 'prices' and 'agreed'"),
        (json.dumps(GOOD, indent=1).encode(), "Row 1: "),
        (b"[" * 200_000, "Row 1: it is nested too deeply"),
    ],
)
def test_a_file_without_a_path_is_refused_with_what_a_row_looks_like(
    content: bytes, why: str, tmp_path: File
) -> None:
    file = tmp_path / "other"
    file.write_bytes(content)
    with pytest.raises(CommandError, match=rf'{why}[\s\S]*"agreed": 0.8'):
        told(file)


def test_a_file_that_cannot_be_read_or_is_too_large_is_refused(
    tmp_path: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    for missing in (tmp_path / "nothing", tmp_path):
        with pytest.raises(CommandError, match="There is no file"):
            told(missing)
    file = tmp_path / "large.jsonl"
    file.write_text(json.dumps(GOOD) + "\n" + json.dumps(GOOD), encoding="utf-8")
    monkeypatch.setattr(people_fit, "MOST_BYTES", 20)
    with pytest.raises(CommandError, match="larger than"):
        told(file)
    monkeypatch.setattr("bazaarbatna.bargain.people.paths.MOST_ROWS", 1)
    with pytest.raises(BadPaths, match="more than 1 rows"):
        sift_paths(file.read_bytes().splitlines())


IDS = ("paths@1", f"{FIT_PATHS}@1", *(f"{family.name}@1" for family in ASSUMPTIONS))


@pytest.mark.parametrize("id_", IDS)
def test_games_with_paths_are_as_the_site_deals_them(id_: str) -> None:
    """Seeds 0 to 199: ten rounds, no deadline of the buyer, one in ten without a zone."""
    suite = people_suite(id_)
    assert suite is not None
    games = [suite.deal(seed) for seed in range(200)]
    assert games == [suite.deal(seed) for seed in range(200)]
    assert {(one.max_rounds, one.sealed.deadline) for one in games} == {(10, None)}
    most = [max(one.anchor, LEAST_BUDGET * one.sealed.reservation) for one in games]
    assert all(one.sealed.budget <= high for one, high in zip(games, most, strict=True))
    assert 0.8 < sum(one.zopa > 0 for one in games) / 200 < 0.98
    assert {one.sealed.persona for one in games} == {f"people:{suite.families[0].name}"}


def answer(seller: PersonSeller, state: State, price: int) -> tuple[State, object]:
    state, _ = advance(state, Offer(Paise(price)))
    move, _ = seller.choose(observe_seller(state))
    state, _ = advance(state, move)
    return state, move


def planned(seller: PersonSeller, seen: SellerObservation) -> list[int]:
    """List what it names against bids that bring nothing, without repetitions."""
    ask, named = seen.asks[0], []
    for share in seller.manners[0].path:
        wanted = max(named_price(share * seen.asks[0], seen.asks[0]), seen.reservation)
        ask = Paise(min(ask, wanted))
        named.append(ask)
    return named


@pytest.mark.parametrize("id_", [f"{one}-rounds-20" for one in IDS[2:]])
def test_a_seller_names_its_path_then_repeats_then_leaves(id_: str) -> None:
    suite = people_suite(id_)
    assert suite is not None
    repeats = int(suite.families[0].name[-1])
    for seed in range(60):
        scenario = suite.deal(seed)
        seller, state = PersonSeller(scenario), start(scenario)[0]
        path = planned(seller, observe_seller(state))
        expected = [*path, *path[-1:] * repeats]
        for price in expected:
            state, move = answer(seller, state, 1)
            assert move == Offer(Paise(price))
        assert answer(seller, state, 1)[1] == Walk()


@pytest.mark.parametrize("id_", ["paths-88-4@1", "paths-97-1@1"])
def test_it_takes_the_next_planned_price_and_no_less_before_its_path_is_over(id_: str) -> None:
    suite = people_suite(id_)
    assert suite is not None
    taken = refused = last = 0
    for seed in range(150):
        scenario = suite.deal(seed)
        seller, state = PersonSeller(scenario), start(scenario)[0]
        reservation = scenario.sealed.reservation
        for place, price in enumerate(planned(seller, observe_seller(state))):
            bids = {price: True, price - 1: price - 1 >= reservation and place > 9}
            for bid, is_enough in bids.items():
                if bid >= state.standing_ask or bid > scenario.sealed.budget:
                    continue
                _, move = answer(seller, state, bid)
                assert (move == Accept()) == is_enough, (seed, place, bid, move)
                taken, refused = taken + is_enough, refused + (not is_enough)
            state, _ = answer(seller, state, 1)
        # Its path is over: now whatever reaches the reservation price is enough.
        if reservation < state.standing_ask and reservation <= scenario.sealed.budget:
            assert answer(seller, state, reservation)[1] == Accept()
            assert answer(seller, state, reservation - 1)[1] != Accept()
            last += 1
    assert min(taken, refused, last) > 30


def test_insults_and_deadlines_end_a_path_early() -> None:
    family = path_family(fit_paths(), name="paths-sore", touchy=1.0, hurried=1.0, repeats=(8, 8))
    insulted = late = 0
    for seed in range(200):
        manner, _ = family.draw(seed)
        assert 0.3 <= manner.insult <= 0.65
        assert 0.4 <= manner.deadline <= 1.0
        seller = PersonSeller.drawn(family, seed)
        scenario = people_suite("paths@1").deal(seed)  # type: ignore[union-attr]
        state, sealed = start(scenario)[0], scenario.sealed
        scenario = msgspec.structs.replace(
            scenario, sealed=msgspec.structs.replace(sealed, budget=scenario.anchor)
        )
        state = start(scenario)[0]
        for round_ in range(1, 11):
            price = int(0.66 * scenario.anchor) if seed % 2 else 1
            price = min(price, sealed.reservation - 1)
            state, move = answer(seller, state, price)
            if isinstance(move, Walk):
                is_insult = price < manner.insult * scenario.anchor
                assert is_insult or round_ >= manner.deadline_round(10)
                insulted, late = insulted + is_insult, late + (not is_insult)
                break
            assert round_ < manner.deadline_round(10)
    assert min(insulted, late) > 40


def test_rows_for_validation_are_read_in_one_place_and_are_not_those_of_the_fit() -> None:
    fit, kept = (file.read_bytes().splitlines() for file in (FIT, VALIDATION))
    assert (len(fit), len(kept)) == (369, 246)
    assert PATHS.paths == sift_paths(kept).paths
    assert fit_paths() == sift_paths(fit).paths != PATHS.paths
    code = [
        file
        for room in (
            "negotiation",
            "agents",
            "replays",
            "arena",
            "training",
            "rooms",
            "bazaar_site",
            "bazaarbatna",
        )
        for file in (ROOT / room).rglob("*.py")
        if "paths_validation" in file.read_text(encoding="utf-8")
    ]
    assert [file.name for file in code] == ["held_out.py"]
