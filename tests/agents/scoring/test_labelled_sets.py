"""The labelled lines themselves: enough of everything, nothing twice, halves fixed for ever."""

from collections import Counter

from agents.scoring.labelled import SIGNALS, half_of, only, price_lines, tells_lines


def test_the_sets_are_large_and_hold_no_line_twice() -> None:
    assert len({line.text for line in tells_lines()}) == len(tells_lines()) >= 420
    assert len({line.text for line in price_lines()}) == len(price_lines()) >= 320


def test_every_signal_has_its_lines_and_so_has_silence() -> None:
    shown = Counter(signal for line in tells_lines() for signal in line.signals)
    assert min(shown[signal] for signal in SIGNALS) >= 60
    notes = Counter(line.note for line in tells_lines())
    assert notes["plain"] >= 90
    assert notes["negation"] >= 60


def test_plain_lines_show_nothing() -> None:
    assert not any(line.signals for line in tells_lines() if line.note == "plain")


def test_prices_are_labelled_where_there_is_one() -> None:
    for line in price_lines():
        assert (line.price is not None) == (line.kind == "price"), line.text
        assert line.ask > 0
        assert line.kind != "accept" or line.bid is not None, line.text
    assert Counter(line.kind for line in price_lines()).keys() == {
        "price",
        "accept",
        "none",
        "ambiguous",
    }


def test_a_line_stays_in_its_half() -> None:
    # The hash of these texts never changes; if this fails, the split was changed.
    assert [half_of(text) for text in ("170", "fixed price", "जल्दी", "")] == [
        "held-out",
        "open",
        "held-out",
        "held-out",
    ]


def test_the_halves_are_halves() -> None:
    for lines in (tells_lines(), price_lines()):
        open_half, held_out = only(lines, "open"), only(lines, "held-out")
        assert {*open_half, *held_out} == set(lines)
        assert not {*open_half} & {*held_out}
        assert 0.4 <= len(open_half) / len(lines) <= 0.6


def test_both_scripts_and_both_languages_are_there() -> None:
    for lines in (tells_lines(), price_lines()):
        devanagari = [line for line in lines if any("\u0900" <= c <= "\u097f" for c in line.text)]
        assert len(devanagari) >= 10
