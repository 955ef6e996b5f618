"""Temper that shows in how a line is typed: capitals, rows of signs, angry faces."""

import re

from agents.tells_reader.words import Found

_SHOUT = re.compile(r"[A-Z]{2,}(?:[ ,'!.-]{1,3}[A-Z]{2,})*")
_SIGNS = re.compile(r"[!?]{2,}")
_FACES = re.compile("[\U0001f620\U0001f621\U0001f624\U0001f92c\U0001f595]+")
_ABBREVIATIONS = re.compile(
    r"\b(?:"
    r"GB|TB|MB|RAM|ROM|SSD|HDD|HDMI|USB|TV|LED|LCD|OLED|AMOLED|QLED|AC|DC|CC|HP|LG|JBL|"
    r"MRP|EMI|OLX|UPI|COD|BHK|RC|NOC|PUC|ABS|ISO|AM|PM|OK|DSLR|GPS|WIFI|NFC|SIM|PC|MI|"
    r"PS|VIP|DVD|CD|IPS|CPU|GPU|INR|RS|SAMSUNG|BAJAJ|HONDA|YAMAHA|LENOVO|ONEPLUS|"
    r"REALME|PHILIPS|SONY|ASUS|ACER|DELL|BOSE|NIKE|PUMA|IKEA)\b"
)
"""Capitals that nobody shouts."""

SHOUT_LETTERS = 6
"""Fewer capitals than this are an abbreviation."""


def find_shouting(text: str) -> list[Found]:
    """Find capitals, "!!!" and angry faces in a text as written (spans in code points)."""
    shouts = [
        Found(
            m.start(), m.end(), "escalation", _loudness(m[0]), "You shout: capitals read as temper."
        )
        for m in _SHOUT.finditer(text)
        if _is_shout(m[0])
    ]
    signs = [
        Found(
            m.start(), m.end(), "escalation", _row(m[0]), "A row of signs reads as a raised voice."
        )
        for m in _SIGNS.finditer(text)
    ]
    faces = [
        Found(m.start(), m.end(), "escalation", 0.6, "An angry face is a raised voice.")
        for m in _FACES.finditer(text)
    ]
    return [*shouts, *signs, *faces]


def _is_shout(run: str) -> bool:
    return sum(letter.isalpha() for letter in _ABBREVIATIONS.sub("", run)) >= SHOUT_LETTERS


def _loudness(run: str) -> float:
    return round(min(0.4 + 0.02 * len(run), 0.8), 2)


def _row(run: str) -> float:
    return round(min(0.15 + 0.1 * len(run), 0.6), 2)
