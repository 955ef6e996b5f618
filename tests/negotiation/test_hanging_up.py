"""Close codes are ones that a server may send: the library refuses the reserved ones."""

import pytest

from negotiation import hanging_up

CODES = {name: code for name, code in vars(hanging_up).items() if name.startswith("CLOSE_")}


@pytest.mark.parametrize("name", CODES)
def test_a_close_code_is_for_private_use(name: str) -> None:
    assert 4000 <= CODES[name] <= 4999


def test_each_reason_has_a_code_of_its_own() -> None:
    assert len({*CODES.values()}) == len(CODES) > 4
