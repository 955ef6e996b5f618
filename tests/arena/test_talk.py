"""What is said around the table: by what each viewer may see, and by nothing else."""

import itertools
import re
from collections.abc import Iterator
from random import Random
from typing import get_args

import pytest
from django.utils.translation import override
from msgspec.structs import replace

from agents.speech.truths import answers as truths_in
from agents.text.languages import Register
from arena.auction.charts.course import BidMark, Course, course_of
from arena.auction.web import matches, talk
from arena.auction.web.moments import moments_of, said_with
from arena.auction.web.orders import Order
from arena.auction.web.running import turns_of
from arena.auction.web.visibility import Viewer, frames
from bazaarbatna.auction.events import Bid, Hold, Leave
from bazaarbatna.bargain.quantities import Paise
from bazaarbatna.money import rupees_text
from negotiation.catalogue.stock import read_stock
from negotiation.models import EventRow, Game, Listing
from tests.support.tables import a_match, closes, plays_out

pytestmark = pytest.mark.django_db

OPEN, SEALED, SEAT = Viewer("open"), Viewer("sealed"), Viewer("seat", 0)


def seen(match_id: str, viewer: Viewer) -> Course:
    return course_of(frames(Game.objects.get(pk=match_id), viewer))


def lines(match_id: str, viewer: Viewer) -> list[str]:
    """What the seller says to opened rounds, which is about silly bids alone."""
    log = frames(Game.objects.get(pk=match_id), viewer)
    course = course_of(log)
    rounds = [frame for frame in log if frame["event"]["kind"] == "round"]
    said = [text for one in rounds if (text := talk.said_by_seller(course, one["event"]))]
    told = [item for one in rounds if (item := said_with(one, course))]
    assert said == [one.text for item in told for one in item.lines if one.lane is None]
    return said


def sayings(match_id: str, viewer: Viewer) -> list[tuple[str, str]]:
    """Everything that rivals say to the table, with their names."""
    log = frames(Game.objects.get(pk=match_id), viewer)
    told = [talk.said_by_rival(course_of(log), frame["event"]) for frame in log]
    return [(one.lane.name, one.text) for one in told if one]


def a_silly_round(*line_up: str, first: int = 5_000) -> str:
    """A round in which the first seat bids next to nothing and the others sensibly."""
    match = a_match(*line_up)
    state = matches.current(match.pk)[1].state
    closes(match.pk, 0, Bid(Paise(first), "lo"))
    for seat in range(1, len(line_up)):
        sensible = min(state.ask * 6 // 10, state.scenario.sealed.budgets[seat])
        closes(match.pk, seat, Bid(Paise(sensible)))
    return match.pk


def test_a_bid_far_below_the_ask_gets_an_answer_in_words() -> None:
    match_id = a_silly_round("rules:boulware", "rules:micro", "rules:smart")
    [said] = lines(match_id, OPEN)
    log = frames(Game.objects.get(pk=match_id), OPEN)
    moment = next(one for one in moments_of(log, course_of(log)) if one.kind == "round")
    assert moment.quote == said


def test_nobody_laughs_at_a_bid_that_is_sealed_to_them() -> None:
    match_id = a_silly_round("rules:micro", "rules:boulware", "person")
    assert lines(match_id, SEALED) == []
    assert lines(match_id, Viewer("seat", 2)) == []
    plays_out(match_id)
    assert lines(match_id, Viewer("replay")) == [], "it was not said"


def test_who_made_it_hears_it_then_and_later_and_nobody_else_does() -> None:
    match_id = a_silly_round("person", "rules:boulware", "rules:micro")
    [heard] = lines(match_id, SEAT)
    assert heard
    assert lines(match_id, SEALED) == []
    assert lines(match_id, Viewer("seat", 1)) == []
    plays_out(match_id)
    assert lines(match_id, Viewer("replay"))[0] == heard


def test_a_sensible_bid_is_left_alone() -> None:
    match_id = a_silly_round("rules:boulware", "rules:micro", first=130_000)
    assert lines(match_id, OPEN) == []


def test_a_bid_above_everything_is_wondered_at() -> None:
    match = a_match("rules:boulware", "rules:micro", "rules:smart")
    state = matches.current(match.pk)[1].state
    rich = max(range(3), key=lambda seat: state.scenario.sealed.budgets[seat])
    for seat in range(3):
        high = min(state.scenario.sealed.budgets[seat], state.ask * 9 // 10)
        closes(match.pk, seat, Bid(Paise(high if seat == rich else state.ask * 45 // 100)))
    course = seen(match.pk, OPEN)
    mark = course.lanes[rich].marks[0]
    assert talk.silly(course, course.lanes[rich], mark) == "far"
    assert len(lines(match.pk, OPEN)) == 1


def test_whoever_creeps_up_from_below_is_laughed_at_once() -> None:
    match_id = a_silly_round("rules:boulware", "rules:micro", "rules:smart")
    closes(match_id, 0, Bid(Paise(5_500)))
    closes(match_id, 1, Hold())
    closes(match_id, 2, Hold())
    assert len(lines(match_id, OPEN)) == 1


def test_the_same_log_is_told_in_the_same_words() -> None:
    match_id = a_silly_round("rules:boulware", "rules:micro", "rules:smart")
    assert lines(match_id, OPEN) == lines(match_id, OPEN)


@pytest.mark.parametrize("table", ["talk", "hinglish"])
def test_every_laugh_can_be_told_to_whoever_caused_it(table: str) -> None:
    for kind in get_args(talk.Silly):
        assert any("{who}" not in line for line in talk._lines(table).seller[kind]), kind


@pytest.mark.parametrize("you", [False, True])
def test_no_answer_to_a_silly_bid_comes_twice(you: bool) -> None:
    match = a_match("rules:boulware", "rules:micro", "rules:smart")
    empty = seen(match.pk, OPEN)
    answers = 0
    for number in range(60):
        chance = Random(number)
        lanes = tuple(
            replace(
                lane,
                marks=tuple(_marks(chance, lane.place, empty.ask)),
                you=you and lane.place == 1,
            )
            for lane in empty.lanes
        )
        log = tuple({"kind": "round", "round": one, "bids": []} for one in range(1, 13))
        course = replace(empty, title=f"Lamp {number}", lanes=lanes, log=log, said={})
        told = [_line_of(text) for one in log if (text := talk.said_by_seller(course, one))]
        answers += len(told)
        assert len(set(told)) == len(told)
    assert answers > 300


def _marks(chance: Random, place: int, ask: float) -> Iterator[BidMark]:
    for number in range(1, 13):
        price = ask * chance.choice((0.05, 0.3, 0.5, 0.95, 1.0))
        yield BidMark(number, number, "offer", price, None, "", closed=False)


def _line_of(text: str) -> str:
    pools = [talk._lines().seller[kind] for kind in get_args(talk.Silly)]
    return next(line for pool in pools for line in pool if forms([line]).fullmatch(text))


def test_rivals_talk_live_and_say_the_same_whatever_the_envelopes_hold() -> None:
    """Spectators and the seat hear of asks, calls and leaving; a sealed bid changes no word."""
    told = []
    for price in (40_000, 60_000):
        Listing.objects.all().delete()
        match = a_match("person", "rules:aggressive", "rules:smart", seed=3)
        state = matches.current(match.pk)[1].state
        for seat in range(3):
            closes(match.pk, seat, Bid(Paise(min(price + seat, state.ask // 2)), "", "compete"))
        log = frames(Game.objects.get(pk=match.pk), SEALED)
        rounds = [frame for frame in log if frame["event"]["kind"] in ("opened", "round")]
        course = course_of(log)
        told.append([talk.said_by_rival(course, frame["event"]) for frame in rounds])
        assert all(one and one.lane.name in ("Vikram", "Arundhati") for one in told[-1])
    assert [one.text for one in told[0] if one] == [one.text for one in told[1] if one]


def test_a_call_is_answered_to_whoever_made_it() -> None:
    match = a_match("person", "rules:aggressive", "rules:smart")
    closes(match.pk, 0, Bid(Paise(50_000), "", "compete"))
    for seat in (1, 2):
        closes(match.pk, seat, Hold())
    [answer] = [text for _, text in sayings(match.pk, SEAT) if "my friend" in text]
    assert answer in {
        line.format(who="my friend")
        for voice in ("aggressive", "smart")
        for line in talk._lines().voices[voice]["compete"]
    }
    assert not [text for _, text in sayings(match.pk, SEALED) if "my friend" in text]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Go home!", "spoken"),
        ("How much have you?", "asked"),
        ("I have 5,000.", "priced"),
        ("What is your bid?", "bid"),
        ("So how much did you offer, 5,000?", "bid"),
        ("And you, Vikram, how much?", "bid"),
    ],
)
def test_words_to_the_table_are_answered_by_what_they_are(text: str, kind: str) -> None:
    match = a_match("person", "rules:aggressive", "rules:smart")
    closes(match.pk, 0, Bid(Paise(50_000), text, "compete"))
    for seat in (1, 2):
        closes(match.pk, seat, Hold())
    log = frames(Game.objects.get(pk=match.pk), SEAT)
    course = course_of(log)
    own, answer, *_ = moments_of(log, course)[-1].said
    assert (own.lane.you, own.text) == (True, text)
    ask = rupees_text(course.ask_in(1), course.currency)
    assert answer.text in {
        line.format(who="my friend", ask=ask)
        for voice in ("aggressive", "smart")
        for line in talk._lines().voices[voice][kind]
    }
    strangers = moments_of(frames(Game.objects.get(pk=match.pk), SEALED), seen(match.pk, SEALED))
    assert text in [one.text for one in strangers[-1].said]


@pytest.mark.parametrize("page", ["en", "hi"])
@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("kitna paisa hai tumhare paas?", r"[ -~₹]*dost[ -~₹]*"),
        ("chalo ghar jao sab log", r"[ -~₹]*dost[ -~₹]*"),
        ("mere paas 5000 hain bhai", r"[ -~₹]*dost[ -~₹]*"),
        ("What are you hiding from us?", r"[ -~₹’]*my friend[ -~₹’]*"),
        ("आप क्या छुपा रहे हैं?", r"[^a-z]*"),
    ],
)
def test_words_to_the_table_are_answered_in_their_language(
    text: str, script: str, page: str
) -> None:
    match = a_match("person", "rules:aggressive", "rules:smart")
    closes(match.pk, 0, Bid(Paise(50_000), text, "compete"))
    for seat in (1, 2):
        closes(match.pk, seat, Hold())
    with override(page):
        log = frames(Game.objects.get(pk=match.pk), SEAT)
        _, answer, *_ = moments_of(log, course_of(log))[-1].said
    assert re.fullmatch(script, answer.text)


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Vikram bhai, crumbs again?", ["Vikram"]),
        ("ARUNDHATI! What does the seller hide?", ["Arundhati"]),
        ("Seller ji, koi kharabi?", []),
        ("बेचने वाले भाई, कोई ख़राबी?", []),
        ("A bestseller, is it?", ["Vikram", "Arundhati"]),
    ],
)
@pytest.mark.parametrize("seed", range(4))
def test_who_is_named_answers_and_nobody_in_the_sellers_place(
    text: str, who: list[str], seed: int
) -> None:
    match = a_match("person", "rules:aggressive", "rules:smart", seed=seed)
    closes(match.pk, 0, Bid(Paise(50_000), text))
    for seat in (1, 2):
        closes(match.pk, seat, Hold())
    log = frames(Game.objects.get(pk=match.pk), SEAT)
    [opened] = [frame["event"] for frame in log if frame["event"]["kind"] == "round"]
    answer = talk.said_by_rival(course_of(log), opened)
    assert answer.lane.name in who if answer else not who


def a_match_over(listing: Listing, *line_up: str, seed: int = 1) -> str:
    return matches.open_match("asha", Order(listing=listing, line_up=line_up, seed=seed)).pk


def asks(listing: Listing, text: str, seed: int = 1) -> tuple[str, list[str]]:
    """What the seller answers a person who asks, and which rivals spoke."""
    match = a_match_over(listing, "person", "rules:aggressive", "rules:smart", seed=seed)
    closes(match, 0, Bid(Paise(listing.list_price * 6 // 10), text))
    for seat in (1, 2):
        closes(match, seat, Hold())
    log = frames(Game.objects.get(pk=match), SEAT)
    course = course_of(log)
    [opened] = [frame["event"] for frame in log if frame["event"]["kind"] == "round"]
    rival = talk.said_by_rival(course, opened)
    return talk.said_by_seller(course, opened), [rival.lane.name] if rival else []


def from_the_stock(key: str) -> Listing:
    entry = next(one for shelf in read_stock() for one in shelf.listing if one.key == key)
    return Listing.objects.create(
        title=entry.title, description=entry.text, condition_label=entry.condition,
        list_price=100 * entry.list, street_price=100 * entry.street,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "page", "answer"),
    [
        ("How many knots has it?", "en", "324 knots"),
        ("Seller, which material is it?", "en", "silk on a cotton base"),
        ("isme kya kharabi hai?", "en", "Sofe ka paaya"),
        ("इसमें कोई ख़राबी है?", "en", "सोफ़े का पाया"),
        ("How many knots has it?", "hi", "324 knots"),
        ("नाप क्या है?", "hi", "4 x 6 फ़ुट"),
    ],
)
def test_the_seller_answers_about_the_thing_by_its_card(text: str, page: str, answer: str) -> None:
    with override(page):
        said, rivals = asks(from_the_stock("crafts-kashmir-carpet-4x6"), text)
    assert answer in said
    assert rivals == []


def test_what_the_card_does_not_tell_the_seller_does_not_make_up() -> None:
    lines = talk._lines().seller
    plain = Listing.objects.create(title="Lamp", list_price=200_000, street_price=150_000)
    said, rivals = asks(plain, "Does the battery last?")
    assert said in lines["untold"]
    said, _ = asks(plain, "Seller, do you dance?")
    assert forms(list(lines["asked"])).fullmatch(said)
    # Nobody asked the seller: the others at the table answer.
    for text in ("And who are you waiting for?", "How high will you go?"):
        said, rivals = asks(plain, text)
        assert said == ""
        assert len(rivals) == 1


def test_the_first_words_praise_the_thing_itself_and_differ_from_thing_to_thing() -> None:
    said = {}
    for shelf in read_stock():
        for entry in shelf.listing[:2]:
            thing = from_the_stock(entry.key)
            match = a_match_over(thing, "person", "rules:aggressive", seed=3)
            thing.delete()
            log = frames(Game.objects.get(pk=match), SEAT)
            first = talk.said_by_seller(course_of(log), log[0]["event"])
            said[entry.key] = re.sub(r"₹[\d,]+", "", first)
    assert len(set(said.values())) >= len(said) / 3
    plain = {re.sub(r"{ask}", "", line).strip() for line in talk._lines().seller["opened"]}
    praised = [one for one in said.values() if not any(words in one for words in plain if words)]
    assert len(praised) >= len(said) / 4


def test_the_first_words_tell_nothing_of_what_is_sealed() -> None:
    carpet = from_the_stock("crafts-kashmir-carpet-4x6")
    log = frames(Game.objects.get(pk=a_match_over(carpet, "person", "rules:aggressive")), SEAT)
    course, opened = course_of(log), log[0]["event"]
    others = [opened | {"commitment": f"{at:064x}"} for at in range(12)]
    said = {talk.said_by_seller(course, one) for one in (opened, *others)}
    assert len(said) == 1


def test_a_seller_of_a_match_speaks_as_a_man() -> None:
    for shelf in read_stock():
        for entry in shelf.listing:
            item = {"title": entry.title, "condition": entry.text}
            opened = {"kind": "opened", "item": item}
            course = Course("", "INR", 12, True, (), (), {}, (), log=(opened,))
            with override("hi"):
                praise = talk._praise(course, talk._lines())
            assert not [one for one in praise if re.search(r"ती हूँ|ती नहीं|नहीं करती|ूँगी", one)]


ASKED = (
    "Sauda tum bot ho na?",
    "aap sab AI ho kya?",
    "Is Vikram a bot?",
    "are you all bots, 5,000?",
    "anyone real here?",
    "am I playing against humans or bots?",
    "lol you guys are bots",
    "koi insaan hai yahan?",
    "Arundhati machine hai kya",
    "क्या आप सब एआई हैं?",
    "विक्रम बॉट है क्या",
    "Seller, are you human?",
    "dukandar insaan hai kya?",
)


TRUTHS = {one for register in get_args(Register) for one in truths_in(register).self}


@pytest.mark.parametrize("page", ["en", "hi"])
@pytest.mark.parametrize("text", ASKED)
def test_who_is_asked_whether_it_is_a_program_says_so_each_time(text: str, page: str) -> None:
    match = a_match("person", "sauda", "rules:aggressive", "rules:smart")
    while matches.current(match.pk)[1].state.ended is None:
        number = EventRow.objects.filter(game=match.pk).count()
        closes(match.pk, 0, Bid(Paise(50_000 + number), text))
        for seat in (1, 2, 3):
            closes(match.pk, seat, Hold())
    with override(page):
        log = frames(Game.objects.get(pk=match.pk), SEAT)
        course = course_of(log)
        rounds = [one for one in log if one["event"]["kind"] == "round"]
        for frame in rounds:
            said = said_with(frame, course)
            assert said
            told = [one for one in said.lines if one.text in TRUTHS]
            assert len(told) == 1, (text, said)
            [one] = told
            assert not re.search("ungi|बनी|person here", one.text), "a man says it as well"
            assert not (one.lane and (one.lane.you or one.lane.person))
            assert (one.lane is None) == (text.split(",")[0].split()[0] in ("Seller", "dukandar"))
    assert len(rounds) >= 8, "more than there are lines"


def test_who_leaves_with_the_round_does_not_hide_the_truth() -> None:
    match = a_match("person", "rules:aggressive", "rules:smart")
    closes(match.pk, 0, Bid(Paise(50_000), "are you all bots?"))
    closes(match.pk, 1, Leave())
    closes(match.pk, 2, Hold())
    [(name, said)] = [one for one in sayings(match.pk, SEAT) if one[1] in TRUTHS]
    assert name == "Arundhati", said


def test_where_all_rivals_left_the_seller_says_what_it_is() -> None:
    match = a_match("person", "rules:aggressive", "rules:smart")
    closes(match.pk, 0, Bid(Paise(50_000), "sab bot the kya?"))
    for seat in (1, 2):
        closes(match.pk, seat, Leave())
    closes(match.pk, 0, Bid(Paise(51_000), "aap insaan ho?"))
    assert not TRUTHS.isdisjoint(lines(match.pk, SEAT))


def test_who_is_named_and_gone_is_answered_for_by_nobody() -> None:
    match = a_match("person", "rules:aggressive", "rules:smart")
    closes(match.pk, 0, Bid(Paise(50_000), "Vikram, are you bluffing?"))
    closes(match.pk, 1, Leave())
    closes(match.pk, 2, Hold())
    log = frames(Game.objects.get(pk=match.pk), SEAT)
    [opened] = [frame["event"] for frame in log if frame["event"]["kind"] == "round"]
    assert talk.said_by_rival(course_of(log), opened) is None


def test_hinglish_has_every_line_that_english_has_but_the_first() -> None:
    ours, theirs = talk._lines("hinglish"), talk._lines()
    assert set(ours.seller) == set(theirs.seller) - {"opened"}
    assert set(ours.voices) == set(theirs.voices)
    for voice, pools in ours.voices.items():
        assert set(pools) == set(theirs.voices[voice]) - {"opened"}, voice
        assert all(len(pool) > 1 for pool in pools.values()), voice


def forms(lines: list[str]) -> re.Pattern[str]:
    """Any of these lines, filled in."""
    return re.compile("|".join(re.sub(r"\\\{\w+\\\}", ".+", re.escape(one)) for one in lines))


def everything(table: talk.Lines, *kinds: str) -> list[str]:
    """All lines of a table about something, the seller's too; of no kind: all."""
    pools = [*table.voices.values(), table.seller]
    return [
        line
        for pool in pools
        for kind, told in pool.items()
        if not kinds or kind in kinds
        for line in told
    ]


def three_rounds(text: str, own: int, rival: int, seed: int = 1) -> str:
    """A person who speaks once and bids; the others stand at what they bid at first."""
    match = a_match("person", "rules:aggressive", "rules:smart", seed=seed)
    for number in range(4):
        closes(match.pk, 0, Hold() if number else Bid(Paise(own), text))
        for seat in (1, 2):
            closes(match.pk, seat, Hold() if number else Bid(Paise(rival + seat)))
    return match.pk


@pytest.mark.parametrize("seed", range(4))
def test_once_a_person_wrote_hinglish_the_whole_table_speaks_it(seed: int) -> None:
    match_id = three_rounds("chalo ghar jao sab log", 50_000, 40_000, seed)
    log = frames(Game.objects.get(pk=match_id), SEAT)
    course = course_of(log)
    said = []
    for frame in log[1:]:
        rival = talk.said_by_rival(course, frame["event"])
        said += [rival.text] if rival else []
        said += [one] if (one := talk.said_by_seller(course, frame["event"])) else []
    assert len(said) >= 4
    hinglish = forms([line.capitalize() for line in everything(talk._lines("hinglish"))])
    for text in said:
        assert hinglish.fullmatch(text.replace("Dost", "dost").capitalize()), text
    assert len(set(said)) == len(said)


@pytest.mark.parametrize("seed", range(4))
def test_who_leads_and_who_trails_know_it_as_far_as_the_reader_does(seed: int) -> None:
    leads, trails = (forms(everything(talk._lines(), kind)) for kind in ("leads", "trails"))
    for own, rival, viewer, wanted in (
        (60_000, 40_000, SEAT, (0, 2)),
        (60_000, 40_000, SEALED, (0, 0)),
        (40_000, 60_000, SEAT, (0, 0)),
    ):
        match_id = three_rounds("", own, rival, seed)
        said = [text for _, text in sayings(match_id, viewer)]
        heard = tuple(sum(bool(form.fullmatch(one)) for one in said) for form in (leads, trails))
        assert heard == wanted, (own, rival, viewer, said)
        Listing.objects.all().delete()


def test_nobody_says_again_what_the_one_before_has_just_said() -> None:
    told = talk._lines()
    for kind in set(told.seller) - {*get_args(talk.Silly), "untold"}:
        mine = pairs_of(told.seller[kind]) - {("last", "round")}  # which it is
        for voice, pools in told.voices.items():
            assert not mine & pairs_of(pools[kind]), (kind, voice)


def pairs_of(lines: tuple[str, ...]) -> set[tuple[str, str]]:
    """Neighbouring words of four letters and more."""
    return {
        pair
        for line in lines
        for pair in itertools.pairwise(re.findall(r"{?\w+", line.lower()))
        if all(len(word) >= 4 and "{" not in word for word in pair)
    }


def test_every_voice_has_a_line_for_everything_that_happens() -> None:
    told = talk._lines()
    wanted = set(told.voices["base"])
    for name, lines in told.voices.items():
        assert set(lines) == wanted, name
        for pool in lines.values():
            assert len(set(pool)) == len(pool) > 1
            for line in pool:
                assert line.format(who="Asha", ask="₹1", step="₹2")
    assert set(told.seller) - {*get_args(talk.Silly), "untold"} < wanted


def test_who_is_waited_for_is_known_by_the_seat_and_not_by_a_name() -> None:
    match = a_match("rules:boulware", "person")
    closes(match.pk, 0)
    log = frames(Game.objects.get(pk=match.pk), SEALED)
    course = course_of(log)
    last = replace(course.lanes[1], called="you")
    words = {}
    for you in (False, True):
        lanes = (course.lanes[0], replace(last, you=you))
        words[you] = moments_of(log, replace(course, lanes=lanes))[-1].words
    assert words[False].endswith("Only you is still thinking.")
    assert words[True].endswith("Only yours is missing.")


def test_how_long_the_house_takes_follows_from_public_things_alone() -> None:
    first = turns_of("abc", 3, [0, 1, 2])
    assert first == turns_of("abc", 3, [0, 1, 2])
    assert sorted(seat for seat, _ in first) == [0, 1, 2]
    assert {tuple(s for s, _ in turns_of("abc", n, [0, 1, 2])) for n in range(20)} != {(0, 1, 2)}
    assert all(0 < part < 0.3 for _, part in first)


def test_how_the_round_went_stands_until_the_next_one_opens() -> None:
    match = a_match("person", "rules:aggressive", "rules:smart")
    closes(match.pk, 0, Bid(Paise(50_000)))
    for seat in (1, 2):
        closes(match.pk, seat, Hold())
    closes(match.pk, 1, Hold())
    log = frames(Game.objects.get(pk=match.pk), SEAT)
    *_, offer, placed = moments_of(log, seen(match.pk, SEAT))
    assert (offer.kind, placed.kind) == ("offer", "placed")
    assert offer.news.startswith("You lead. The seller now asks ₹")
    assert (placed.news, placed.quote, placed.said) == (offer.news, offer.quote, offer.said)
    assert placed.words != placed.news, "who has sealed is announced all the same"


def test_whoever_is_outbid_reads_it_with_the_new_price() -> None:
    match = a_match("person", "rules:aggressive", "rules:smart")
    closes(match.pk, 0, Bid(Paise(50_000)))
    closes(match.pk, 1, Bid(Paise(60_000)))
    closes(match.pk, 2, Hold())
    told = moments_of(frames(Game.objects.get(pk=match.pk), SEAT), seen(match.pk, SEAT))
    assert told[-1].news.startswith("Somebody is ahead of you. The seller now asks ₹")


@pytest.mark.parametrize("seed", range(4))
def test_a_line_stays_as_it_was_spoken_and_nobody_says_it_again(seed: int) -> None:
    match = a_match("person", "rules:micro", "rules:boulware", "rules:smart", seed=seed)
    live: dict[int, list[str]] = {}
    number = 0
    while not matches.current(match.pk)[1].state.ended:
        state = matches.current(match.pk)[1].state
        low = Bid(Paise(5_000 + number), "A fair price?" if number % 2 else "Go home!", "compete")
        for seat in state.awaited:
            closes(match.pk, seat, low if seat == 0 else Hold())
        number += 1
        live |= {seq: told for seq, told in told_of(match.pk, SEAT).items() if seq not in live}
    replay = told_of(match.pk, Viewer("replay", 0))
    assert sum(map(len, live.values())) > 10
    assert live == {seq: [one for one in told if one in live[seq]] for seq, told in replay.items()}
    bare = [re.sub(r"₹[\d,.]+", "", text) for told in live.values() for text in told]
    assert len(set(bare)) == len(bare)


def told_of(match_id: str, viewer: Viewer) -> dict[int, list[str]]:
    """What the seller, the rivals and the crowd say, by event."""
    log = frames(Game.objects.get(pk=match_id), viewer)
    course = course_of(log)
    told = {}
    for frame in log:
        said = said_with(frame, course)
        lines = said.lines if said else ()
        told[frame["seq"]] = [one.text for one in lines if one.text and not (one.lane and one.verb)]
    return told
