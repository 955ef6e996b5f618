"""The page about the market's web room says what the code says."""

import re
from pathlib import Path
from typing import get_args

import arena.gpu_market.web
from arena.gpu_market.web import actions, api, errors
from arena.gpu_market.web.api import NewMarket
from arena.gpu_market.web.finished import FORMAT
from arena.gpu_market.web.game import MARKET
from arena.models import MarketMatch
from bazaarbatna.market import MarketEvent, make_market, start
from negotiation.errors import SessionError
from negotiation.games.game import PAIRS
from negotiation.games.lease import HELD_S

PAGE = (Path(arena.gpu_market.web.__file__).parents[3] / "docs" / "market_room.md").read_text()


def test_every_kind_of_event_is_a_row_of_the_table() -> None:
    rows = "".join(line for line in PAGE.splitlines() if line.startswith("| `"))
    kinds = [str(kind.__struct_config__.tag) for kind in get_args(MarketEvent)]
    assert [kind for kind in kinds if f"`{kind}`" not in rows] == []


def test_every_error_of_the_room_is_explained() -> None:
    codes = {
        one.code
        for one in vars(errors).values()
        if isinstance(one, type) and issubclass(one, SessionError) and one is not SessionError
    }
    assert len(codes) == 6
    assert [code for code in codes if f"`{code}`" not in PAGE] == []


def test_every_frame_of_a_client_is_explained() -> None:
    sent = [name for name in MARKET.live.types if f'{{"type":"{name}"' not in PAGE]
    assert sent == []


def test_every_address_is_explained() -> None:
    for path, view in api.router.path_operations.items():
        for operation in view.operations:
            for method in operation.methods:
                address = "/api/market/" + re.sub(r"{\w+}", "<id>", path)
                assert f"`{method} {address}`" in PAGE


def test_every_field_of_a_new_match_is_named() -> None:
    row = next(line for line in PAGE.splitlines() if line.startswith("| `POST /api/market/` |"))
    assert [name for name in NewMarket.model_fields if f"`{name}`" not in row] == []


def test_numbers_are_those_of_the_code() -> None:
    assert f"{actions.RUNNING_PER_CLIENT} demos of one address and {actions.RUNNING_AT_ONCE}" in (
        PAGE.replace("\n", " ").replace("  ", " ")
    )
    assert f"over {PAIRS} pairs" in PAGE
    assert f"{HELD_S:g}\n  seconds" in PAGE
    assert FORMAT in PAGE


def test_every_field_of_a_standing_is_named() -> None:
    from arena.gpu_market.web.watching import standing_of

    state, _ = start(make_market("single_trade", 1))
    match = MarketMatch(seats=["archetype", "archetype"], task="single_trade")
    row = next(line for line in PAGE.splitlines() if '{"type":"standing"' in line)
    names = set(standing_of(match, state, "")) - {"type"}
    assert [name for name in names if f"`{name}`" not in row] == []
