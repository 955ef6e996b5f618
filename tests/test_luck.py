"""What a test leaves to chance is the same at every run."""

import os
import secrets
from random import Random

import pytest


def test_it_is_drawn_from_the_name_of_the_test(request: pytest.FixtureRequest) -> None:
    own = Random(f"{os.environ.get('TEST_LUCK', '')}:{request.node.nodeid}")
    assert secrets.randbelow(2**62) == own.randrange(2**62)
    assert secrets.token_bytes(8) == own.randbytes(8)
