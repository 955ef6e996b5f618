"""Which rows of a package words fill: options by their names, numbers by where they fit."""

import re
from collections.abc import Iterator
from itertools import chain

from bazaarbatna.cases.case import Case, Choice, Number, Package

_NUMBER = re.compile(r"(\d[\d,]*(?:\.\d+)?)\s*(k\b|thousand\b|hazaar\b|hazar\b|lakh\b)?", re.I)
_TIMES = {"k": 1000, "thousand": 1000, "hazaar": 1000, "hazar": 1000}


def read_words(case: Case, text: str) -> Package:
    """Return the values that words name, in any language of the case; what is in doubt stays open.

    >>> from bazaarbatna.cases.case import in_library
    >>> read_words(in_library()["scooter"], "45,000, on Sunday and with the helmet")
    {'price': 45000, 'day': 'sunday', 'helmet': 'given'}
    """
    low = " ".join(re.sub(r"[^\w,. \u0900-\u097f]", " ", text.lower()).split())
    found: Package = {}
    for issue in case.issues:
        if isinstance(issue, Choice):
            named = [
                one.key
                for one in issue.options
                if any(_holds(low, name) for name in chain(one.label.values(), *one.words.values()))
            ]
            if len(named) == 1:
                found[issue.key] = named[0]
    for number, word in _numbers(low):
        fits = [
            issue
            for issue in case.issues
            if isinstance(issue, Number) and number in issue.values and issue.key not in found
        ]
        near = [one for one in fits if _is_near(low, word, one)]
        if len(only := near or fits) == 1:
            found[only[0].key] = number
    return {issue.key: found[issue.key] for issue in case.issues if issue.key in found}


def _holds(low: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", low) is not None


def _numbers(low: str) -> Iterator[tuple[int, str]]:
    for found in _NUMBER.finditer(low):
        times = _TIMES.get((found[2] or "").lower(), 1)
        number = float(found[1].replace(",", "").rstrip(".")) * times
        if number.is_integer():
            yield int(number), found[0].strip()


def _is_near(low: str, word: str, issue: Number) -> bool:
    """Whether a number stands beside the issue's name or before its unit."""
    units = [one.split()[0].lower() for one in issue.unit.values() if one.strip()]
    labels = [one.lower() for one in issue.label.values()]
    after = any(re.search(rf"{re.escape(word)}\s*{re.escape(unit)}", low) for unit in units)
    before = any(
        re.search(rf"{re.escape(label)}\W{{0,4}}{re.escape(word)}", low) for label in labels
    )
    return after or before
