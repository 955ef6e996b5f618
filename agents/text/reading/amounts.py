"""Numbers in a text, in digits or words, English or Hindi, put together to amounts."""

import re
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from agents.text.reading.phrases import CLASSES
from agents.text.reading.plain_text import PlainText, Term, to_plain, to_terms
from agents.text.reading.spelling import spell, word_set
from bazaarbatna.lazily import kept
from bazaarbatna.number_words import (
    ALSO_WORDS,
    ENGLISH_SCALES,
    FIXED,
    HEARD_BEFORE,
    HINDI_SCALES,
    NUMBERS,
    PARTS,
    SPOKEN_DIGITS,
    TENS,
    UNITS,
    resembling,
)

HUGE = 10**13
"""Paise. Anything larger is as good as infinite: far above every price of the game."""

_SCALES = {**ENGLISH_SCALES, **HINDI_SCALES, "l": 100_000, "cr": 10_000_000}
_SMALL = NUMBERS | UNITS | TENS
DIGITS = {**{str(digit): digit for digit in range(10)}, **SPOKEN_DIGITS}
"""What one says digit by digit: "four two five zero", "1 5 5 0"."""
_AFTER_KE = word_set("neeche upar andar zyada liye beech paas baad saath kam saamne jagah badle")
_PERCENT = word_set("percent pratishat")
_AFTER_SIXTY = word_set("pe par tak final last only hai de dedo hazaar")
_AFTER_PRICE = word_set(
    "rupees mein pe par final last only bas chalega done ok pakka de dedo lelo se ka ki ko dunga "
    "denge lunga kar kardo karo hai hi tak fixed please bhai sir madam ji yaar chahiye lagao laga "
    "net or and aur to less more kam"
)
"""Words behind a whole price."""
_GOES_ON = frozenset((*_SCALES, *_SMALL, *FIXED, *PARTS, *_AFTER_PRICE))
_COUNTED = frozenset().union(*(CLASSES[name] for name in ("unit", "time", "people")))
_GLUE = re.compile(r"\s{0,3}(?:-\s?)?\Z")
_STOP = re.compile(r"\s?(?:\.{1,3}|…)\s?\Z")
"""What may come between a number and its scale: "seven. thousand."."""
_ONE_WORD = re.compile(r"(\w{2,}?)(so|sau|haz+a+r|haja+r|lakh|hundred|thousand)\Z")
_THIRD_DECIMAL = re.compile(r"^\d+(?:\.\d{1,2})?|^\.\d{1,2}|\D.*")
_TWO_DIGITS = re.compile(r"\d\d")
_HALVES, _QUARTERS = word_set("half aadha"), word_set("quarter")


FEWEST_AFTER_EK = 11
"""From here on "ek" leaves out the hundred: "ek sattar" is 170, "ek das" is nothing."""


class Amount(msgspec.Struct, frozen=True):
    """A number that was said, at the terms ``first..last``: ``paise`` if it is rupees.

    ``other`` is a second way to read the digits ("1.200"); ``scaled``: a word or letter gave the
    size (12k); ``fraction``: a scale word is missing ("dhai"); ``spoken``: the hundred was left
    out, and perhaps more ("eight sixty five").
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
    spoken: bool = False


FEW = 200
"""Numbers that lie no further apart, in paise, are two: "pachis chhabbis"."""


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
        self.glued = False
        self.spoken = False
        self.finer = 0.0

    def take_value(self, value: int, *, tens: bool, words: bool, joins: bool = True) -> bool:
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
        if self.open_hundred and value < 10_000 and joins:
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
        spoken = words and joins and not self.scaled and not self.fixed
        spoken = spoken and not 0 <= value - self.part <= FEW
        if spoken and self.part < 10_000 and value >= 1000:
            self.part = self.part * 100 + value
            self.scaled, self.tens, self.spoken = True, tens, True
            return True
        return False

    def take_scale(self, scale: int) -> bool:
        if scale >= self.smallest // 100 and not (self.part is not None and scale == 100):
            return False
        if scale == 100 and self.open_hundred:
            return False  # "sau-sau": a hundred each time
        part = self.part + self.finer if self.part is not None else 100
        if self.quarter is not None:
            part += self.quarter
            self.quarter = None
        if scale == 100:
            self.part = round(part * 100)
            self.open_hundred = True
        else:
            self.total += round(part * scale)
            self.part, self.open_hundred = None, False
            self.smallest = scale * 100
        self.scaled, self.fixed, self.tens, self.spoken = True, False, False, False
        return True

    @property
    def value(self) -> int:
        return min(self.total + (self.part or 0) * self._left_out(), HUGE)

    def _left_out(self) -> int:
        """Return the scale that a last number leaves out: "do lakh das", "5k5"."""
        rupees = (self.part or 0) // 100
        if self.open_hundred or self.quarter is not None:
            return 1
        if self.total and self.smallest >= LAKH and LEAST_LEFT_OUT <= rupees < 100:
            return self.smallest // LAKH * 1000
        if self.glued and self.smallest == THOUSAND and 0 < rupees < 10:
            return 100
        return 1


THOUSAND, LAKH = 1000 * 100, 100_000 * 100
"""Scales in paise."""
LEAST_LEFT_OUT = 2
"""One alone is for luck: "ek lakh ek"."""


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


def _digit_by_digit(terms: list[Term], first: int) -> Amount | None:
    """Read "four two five zero", "1 5 5 0"; counting up ("one two three four") is no number."""
    last = first
    while (
        last < len(terms)
        and terms[last].text in DIGITS
        and (last == first or terms[last].gap == " ")
    ):
        last += 1
    told = "".join(str(DIGITS[term.text]) for term in terms[first:last])
    counts = all(int(right) == int(left) + 1 for left, right in pairwise(told))
    inside = first and terms[first - 1].text in DIGITS
    if len(told) not in SPELLED or counts or inside or told[0] == "0" or _goes_on(terms, last):
        return None
    start, end = terms[first].start, terms[last - 1].end
    return Amount(int(told) * 100, first, last - 1, start, end, digits=told)


SPELLED = range(4, 7)
"""So many digits, said one by one, are a price."""


def _goes_on(terms: list[Term], place: int) -> bool:
    """Whether what follows belongs to the last digit: "four two five hundred"."""
    return place < len(terms) and (terms[place].text in _SCALES or terms[place].digits)


def _read(terms: list[Term], first: int) -> Amount | None:
    told = _digit_by_digit(terms, first)
    if told is not None:
        return told
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
            counts = place > first and _counts_things(total, terms, place, value)
            if counts or (digits and not total.scaled):
                break
            if not total.take_value(value, tens=False, words=False):
                break
            total.glued = term.gap == "" and place > first
            total.finer = float(f"0.{_THIRD_DECIMAL.sub('', term.text) or 0}")
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
        spoken=total.spoken,
    )


def _continues(terms: list[Term], place: int) -> bool:
    gap = terms[place].gap
    if gap == "":
        # "12k", "2lakh" and "5k5" go on; "s21" never began.
        before = terms[place - 1]
        return before.digits or (terms[place].digits and before.text in _SCALES)
    is_scale = len(terms[place].text) > 1 and terms[place].text in _SCALES
    return _GLUE.match(gap) is not None or (is_scale and _STOP.match(gap) is not None)


def _take_word(total: _Sum, terms: list[Term], place: int) -> bool | None:
    word = terms[place].text
    following = terms[place + 1].text if place + 1 < len(terms) else ""
    scale = 100 if _is_sau(terms, place) else _SCALES.get(word)
    if scale is not None:
        # A lone letter is a scale only behind digits: "12 k", never "k bhai".
        if len(word) == 1 and not _is_scale_letter(terms, place):
            return None
        return True if total.take_scale(scale) else None
    if word in PARTS and total.part is None and total.quarter is None:
        total.quarter = round(PARTS[word] * 100)
        return False
    if _take_whole(total, word, following) or _take_glued(total, word):
        return True
    word = _heard(word, following, total)
    if word in _SMALL and _counts_things(total, terms, place, _SMALL[word] * 100):
        return None
    if word in _SMALL and _is_number(terms, place, total):
        # "sau do sau", "chaar bayalis sau": a number of hundreds begins anew.
        joins = _SCALES.get(following) != 100 and not _is_sau(terms, place + 1)
        taken = total.take_value(_SMALL[word] * 100, tens=word in TENS, words=True, joins=joins)
        return True if taken else None
    is_small = following in _SMALL or _TWO_DIGITS.fullmatch(following) is not None
    if word in ("and", "n") and total.open_hundred and is_small:
        return False
    if word in ("and", "aur") and total.scaled and _adds_up(total, terms, place + 1):
        return False
    return _take_half(total, terms, place)


def _heard(word: str, following: str, total: _Sum) -> str:
    """Hear a number in what stands before a scale, however it is spelled: "choubees sau"."""
    if total.total or following != "hundred":
        word = HEARD_BEFORE.get(following, {}).get(word, word)
    before_scale = following in _SCALES and len(following) > 1 and word not in _SMALL
    return (resembling(word) or word) if before_scale else word


def _counts_things(total: _Sum, terms: list[Term], place: int, value: int) -> bool:
    """Whether a number behind a scale is no tail of it: "20k 16 gb", "21k two controllers"."""
    following = terms[place + 1] if place + 1 < len(terms) else None
    if not total.total or total.part is not None or following is None:
        return False
    if following.digits:
        return following.gap.strip() == "/"  # "17k 8/128"
    if terms[place].gap == "" or _GLUE.match(following.gap) is None:
        return False  # "34k5 best"
    goes_on = following.text in _GOES_ON or _is_sau(terms, place + 1)
    near = {term.text for term in terms[place + 1 : place + (2 if goes_on else 3)]}
    is_few = value < 1000 and total.smallest == THOUSAND
    return not near.isdisjoint(_COUNTED) or (is_few and not goes_on)


def _take_whole(total: _Sum, word: str, following: str) -> bool:
    """Take a word that has a fraction or a scale in it: "dedh", "half lakh", "teenso"."""
    if total.part is not None:
        return False
    if word in FIXED and (not total.scaled or following in _SCALES):
        total.part, total.fixed = round(FIXED[word] * 100), True
        return True
    if word in _HALVES and following in _SCALES and not total.scaled:
        total.part = 50
        return True
    whole = _ONE_WORD.match(word)
    if whole is None or whole[1] not in _SMALL:
        return False
    total.part = _SMALL[whole[1]] * 100
    return total.take_scale(_SCALES.get(spell(whole[2]), 100))


def _take_glued(total: _Sum, word: str) -> bool:
    """Take a part written against its number, as in Marathi: "sadebara", twelve and a half."""
    glued = _PART_AND_NUMBER.fullmatch(word)
    whole = glued and NUMBERS.get(spell(glued[2]))
    if not (glued and whole) or total.part is not None or total.quarter is not None:
        return False
    total.part, total.fixed = round((whole + PARTS[glued[1]]) * 100), True
    return True


_PART_AND_NUMBER = re.compile(r"(sade|saade|sadhe|saadhe|sava|paune)(\w{2,})")


def _adds_up(total: _Sum, terms: list[Term], place: int) -> bool:
    """Whether a number behind "and" belongs to the one before: "paanch hazaar aur do sau"."""
    following = terms[place : place + 2]
    if not following or following[0].gap.strip():
        return False
    if following[0].text in TENS:
        return True  # "three thousand and fifty", but not "two thousand and one charger"
    is_number = following[0].digits or _SMALL.get(following[0].text) is not None
    if not is_number or len(following) == 1:
        return is_number and following[0].text not in ALSO_WORDS
    # What is counted is something else: "do hazaar aur 2 charger".
    ends = _GLUE.match(following[1].gap) is None
    return (
        ends
        or 100 * _SCALES.get(following[1].text, HUGE) < total.smallest
        or _is_sau(terms, place + 1)
        or (following[1].text in _AFTER_PRICE and following[0].text not in ALSO_WORDS)
    )


def _take_half(total: _Sum, terms: list[Term], place: int) -> bool | None:
    """Take "and a half", "and a quarter" behind a number; a scale that follows is of both."""
    ahead = [term.text for term in terms[place : place + 4]]
    part = next((word for word in ahead if word not in ("a", "and", "n")), "")
    if part not in _HALVES | _QUARTERS or ahead[0] not in ("a", "and", "n", part):
        return None
    if total.part is None:
        return None
    behind = ahead[ahead.index(part) + 1 : ahead.index(part) + 2]
    if not behind or behind[0] not in _SCALES:
        # "8000 and half the petrol" has no half of a rupee.
        whole = total.scaled or total.part >= 10_000 or part not in _HALVES
        if whole or (ahead[0] != "and" and not total.fixed):
            return None
        total.fixed = True
    if terms[place].text != part:
        return False
    total.part += 50 if part in _HALVES else 25
    return True


def _is_sau(terms: list[Term], place: int) -> bool:
    if place >= len(terms) or terms[place].text != "so" or not place:
        return False
    before = terms[place - 1].text
    following = terms[place + 1].text if place + 1 < len(terms) else ""
    follows = place > 1 and terms[place - 2].text in _SCALES  # "bees hazaar do so"
    return before in NUMBERS and (before != "do" or follows or following in NUMBERS)


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
    word, following = terms[place].text, terms[place + 1] if place + 1 < len(terms) else None
    if (word not in ALSO_WORDS and word != "one") or total.quarter is not None:
        return True
    after = following.text if following is not None else ""
    if word == "one" and (total.tens or (total.open_hundred and after in _AFTER_PRICE)):
        return True  # "ninety one", "five hundred and one only"
    beyond = terms[place + 2].text if place + 2 < len(terms) else ""
    if total.total and (after == "rupees" or (not after and word != "do")):
        return beyond not in _AFTER_KE  # "paanch hazaar ek rupaya" is for luck, "ek kam" is not
    if total.smallest >= LAKH and after in _AFTER_SIXTY and word in ("saath", "sath"):
        return True  # "do lakh saath pe"
    if following is None or _GLUE.match(following.gap) is None or not following.gap:
        return total.open_hundred and word != "do"
    if _is_sau(terms, place + 1) or (after in _SCALES and len(after) > 1) or after in _PERCENT:
        return True
    low, high = NUMBERS.get(word, 0), NUMBERS.get(after, 0)
    hundreds = low and high // 10 == low and _SCALES.get(beyond) == 100  # "teen battis sau"
    if beyond and (high - low in (1, 2) or hundreds):
        # "do teen hazaar", but not "de do teen hazaar"
        return beyond in _SCALES and (not place or terms[place - 1].text != "de")
    if word == "ek":
        return NUMBERS.get(after, 0) >= FEWEST_AFTER_EK
    if word == "one" and after == "and":
        return {term.text for term in terms[place + 2 : place + 4]} & (_HALVES | _QUARTERS) != set()
    return word == "one" and (after in TENS or UNITS.get(after, 0) >= FEWEST_AFTER_EK)


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
    second = int(whole + rest) * 100 if len(rest) == 3 and 0 < len(whole) < 4 else None
    return min(_grouped(whole or "0") + int((rest + "00")[:2]), HUGE), second


def _grouped(text: str) -> int:
    return min(int(text.replace(",", "") or "0") * 100, HUGE)


def _european(text: str) -> int:
    whole, _, cents = text.partition(",")
    return min(
        int(whole.replace(".", "") or "0") * 100
        + int((cents.replace(",", "").replace(".", "") + "00")[:2]),
        HUGE,
    )
