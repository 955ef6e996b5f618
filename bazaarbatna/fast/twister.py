"""The numbers of ``random.Random`` for thousands of seeds at once, bit for bit.

Matsumoto and Nishimura (1998), Mersenne Twister; seeding is their ``init_by_array`` of 2002, which
Python uses. A few draws per seed are wanted here and most of the time goes into seeding, which is
one long chain per seed: each step of it is taken for all seeds together.
"""

from collections.abc import Sequence
from hashlib import sha512
from random import Random

import numpy as np

from bazaarbatna.fast.arrays import Floats, Ints, Seeds, Words

SIZE, SHIFT = 624, 397
MOST_WORDS = SIZE - SHIFT
"""Words that one pass can make without needing its own results."""
FEW = 400
"""Below so many seeds Python's own generator is faster."""
BLOCK = 4096
"""Seeds per pass: the state of a block is 10 MB."""

_U = np.uint32
_UPPER, _LOWER, _MATRIX = _U(0x80000000), _U(0x7FFFFFFF), _U(0x9908B0DF)
# Arrays without axes: NumPy takes them faster than scalars, which counts 7,000 times a pass.
_FIRST, _SECOND, _30 = (np.array(value, _U) for value in (1664525, 1566083941, 30))
_PLACES = tuple(np.array(place, _U) for place in range(SIZE))


def _initial() -> Words:
    state = np.empty(SIZE, np.uint32)
    value = 19650218
    for place in range(SIZE):
        state[place] = value
        value = (1812433253 * (value ^ value >> 30) + place + 1) & 0xFFFFFFFF
    return state


_INITIAL = tuple(map(np.array, _initial()))


def words(seeds: Seeds, places: Sequence[int]) -> Words:
    """Return chosen 32-bit outputs of ``Random(seed)`` for each seed, shape (places, seeds).

    ``places`` say which outputs, counted from 0, in rising order.

    >>> bits = Random(7).getrandbits(96)
    >>> words(np.array([7], np.uint64), range(1, 3))[:, 0].tolist() == [
    ...     bits >> 32 & 0xFFFFFFFF, bits >> 64]
    True
    """
    if len(seeds) < FEW or places[-1] >= MOST_WORDS:
        return _one_by_one(seeds.tolist(), places)
    made = np.empty((len(places), len(seeds)), np.uint32)
    for first in range(0, len(seeds), BLOCK):
        block = seeds[first : first + BLOCK]
        into = made[:, first : first + BLOCK]
        # A seed of one word and a seed of two walk through their key differently.
        long = block >> np.uint64(32) != 0
        if long.all() or not long.any():
            halves = np.array((block, block >> np.uint64(32))).astype(_U)
            state = np.empty((SIZE, len(block)), np.uint32)
            _lay(halves[: 1 + bool(long.any())], state)
            _outputs(_seeded(state, places), places, into)
        else:
            into[:, long] = words(block[long], places)
            into[:, ~long] = words(block[~long], places)
    return made


def words_of_texts(texts: Sequence[bytes], places: Sequence[int]) -> Words:
    """Return what ``words`` does, of ``Random(text)``; texts have the lengths of names.

    >>> words_of_texts([b"turn:1"], [0]).tolist() == [[Random("turn:1").getrandbits(32)]]
    True
    """
    if len(texts) < FEW or places[-1] >= MOST_WORDS:
        return _one_by_one(texts, places)
    made = np.empty((len(places), len(texts)), np.uint32)
    for first in range(0, len(texts), BLOCK):
        block = texts[first : first + BLOCK]
        lengths = np.array([-(-len(text) // 4) for text in block])
        order: Ints = np.argsort(lengths, kind="stable")
        state, begin = np.empty((SIZE, len(block)), np.uint32), 0
        for length, count in zip(*np.unique(lengths, return_counts=True), strict=True):
            # Read as one large number: the text and its digest, the last word first.
            size, end = 4 * int(length), begin + int(count)
            of_length = (block[row] for row in order[begin:end].tolist())
            keys = b"".join(text.rjust(size, b"\0") + sha512(text).digest() for text in of_length)
            key = np.frombuffer(keys, ">u4").reshape(end - begin, -1)[:, ::-1].astype(_U)
            _lay(key.T, state[:, begin:end])
            begin = end
        into = np.empty((len(places), len(block)), np.uint32)
        _outputs(_seeded(state, places), places, into)
        made[:, first + order] = into
    return made


def uniforms(high: Words, low: Words) -> Floats:
    """Turn two outputs into what ``Random.random`` makes of them, 0..1 without 1."""
    return ((high >> _U(5)) * 67108864.0 + (low >> _U(6))) * (1.0 / 9007199254740992.0)


def _one_by_one(seeds: Sequence[int] | Sequence[bytes], places: Sequence[int]) -> Words:
    count, generator, drawn = places[-1] + 1, Random(), []
    for seed in seeds:
        generator.seed(seed)
        drawn.append(generator.getrandbits(32 * count).to_bytes(4 * count, "little"))
    table = np.frombuffer(b"".join(drawn), "<u4").reshape(len(drawn), count)
    made: Words = table[:, list(places)].T
    return made


def _lay(key: Words, state: Words) -> None:
    """Lay what ``init_by_array`` adds to each row there, that of its end in row 0.

    ``key`` has a row for each word; seeds whose keys are of other lengths have other columns.
    """
    count = len(key)
    key = key + np.arange(count, dtype=_U)[:, None]
    for place in range(count):
        state[1 + place :: count] = key[place]
    state[0] = key[(SIZE - 1) % count]


def _seeded(state: Words, places: Sequence[int]) -> Words:
    """Run ``init_by_array`` in a state that is laid out, as far as these outputs need it.

    The chain begins with row 2 and comes round to row 1 at its end, so that outputs from 2 on need
    no more of it than the last row they read.
    """
    mixed = np.empty(state.shape[1], np.uint32)
    last = np.full_like(mixed, _INITIAL[0])
    for first, row in zip(_INITIAL[1:], state[1:], strict=True):
        _mix(last, _FIRST, first, mixed)
        last = np.add(mixed, row, row)
    _mix(last, _FIRST, state[1], mixed)
    last = np.add(mixed, state[0], state[1])
    comes_round = places[0] < 2
    end = SIZE if comes_round else places[-1] + SHIFT + 1
    for place, row in zip(_PLACES[2:end], state[2:end], strict=True):
        _mix(last, _SECOND, row, mixed)
        last = np.subtract(mixed, place, row)
    if comes_round:
        _mix(last, _SECOND, state[1], mixed)
        np.subtract(mixed, _U(1), out=state[1])
        state[0] = _UPPER
    return state


def _mix(last: Words, factor: Words, old: Words, mixed: Words) -> None:
    # Where the results go stands third: so NumPy takes it faster, and this runs 1,250 times a pass.
    _shift(last, _30, mixed)
    _xor(mixed, last, mixed)
    _times(mixed, factor, mixed)
    _xor(mixed, old, mixed)


_shift, _xor, _times = np.right_shift, np.bitwise_xor, np.multiply


def _outputs(state: Words, places: Sequence[int], made: Words) -> None:
    rows = np.asarray(places)
    y = (state[rows] & _UPPER) | (state[rows + 1] & _LOWER)
    x = state[rows + SHIFT] ^ (y >> _U(1)) ^ ((y & _U(1)) * _MATRIX)
    x ^= x >> _U(11)
    x ^= (x << _U(7)) & _U(0x9D2C5680)
    x ^= (x << _U(15)) & _U(0xEFC60000)
    np.bitwise_xor(x, x >> _U(18), out=made)
