"""Draws for many seeds at once are those of ``random.Random``, to the last bit."""

from random import Random

import numpy as np
import pytest

from bazaarbatna.fast import twister
from bazaarbatna.fast.twister import uniforms, words, words_of_texts


def by_python(seed: int | str, places: list[int]) -> list[int]:
    bits = Random(seed).getrandbits(32 * (places[-1] + 1))
    return [bits >> 32 * place & 0xFFFFFFFF for place in places]


@pytest.mark.parametrize("places", [[0, 1, 5, 80, 226], [2, 3, 99], [1], [226]])
@pytest.mark.parametrize("many", [3, twister.FEW, twister.BLOCK + 100])
def test_seeds_of_one_word_and_of_two_give_their_own_numbers(many: int, places: list[int]) -> None:
    rng = np.random.default_rng(many)
    seeds = rng.integers(0, 2**33, many, dtype=np.uint64)
    seeds[:3] = (0, 2**32 - 1, 2**64 - 1)
    made = words(seeds, places)
    for column in [*range(3), *rng.integers(0, many, 30).tolist()]:
        assert made[:, column].tolist() == by_python(int(seeds[column]), places)


def test_long_games_draw_beyond_the_first_pass() -> None:
    seeds = np.arange(twister.FEW, dtype=np.uint64)
    assert words(seeds, [700])[:, 7].tolist() == by_python(7, [700])


def test_two_outputs_make_one_number_as_random_does() -> None:
    seeds = np.arange(1000, dtype=np.uint64)
    made = uniforms(*words(seeds, range(2)))
    assert made.tolist() == [Random(seed).random() for seed in range(1000)]


@pytest.mark.parametrize("many", [3, twister.BLOCK + 100])
def test_texts_give_their_own_numbers(many: int) -> None:
    """Names of 5 to 22 bytes: keys of several lengths, and lengths of few and of many texts."""
    rng = np.random.default_rng(many)
    texts = [
        b"turn:%d:%d" % (rng.integers(0, 10 ** rng.integers(1, 16)), i % 20) for i in range(many)
    ]
    made = words_of_texts(texts, [0, 1, 24])
    for column in rng.integers(0, many, 60).tolist():
        assert made[:, column].tolist() == by_python(texts[column].decode(), [0, 1, 24])
