"""Numbers in a text, in digits or words, English or Hindi, put together to amounts."""

import re

import msgspec
from msgspec.structs import replace

from agents.text.lazily import kept
from agents.text.reading.number_words import (
    ALSO_WORDS,
    ENGLISH_SCALES,
    FIXED,
    HINDI_SCALES,
    NUMBERS,
    PARTS,
    TENS,
    UNITS,
)
from agents.text.reading.plain_text import PlainText, Term, to_plain, to_terms
from agents.text.reading.spelling import word_set

HUGE = 10**13
"""Paise. Anything larger is as good as infinite: far above every price of the game."""

_SCALES = {**ENGLISH_SCALES, **HINDI_SCALES, "l": 100_000, "cr": 10_000_000}
_SMALL = {**NUMBERS, **UNITS, **TENS}
_AFTER_KE = word_set("neeche upar andar liye beech paas baad saath kam saamne jagah badle")
_PERCENT = word_set("percent pratishat")
_GLUE = re.compile(r"\s{0,3}(?:-\s?)?\Z")


FEWEST_AFTER_EK = 20
"""From here on "ek" leaves out the hundred: "ek sattar" is 170, "ek das" is nothing."""


class Amount(msgspec.Struct, frozen=True):
    """A number that was said, at the terms ``first..last``: ``paise`` if it is rupees.

    ``other`` is a second way to read the digits ("1.200"); ``scaled``: a word or letter gave the
    size (12k); ``fraction``: a scale word is missing ("dhai"); ``plain_word``: a word without a
    scale ("pachaas").
    """

    paise: int
    first: int
    last: int
    start: int
    end: int
    digits: str = ""
    other: int | None = None
    scaled: bool = False
    fraction: bool = False


class _Sum:
    def __init__(self) -> None:
        self.total = 0
        self.part: int | None = None
        self.quarter: int | None = None
        self.smallest = HUGE * 100
        self.scaled = False
        self.fixed = False
        self.open_hundred = False
        self.tens = False

    def take_value(self, value: int, *, tens: bool, words: bool) -> bool:
        if self.quarter is not None and self.part is None:
            self.part = value + self.quarter
            self.quarter = None
            self.fixed = True
            return True
        if self.part is None:
            if value >= self.smallest:
                return False
            self.part = value
            self.tens = tens
            return True
        if self.open_hundred and value < 10_000:
            self.part += value
            self.open_hundred, self.tens = False, tens
            return True
        if words and self.tens and value < 1000:
            self.part += value
            self.tens = False
            return True
        if words and self.total and self.part < 1000 <= value < 10_000:
            # "fifteen thousand two fifty": here, too, the hundred is left out.
            self.part, self.tens = self.part * 100 + value, tens
            return True
        # "one seventy", "twelve fifty": the hundred is left out.
        spoken = words and not self.scaled and not self.fixed and value != self.part
        if spoken and self.part < 10_000 and value >= 1000:
            self.part = self.part * 100 + value
            self.scaled, self.tens = True, tens
            return True
        return False

    def take_scale(self, scale: int) -> bool:
        if scale >= self.smallest // 100 and not (self.part is not None and scale == 100):
            return False
        if scale == 100 and self.open_hundred:
            return False  # "sau-sau": a hundred each time
        part = self.part if self.part is not None else 100
        if self.quarter is not None:
            part += self.quarter
            self.quarter = None
        if scale == 100:
            self.part = part * 100
            self.open_hundred = True
        else:
            self.total += part * scale
            self.part, self.open_hundred = None, False
            self.smallest = scale * 100
        self.scaled, self.fixed, self.tens = True, False, False
        return True

    @property
    def value(self) -> int:
        return min(self.total + (self.part or 0), HUGE)


class Parts(msgspec.Struct, frozen=True):
    """A text cut into terms, what follows the last one, and the numbers among them, in order."""

    plain: PlainText
    terms: list[Term]
    tail: str
    amounts: list[Amount]


@kept(512)
def take_apart(text: str) -> Parts:
    """Cut a text and find its numbers. Never raises; what it gives belongs to all who ask.

    >>> [a.paise for a in take_apart("saadhe teen hazaar, 1.5k").amounts]
    [350000, 150000]
    """
    plain = to_plain(text)
    terms, tail = to_terms(plain)
    return Parts(plain, terms, tail, _find_amounts(terms))


def _find_amounts(terms: list[Term]) -> list[Amount]:
    amounts: list[Amount] = []
    place = 0
    while place < len(terms):
        amount = _read(terms, place)
        if amount is None:
            place += 1
            continue
        place = amount.last + 1
        if amounts and _leaves_thousand_out(terms, amounts[-1], amount):
            before = amounts.pop()
            paise = before.paise * 1000 + amount.paise
            amount = replace(amount, paise=paise, first=before.first, start=before.start)
        amounts.append(amount)
    return amounts


def _leaves_thousand_out(terms: list[Term], left: Amount, right: Amount) -> bool:
    """Whether two numbers in words are one: "thirty six eight hundred"."""
    follows = left.last + 1 == right.first and _continues(terms, right.first)
    bare = not (left.digits or left.scaled or left.fraction or right.digits)
    hundreds = right.scaled and right.paise in range(10_000, 100_000, 10_000)
    return follows and bare and hundreds and 1000 <= left.paise < 10_000


def _read(terms: list[Term], first: int) -> Amount | None:
    total = _Sum()
    digits, other = "", None
    last = None
    place = first
    while place < len(terms):
        term = terms[place]
        if place > first and not _continues(terms, place):
            break
        if term.digits:
            value, second = _digits_value(term.text)
            if (digits and not total.scaled) or not total.take_value(
                value, tens=False, words=False
            ):
                break
            digits, other = digits or term.text, second if place == first else None
            last = place
        else:
            taken = _take_word(total, terms, place)
            if taken is None:
                break
            if taken:
                last = place
        place += 1
    if last is None or (total.quarter is not None and total.part is None and not total.scaled):
        return None
    return Amount(
        paise=total.value,
        first=first,
        last=last,
        start=terms[first].start,
        end=terms[last].end,
        digits=digits,
        other=None if total.scaled else other,
        scaled=total.scaled,
        fraction=total.fixed and not total.scaled,
    )


def _continues(terms: list[Term], place: int) -> bool:
    gap = terms[place].gap
    if gap == "":
        # "12k" and "2lakh" go on; "s21" never began.
        return terms[place - 1].digits
    return _GLUE.match(gap) is not None


def _take_word(total: _Sum, terms: list[Term], place: int) -> bool | None:
    word = terms[place].text
    scale = 100 if _is_sau(terms, place) else _SCALES.get(word)
    if scale is not None:
        # A lone letter is a scale only behind digits: "12 k", never "k bhai".
        if len(word) == 1 and not _is_scale_letter(terms, place):
            return None
        return True if total.take_scale(scale) else None
    if word in PARTS and total.part is None and total.quarter is None:
        total.quarter = round(PARTS[word] * 100)
        return False
    if word in FIXED and total.part is None and not total.scaled:
        total.take_value(round(FIXED[word] * 100), tens=False, words=True)
        total.fixed = True
        return True
    if word in _SMALL and _is_number(terms, place, total):
        tens = word in TENS
        return True if total.take_value(_SMALL[word] * 100, tens=tens, words=True) else None
    if word in ("and", "n") and total.open_hundred and _next_small(terms, place):
        return False
    if word == "and" and total.total and terms[place + 1 : place + 2]:
        # "three thousand and fifty", but not "two thousand and one charger".
        return False if terms[place + 1].text in TENS else None
    return _take_half(total, terms, place)


def _take_half(total: _Sum, terms: list[Term], place: int) -> bool | None:
    ahead = [term.text for term in terms[place : place + 4]]
    ahead = [word for word in ahead if word != "a"] if ahead[0] != "a" else ahead[1:]
    if ahead[:1] == ["and"]:
        ahead = ahead[1:]
    if total.part is None or ahead[:1] != ["half"] or not (set(ahead[1:2]) & _SCALES.keys()):
        return None
    if terms[place].text != "half":
        return False
    total.part += 50
    return True


def _is_sau(terms: list[Term], place: int) -> bool:
    if place >= len(terms) or terms[place].text != "so" or not place:
        return False
    before = terms[place - 1].text
    following = terms[place + 1].text if place + 1 < len(terms) else ""
    return before in NUMBERS and (before != "do" or following in NUMBERS)


def _is_scale_letter(terms: list[Term], place: int) -> bool:
    if not place:
        return False
    before = terms[place - 1]
    if not before.digits:
        # "seven k", "two and a half k"; "teen k" would be "teen ke".
        return before.text in UNITS or before.text in ("half", *TENS)
    following = terms[place + 1].text if place + 1 < len(terms) else ""
    # "3200 k neeche nahi": this k is the word "ke".
    return terms[place].gap == "" or following not in _AFTER_KE


def _is_number(terms: list[Term], place: int, total: _Sum) -> bool:
    if terms[place].text not in ALSO_WORDS and terms[place].text != "one":
        return True
    if total.quarter is not None:
        return True
    if total.total and [term.text for term in terms[place + 1 : place + 2]] == ["rupees"]:
        return True  # "paanch hazaar ek rupaya", for luck
    following = terms[place + 1] if place + 1 < len(terms) else None
    if following is None or _GLUE.match(following.gap) is None or not following.gap:
        return total.open_hundred and terms[place].text != "do"
    if _is_sau(terms, place + 1) or (following.text in _SCALES and len(following.text) > 1):
        return True
    if following.text in _PERCENT:
        return True
    if terms[place].text == "ek":
        return NUMBERS.get(following.text, 0) >= FEWEST_AFTER_EK
    return terms[place].text == "one" and following.text in TENS


def _next_small(terms: list[Term], place: int) -> bool:
    return place + 1 < len(terms) and terms[place + 1].text in _SMALL


def _digits_value(text: str) -> tuple[int, int | None]:
    text = text.replace("o", "0")
    if len(text) > 24:
        return HUGE, None
    whole, dot, rest = text.partition(".")
    if not dot:
        return _grouped(text), None
    if "." in rest:
        return HUGE if not text.replace(".", "").isdigit() else _european(text), None
    if "," in rest:
        return _european(text), None
    value = _grouped(whole or "0") + int((rest + "00")[:2]) if len(rest) != 2 else 0
    if len(rest) == 2:
        value = _grouped(whole or "0") + int(rest)
    second = int(whole + rest) * 100 if len(rest) == 3 and 0 < len(whole) < 4 else None
    return min(value, HUGE), second


def _grouped(text: str) -> int:
    return min(int(text.replace(",", "") or "0") * 100, HUGE)


def _european(text: str) -> int:
    whole, _, cents = text.partition(",")
    return min(
        int(whole.replace(".", "") or "0") * 100
        + int((cents.replace(",", "").replace(".", "") + "00")[:2]),
        HUGE,
    )
