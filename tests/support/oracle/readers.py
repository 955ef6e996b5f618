"""Who may read what: every address that names somebody's thing, and whom it answers.

The addresses come from the resolver and the API. One that names an object and stands in no row
here fails the test, so that a new address is thought about.
"""

import re
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import Permission, User
from django.test import Client

from arena.auction.web.orders import PERSON
from bazaarbatna.bargain.moves import Walk
from negotiation.bargain import sessions
from negotiation.bargain.guests import share
from negotiation.cases.views import chair as case_chair
from negotiation.games.turn_play import open_game, opponents_move
from negotiation.models import Game, Invitation, OwnCase
from replays.challenge.dealing import send as send_cards
from replays.daily.days import begin, today
from replays.models import DailyTry
from replays.puzzles.puzzle import puzzles
from rooms.accounts import invitation_for
from rooms.lti.registering import invite
from rooms.lti_models import LtiLaunch, LtiPlatform
from rooms.models import Room, Study
from tests.support.class_rooms import a_game, a_room
from tests.support.finished import a_haggle, store
from tests.support.markets import a_persons_market
from tests.support.oracle.asking import OTHER_VALUES, filled, names_in, patterns
from tests.support.oracle.bargains import SALT, a_scenario, goods, visitors
from tests.support.oracle.rooms import DEEDS, _member
from tests.support.oracle.worlds import ask, plain, send, written
from tests.support.rooms import PASSWORD, a_host, at_desk
from tests.support.studies import DESIGN
from tests.support.tables import a_match
from tests.support.visitors import a_visitor, key_of
from training.bots.models import Bot
from training.models import Run

READERS = (
    *("asha", "bilal", "chetan", "kiran", "lata", "meera", "omar"),
    *("clerk", "staff", "nobody", "new", "gone"),
)
"""Asha owns; Bilal sits opposite where two people play, and in her room; Chetan is a stranger;
Kiran has opened the links that Asha gives to guests; Lata has a seat in another room; Meera keeps
the room; Omar keeps that other one; the clerk may view everything in the admin, staff is a
superuser; nobody has no cookie, who is new has the first one, and who is gone brings the one with
which Meera has signed out."""

ALL = frozenset(READERS)
OWN = frozenset({"asha"})
BOTH = frozenset({"asha", "bilal"})
HOST = frozenset({"meera"})
STAFF = frozenset({"clerk", "staff"})
NONE: frozenset[str] = frozenset()

NOTHING = {
    "game_id": "zzzzzzzzzzzz",
    "match_id": "zzzzzzzzzzzz",
    "bot_id": "zzzzzzzzzzzz",
    "run_id": "nothing",
    "key": "z" * 24,
    "token": "zzzzzzzzzzzz",
    "code": "ZZZZZZ",
    "puzzle_id": "nothing",
    "member_id": "zzzzzzzzzzzz",
    "own_id": "zzzzzzzzzzzz",
    "name": "nothing",
}
"""Names of nothing, in the shape of the real ones."""

Row = tuple[str, frozenset[str]]
"""A thing, and who may see it at an address; a thing "-" is nobody's, and read by everybody."""

SALES: tuple[Row, ...] = (("live", OWN), ("kept", OWN), ("shared", OWN), ("pair", OWN))
BUYS: tuple[Row, ...] = (("purchase", OWN), ("pair", frozenset({"bilal"})))
FINISHED: tuple[Row, ...] = (
    ("live", NONE), ("pair", NONE), ("kept", OWN), ("shared", ALL), ("day", OWN),
)  # fmt: skip
POSTED: tuple[Row, ...] = ()
"""Nothing is read here: see ``REFUSES``."""

MATRIX: dict[str, tuple[Row, ...]] = {
    "account/join/<str:token>/": (("invitation of a host", ALL),),
    "api/arena/{match_id}/": (("match", ALL),),
    "api/bots/{bot_id}/": (("bot", ALL),),
    "api/buy/{game_id}/": BUYS,
    "api/market/{match_id}/": (("market", OWN),),
    "api/market/{match_id}/replay/": (("market", NONE),),
    "api/market/{match_id}/rewards/": (("market", NONE),),
    "api/market/{match_id}/twin/": (("market", NONE),),
    "api/sell/{game_id}/": SALES,
    "arena/<slug:match_id>/": (("match", ALL),),
    "bots/<slug:bot_id>/": (("bot", ALL),),
    "bots/<slug:bot_id>/<slug:run_id>/episodes.jsonl.gz": (("bot", NONE),),
    "bots/<slug:bot_id>/<slug:run_id>/moves.jsonl.gz": (("bot", NONE),),
    "bots/<slug:bot_id>/standing/": (("bot", ALL),),
    "buy/<slug:game_id>/": BUYS,
    "cases/<slug:case>/": (("-", ALL),),
    "cases/files/<slug:case>.toml": (("-", ALL),),
    "cases/join/<str:token>/": (("case chair", ALL),),
    "cases/own/<slug:own_id>/": (("own case", HOST),),
    "cases/table/<slug:game_id>/": (("case", OWN), ("case of two", BOTH)),
    "challenge/<slug:token>/": (("challenge", ALL),),
    "challenge/end/<slug:game_id>/": (("sent", OWN), ("kept", NONE)),
    "daily/<day:day>/": (("-", ALL),),
    "daily/card/<slug:token>.png": (("card", ALL),),
    "daily/card/<slug:token>/": (("card", ALL),),
    # Its player has put no exchange on it.
    "daily/card/<slug:token>/line.png": (("card", NONE),),
    "daily/strip/<slug:game_id>/": (("day", OWN), ("kept", NONE)),
    "env/<slug:kind>": (("-", ALL),),
    "env/<slug:kind>/": (("-", ALL),),
    "env/<slug:kind>/<str:what>": (("-", ALL),),
    **{
        f"env/{world}/first/<str:name>/{page}": (("-", ALL),)
        for world in ("bazaar", "market")
        for page in ("health", "tasks")
    },
    # Games of programs, each known to the address that began it; here none has one.
    "env/bazaar/first/<str:name>/score": (),
    "env/bazaar/first/<str:name>/state": (),
    "env/market/first/<str:name>/state": (),
    "learn/handbook/<path:name>/": (("-", ALL),),
    "market/<slug:match_id>/": (("market", OWN),),
    "market/<slug:match_id>/board/": (("market", OWN),),
    "market/<slug:match_id>/twin/": (("market", NONE),),
    "market/<slug:match_id>/what-if/": (("market", NONE),),
    "pair/<slug:key>/": (("chair", ALL),),
    # Of a game that goes on there is no rematch.
    "pair/rematch/<slug:game_id>/": (("pair", NONE),),
    "puzzles/<slug:puzzle_id>/": (("puzzle", ALL),),
    # A lesson comes of a costly move; these games have none.
    "puzzles/you/<slug:game_id>/": (("kept", NONE), ("live", NONE), ("day", NONE)),
    "replays/<slug:game_id>.json": FINISHED,
    "replays/<slug:game_id>/": FINISHED,
    "replays/<slug:game_id>/card.png": FINISHED,
    "replays/<slug:game_id>/costly/": FINISHED,
    "replays/<slug:game_id>/grades.json": FINISHED,
    "replays/<slug:game_id>/grades/": FINISHED,
    "rooms/<room_code:code>/": (("room", ALL),),
    "rooms/<room_code:code>/desk/": (("room", HOST),),
    "rooms/<room_code:code>/desk/now/": (("room", HOST),),
    "rooms/<room_code:code>/lobby/": (("room", BOTH),),
    "rooms/<room_code:code>/wall/": (("room", HOST),),
    "rooms/<slug:code>/after/": (("room", BOTH),),
    "rooms/<slug:code>/before/": (("room", BOTH),),
    "rooms/<slug:code>/consent/": (("room", BOTH),),
    "rooms/<slug:code>/data/": (("room", HOST),),
    "rooms/<slug:code>/data/delete/": (("room", HOST),),
    "rooms/<slug:code>/data/forget/<slug:member_id>/": (("room", HOST),),
    "rooms/<room_code:code>/links.csv": (("room", HOST),),
    "rooms/<room_code:code>/notice/": (("room", ALL),),  # empty but for a member
    "rooms/<room_code:code>/roster/": (("room", HOST),),
    "rooms/<slug:code>/course/": (("room", HOST),),
    "rooms/<slug:code>/belief/": (("room", BOTH),),
    "rooms/<slug:code>/between/": (("room", BOTH),),
    "rooms/<room_code:code>/homework/": (("room", HOST),),
    "rooms/<room_code:code>/puzzles/": (("room", BOTH | HOST),),
    "rooms/<slug:code>/debrief/": (("room", HOST),),
    "rooms/<slug:code>/done/": (("room", BOTH),),
    "rooms/<slug:code>/enter/": (("room", ALL),),
    "rooms/<slug:code>/export/": (("room", HOST),),
    "rooms/<slug:code>/gradebook.csv": (("room", HOST),),
    "rooms/<slug:code>/gradebook/": (("room", HOST),),
    "rooms/<slug:code>/survey/": (("room", BOTH | HOST),),
    "rooms/<slug:code>/sheet/": (("room", BOTH | HOST),),
    "rooms/<slug:code>/packages.csv": (("room", NONE),),  # that room plays no case
    "rooms/<slug:code>/progress/": (("room", HOST),),
    "rooms/<slug:code>/questions/": (("room", BOTH),),
    "rooms/<slug:code>/study/": (("room", HOST),),
    "rooms/<slug:code>/study/<slug:key>/": (("room", HOST),),
    "rooms/<slug:code>/study/file.json": (("room", HOST),),
    "rooms/<slug:code>/study/file.toml": (("room", HOST),),
    "rooms/<slug:code>/study/pay.csv": (("room", HOST),),
    "rooms/<slug:code>/study/pay/": (("room", HOST),),
    "rooms/<slug:code>/study/preregistration.md": (("room", HOST),),
    "rooms/<slug:code>/study/preview/<slug:arm>/<slug:step>/": (("room", HOST),),
    "rooms/<slug:code>/withdraw/": (("room", BOTH),),
    "rooms/lti/choose/<slug:key>/": (("launch", NONE),),
    "rooms/lti/come/<slug:key>/": (("launch", NONE),),
    "rooms/lti/register/<str:token>/": (("invitation of a platform", ALL),),
    "rooms/seat/<slug:key>/": (("seat", ALL),),
    "sell/<slug:game_id>/": SALES,
    "sell/photos/<slug:name>.jpg": (("-", ALL),),
    "training/labs/<slug:folder>/<str:name>": (("-", ALL),),
    "training/receipts/<slug:name>.json": (("-", ALL),),
    "training/receipts/<slug:run_id>/": (("-", ALL),),
    "training/receipts/<slug:run_id>/config.json": (("-", ALL),),
    "training/receipts/<slug:run_id>/episodes.jsonl.gz": (("-", ALL),),
    "training/receipts/<slug:run_id>/summary.json": (("-", ALL),),
    "training/runs/<slug:run_id>/": (("run", STAFF),),
    "training/runs/<slug:run_id>/files/<str:name>": (("run", NONE),),
    "training/runs/<slug:run_id>/live/": (("run", STAFF),),
    "watch/<slug:key>/": (("watch", ALL),),
}
"""Addresses that answer a GET. Links with a key (a chair, a seat, a card, a watch) open for whoever
has the key; all other things for who is named."""

DOORS = (
    *(
        f"rooms/<slug:code>/{page}/"
        for page in ("after", "before", "between", "consent", "done", "questions", "withdraw")
    ),
    *(f"rooms/lti/{page}/<slug:key>/" for page in ("choose", "come")),
    *(f"bots/<slug:bot_id>/<slug:run_id>/{file}.jsonl.gz" for file in ("episodes", "moves")),
)
"""Whoever has a room's code may know that there is one: these lead to its door. Bots are public."""

REFUSES: dict[str, tuple[str, ...]] = {
    "api/arena/{match_id}/seat/": ("match",),
    "api/bots/{bot_id}/plays/": ("bot",),
    "api/bots/{bot_id}/plays/current/": ("bot",),
    "api/bots/{bot_id}/token/": ("bot",),
    "api/buy/{game_id}/thumbs/": ("purchase",),
    "api/games/{kind}/": (),
    "api/market/{match_id}/act/": ("market",),
    "api/market/{match_id}/consider/": ("market",),
    "api/market/{match_id}/fork/": ("market",),
    "api/market/{match_id}/pace/": ("market",),
    "api/replays/{game_id}/fork/": ("kept", "live"),
    "api/sell/{game_id}/thumbs/": ("kept", "live"),
    "arena/<slug:match_id>/begin/": ("match",),
    "arena/<slug:match_id>/move/": ("match",),
    "arena/<slug:match_id>/seat/": ("match",),
    "bots/<slug:bot_id>/start/": ("bot",),
    "bots/<slug:bot_id>/stop/": ("bot",),
    "bots/<slug:bot_id>/token/": ("bot",),
    "bots/<slug:bot_id>/withdraw/": ("bot",),
    **{
        f"buy/<slug:game_id>/{verb}/": ("purchase",)
        for verb in ("again", "answers", "coach", "end", "guests", "guests/stop", "learn", "move")
    },
    "buy/<slug:game_id>/lines/<int:seq>/thumb/": ("purchase",),
    "cases/table/<slug:game_id>/move/": ("case",),
    "daily/card/<slug:token>/line/": ("card",),
    "cases/table/<slug:game_id>/answers/": ("case",),
    "challenge/new/<slug:game_id>/": ("kept", "live"),
    **{
        f"env/{world}/first/<str:name>/{verb}": ()
        for world in ("bazaar", "market")
        for verb in ("reset", "step")
    },
    "market/<slug:match_id>/act/": ("market",),
    "market/<slug:match_id>/pace/": ("market",),
    "puzzles/<slug:puzzle_id>/answer/": (),
    "puzzles/<slug:puzzle_id>/game/": ("puzzle",),
    "replays/<slug:game_id>/fork/": ("kept", "live"),
    "replays/<slug:game_id>/share/": ("kept", "live"),
    "rooms/<room_code:code>/away/": (),
    "rooms/<room_code:code>/leave/": (),
    "rooms/<room_code:code>/copy/": ("room",),
    "rooms/<room_code:code>/desk/<slug:verb>/": ("room",),
    "rooms/<room_code:code>/desk/<slug:verb>/<slug:member_id>/": ("room",),
    **{
        f"sell/<slug:game_id>/{verb}/": ("kept", "live")
        for verb in ("again", "answers", "coach", "end", "guests", "guests/stop", "learn", "move")
    },
    "sell/<slug:game_id>/lines/<int:seq>/thumb/": ("kept",),
}
"""Addresses that take posts alone: a stranger's is refused for these things. Without a thing, they
are everybody's own (an answer, leaving a room one is in)."""


def belongings() -> tuple[dict[str, Client], dict[str, str]]:
    """Let Asha have one of everything; gives everybody's browsers, and the keys of the things."""
    people, listing = visitors(), goods()
    asha, bilal = key_of(people["asha"]), key_of(people["bilal"])
    live = sessions.open_dealt(asha, a_scenario(), "rules:boulware")
    sessions.opponent_turn(live.pk)
    purchase = sessions.open_dealt(
        asha, a_scenario(), "seller:default", kind="buy", seat=Game.Seat.BUYER
    )
    pair = sessions.open_pair(asha, bilal, a_scenario(), names={"seller": "A", "buyer": "B"})
    sent = store(a_haggle(), owner=asha, shared=False)
    case = open_game("case", asha, is_public=False)
    opponents_move(case.pk)  # as the page does that opens one: who begins is drawn
    of_two = open_game("case", asha, "a", is_public=False, rival=bilal, terms={"rival_seat": "b"})
    day = begin(asha, "asha")
    today()
    sessions.opponent_turn(day.pk)
    sessions.play(day.pk, asha, Walk())
    played = DailyTry.objects.get(game=day)
    chair = Invitation.objects.create(
        key="c" * 24, owner=asha, listing=listing, seat="seller", name="Asha"
    )
    bot, _ = Bot.objects.get_or_create(name="halver", owner=asha)
    room = _a_room(people)
    platform = LtiPlatform.objects.create(name="A course", issuer="https://course.example")
    told = {"choice": None, "is_teacher": False}
    launch = LtiLaunch.objects.create(platform=platform, nonce="n", state="s", told=told)
    asked = invite("Another course", {"issuer": "https://other-course.example"})
    run = Run.objects.create(id="run-7h3k9qx2", kind="evaluate", status="done", config={}, seeds={})
    things = {
        "live": live.pk,
        "kept": store(a_haggle(), owner=asha, shared=False).pk,
        "shared": store(a_haggle(), owner=asha, shared=True).pk,
        "purchase": purchase.pk,
        "case": case.pk,
        "case of two": of_two.pk,
        "case chair": case_chair(of_two),
        "own case": OwnCase.objects.create(owner=room.host, title="Mine", text="").pk,
        "pair": pair.pk,
        "sent": sent.pk,
        "challenge": send_cards(sent, asha).token,
        "day": day.pk,
        "card": played.token,
        "chair": chair.key,
        "watch": share(live.pk, asha, "sell").watch_key or "",
        "match": a_match(PERSON, "rules:boulware", "rules:micro", owner=asha).pk,
        "market": a_persons_market(asha).pk,
        "puzzle": next(iter(puzzles())),
        "bot": str(bot.pk),
        "room": room.code,
        "launch": launch.pk,
        "seat": room.members.get(nickname="asha").key,
        "member_id": room.members.get(nickname="bilal").pk,
        "invitation of a host": invitation_for(a_host("new")),
        "invitation of a platform": asked,
        "run": run.pk,
    }
    _let_others_in(people, things)
    return people, things


def _let_others_in(people: dict[str, Client], things: Mapping[str, str]) -> None:
    """Let the rest of ``READERS`` come: with guests' links, rights, cookies of little use."""
    people["staff"], people["clerk"] = Client(), Client()
    people["staff"].force_login(User.objects.create_superuser("boss", password=PASSWORD))
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    people["clerk"].force_login(clerk)
    people["kiran"] = a_visitor()
    for link in (f"/watch/{things['watch']}/", f"/challenge/{things['challenge']}/"):
        assert people["kiran"].get(link).status_code == 200
    people["lata"] = a_visitor()
    _member(a_room("Another", host="omar"), "lata", people["lata"])
    people["new"] = Client()
    people["new"].get("/sell/")
    people["gone"] = at_desk(User.objects.get(username="meera"))
    kept = people["gone"].cookies["sessionid"].value
    people["gone"].post("/account/logout/")
    people["gone"].cookies["sessionid"] = kept


def _a_room(people: dict[str, Client]) -> Room:
    room = a_room("Words or numbers", host="meera", state=Room.State.PLAYING)
    room.host.set_password(PASSWORD)
    room.host.save()
    Study.objects.create(room=room, design=DESIGN, seed=7, is_pilot=False)
    seated = {name: _member(room, name, people[name]) for name in ("asha", "bilal")}
    a_game(room, seated["asha"], seated["bilal"], DEEDS)
    people["meera"], people["omar"] = at_desk(room.host), at_desk(a_host("omar"))
    return room


def address(pattern: str, thing: str, things: dict[str, str]) -> str:
    """Put a thing, or nothing of that shape, into an address."""
    values = []
    for place, name in enumerate(names_in(pattern)):
        if name == "key" and place:
            values.append("questions")  # a part of a study's design
            continue
        if name in OTHER_VALUES and (place or thing == "-"):
            values.append(OTHER_VALUES[name][0])
        elif place == 0 and thing not in ("-", "nothing"):
            values.append(things[thing])
        elif thing != "nothing" and name in things:
            values.append(things[name])
        else:
            values.append(NOTHING.get(name, "nothing"))
    return filled(pattern, values)


def is_let_in(answer: Any, pattern: str) -> bool:
    """Whether an answer shows something, or leads to where one is."""
    if answer.status_code in (301, 302):
        place = answer.headers["Location"]
        is_door = place.startswith(("/account/login/", "/admin/login/"))
        return not is_door and not (pattern.startswith("rooms/") and place.endswith("/enter/"))
    if re.fullmatch("/rooms/[A-Z]{6}/", answer.headers.get("HX-Redirect", "")):
        return False  # a lobby sends whoever is not in it to the door
    return bool(answer.status_code < 400)


def faults_of_reading(people: dict[str, Client], things: dict[str, str]) -> tuple[int, list[str]]:
    """Let everybody read every address, each once, with the cookies they have.

    Those with an object in them are asked with each of Asha's; lists, searches and summaries too.

    Returns how often was asked, and what was wrong: somebody let in, or kept out, who should not
    be; something in an answer that is not its reader's; a stranger who can tell somebody's thing
    from one that never was.
    """
    found = _secrets(people, things)
    asked, faults = 0, []
    for pattern in patterns():
        if pattern in LEAD_OUT:
            continue
        rows = MATRIX.get(pattern) or tuple((name, NONE) for name in REFUSES.get(pattern, ("-",)))
        by_path = {address(pattern, row[0], things): row for row in rows}
        assert len(by_path) == len(rows), pattern
        for path, (thing, seen_by) in by_path.items():
            for who in READERS:
                answer = ask(_as_is(people[who]), "GET", path, {})
                told = written(answer)
                asked += 1
                is_named = pattern in MATRIX and thing != "-"
                if is_named and is_let_in(answer, pattern) != (who in seen_by):
                    faults.append(f"{who} {path} {thing}: {answer.status_code}")
                faults += [
                    f"{who} {path}: {name}"
                    for name, (secret, readers) in found.items()
                    if who not in readers and secret not in path and secret.encode() in told
                ]
    more, told_apart = _telling_apart(people["chetan"], things)
    return asked + more, faults + told_apart


def _telling_apart(stranger: Client, things: dict[str, str]) -> tuple[int, list[str]]:
    """Look whether a stranger can tell somebody's thing from one that never was."""
    asked, faults = 0, []
    for pattern, rows in MATRIX.items():
        for thing, readers in rows:
            if thing == "-" or "chetan" in readers or pattern in DOORS:
                continue
            path, nothing = address(pattern, thing, things), address(pattern, "nothing", things)
            asked += 2
            if _told(stranger, path, things) != _told(stranger, nothing, NOTHING):
                faults.append(f"{path} is told apart from {nothing}")
    return asked, faults


def _told(client: Client, path: str, names: Mapping[str, str]) -> bytes:
    put = {name.encode(): b"NAME" for name in names.values()}
    said = plain(send(client, "GET", path, {}), put)
    return b"\n".join(row for row in said.split(b"\n") if not row.startswith(b"Content-Length"))


def writing_faults(people: dict[str, Client], things: dict[str, str]) -> tuple[int, list[str]]:
    """Let all others post to every thing; gives how often, and who was let in."""
    asked, faults = 0, []
    for pattern, names in REFUSES.items():
        for thing in names:
            path = address(pattern, thing, things)
            owner = "meera" if thing == "room" else "asha"
            for who in READERS:
                if who == owner:
                    continue
                sent = {"move": "walk", "public": "1", "index": "9"}
                answer = people[who].post(path, sent)
                asked += 1
                if is_let_in(answer, pattern):
                    faults.append(f"{who} {path}: {answer.status_code}")
    return asked, faults


LEAD_OUT = ("account/logout/", "language/")

SHOWN: dict[str, frozenset[str]] = {
    "live": OWN, "case": OWN, "case of two": BOTH, "kept": OWN, "purchase": OWN, "sent": OWN,
    "day": OWN, "market": OWN, "pair": BOTH, "chair": OWN, "watch": OWN, "launch": NONE,
    "invitation of a host": NONE, "seat": OWN | HOST, "run": STAFF,
}  # fmt: skip
"""Things whose id or key nobody else is told."""


def _secrets(
    people: Mapping[str, Client], things: Mapping[str, str]
) -> dict[str, tuple[str, frozenset[str]]]:
    found = {name: (things[name], readers) for name, readers in SHOWN.items()}
    found |= {f"{name}'s key": (cookie_of(one), NONE) for name, one in people.items()}
    found["a salt"] = (SALT, NONE)
    found["the day's secret"] = (today().secret, NONE)
    assert all(len(secret) > 8 for secret, _ in found.values()), found
    return found


def cookie_of(client: Client) -> str:
    """Return the session cookie of a browser; a word that stands nowhere if it has none."""
    cookie = client.cookies.get("sessionid")
    return cookie.value if cookie and cookie.value else "no cookie of anybody"


def _as_is(client: Client) -> Client:
    copy = Client()
    copy.cookies.load({name: one.value for name, one in client.cookies.items()})
    return copy
