"""Numbers, days and Sauda herself in Hindi: lakhs, months well spelt, and a woman's verbs."""

import datetime as dt
import re

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.formats import date_format
from django.utils.translation import override

from agents.speech.voice import TONGUES
from bazaarbatna.marking import joined

A_MAN = re.compile(
    r"\b(?:khada|ruka|badha|samjha|aaya|gaya|thakta|karta|leta|deta|rakhta) (?:hoon|tha|ji|nahi)\b"
    r"|\bwala main\b|\bpaas aaya\b",
    re.IGNORECASE,
)


def test_numbers_are_grouped_in_lakhs_in_hindi_alone() -> None:
    with override("hi"):
        assert intcomma(184_320) == "1,84,320"
    with override("en-in"):
        assert intcomma(184_320) == "184,320"


def test_days_and_months_are_spelt_as_people_spell_them() -> None:
    with override("hi"):
        told = [date_format(dt.date(2026, month, 26), "l, j F Y") for month in (9, 11, 12)]
    assert told == ["शनिवार, 26 सितंबर 2026", "गुरुवार, 26 नवंबर 2026", "शनिवार, 26 दिसंबर 2026"]


def test_sauda_speaks_of_herself_as_a_woman() -> None:
    for name in ("hinglish", "hindi"):
        tongue = TONGUES[name]
        lines = [*tongue.leads, *tongue.answers, *tongue.questions]
        lines += [
            line for pool in (*tongue.lines.values(), *tongue.replies.values()) for line in pool
        ]
        assert [line for line in lines if A_MAN.search(line)] == []
    assert A_MAN.search("Soch lijiye, main ruka hoon.")
    assert A_MAN.search("Main abhi badha tha, ab aap.")


def test_you_and_the_word_behind_it_are_one_in_hindi_alone() -> None:
    assert joined("बशीर आप को प्रस्ताव देता है") == "बशीर आपको प्रस्ताव देता है"
    assert joined("आप ने हाथ खींच लिया") == "आपने हाथ खींच लिया"
    assert joined("वह आप पर है") == "वह आप पर है"
    assert joined("Bashir offers you two GPUs.") == "Bashir offers you two GPUs."
