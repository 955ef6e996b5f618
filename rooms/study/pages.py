"""The participant's pages, as contexts of their templates; a preview draws the same ones."""

import functools
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import msgspec
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from markdown_it import MarkdownIt

from negotiation.policies import policy
from rooms.models import Answer, Member, Room
from rooms.plan import Plan
from rooms.study import flow, paying, promises
from rooms.study.answers import Posted
from rooms.study.design import Arm, Design, Exit, asked, checks
from rooms.study.faults import is_allowed
from rooms.study.fields import said
from rooms.study.shown import shown, shown_checks

_SAFE_LINK = re.compile(r"^(https?://|mailto:|#)", re.IGNORECASE)

_reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
# The package lets a tested function be replaced so; its own pattern refuses known bad schemes only.
_reader.validateLink = lambda url: bool(_SAFE_LINK.match(url))  # type: ignore[method-assign]


MOST_BRACKETS = 500
"""Of a text with more, none begins a link: the reader tries each of them with all that follow."""


@functools.lru_cache(maxsize=256)  # participants open the same few texts
def to_html(text: str) -> SafeString:
    """Return markdown as HTML: no HTML of its own, no pictures, links to the web and mail alone.

    Headings begin at the second level, since a page has one title; links open elsewhere, so that
    nobody loses the page that is being filled in.
    """
    if text.count("[") > MOST_BRACKETS:
        text = text.replace("[", r"\[")
    tokens = _reader.parse(text)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1:]) + 1, 6)}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "noopener noreferrer nofollow")
                child.attrSet("target", "_blank")
    # The reader escapes everything that is not markdown.
    return mark_safe(str(_reader.renderer.render(tokens, _reader.options, {})))  # noqa: S308


Context = dict[str, Any]


NO_EXIT = ("missing", "unfilled", "taken", "limited")
"""Reasons not to come in for which a study has no words and no code of its own."""


class Stop(msgspec.Struct, frozen=True):
    """A step on the way through the study, as the head of each page shows it."""

    key: str
    state: str


def way(design: Design, at: str, arm: str) -> list[Stop]:
    """Return the steps of a study; those behind are ``done``, this one is ``here``."""
    has: dict[str, bool] = {
        "consent": True,
        "questions": bool(design.instructions or checks(design, arm) or _told(design, arm)),
        "before": bool(asked(design.before, arm)),
        "play": True,
        "after": bool(asked(design.after, arm)),
        "done": True,
    }
    keys = [key for key, there in has.items() if there]
    place = keys.index(at) if at in keys else 0
    return [
        Stop(key, "done" if n < place else "here" if n == place else "ahead")
        for n, key in enumerate(keys)
    ]


def _told(design: Design, arm: str) -> str:
    own = design.arm(arm)
    return own.instructions if own else ""


def consent_page(design: Design, room: Room, **more: Any) -> Context:
    """Return the page of information and consent."""
    keeps_words = "words" in design.consent.keeps
    return {
        **_head(design, room, "consent", ""),
        "information": to_html(design.information),
        "consent_text": to_html(design.consent.text),
        "consent": design.consent,
        "bonus": design.bonus,
        "read": promises.fingerprint(design),
        # Where no words are kept, nothing is there to quote or to learn from.
        "asks_quote": design.consent.quote and keeps_words,
        "asks_train": design.consent.train and keeps_words,
        **more,
    }


class Tries(msgspec.Struct, frozen=True):
    """How far somebody is with the comprehension questions; ``told``: they are explained now."""

    used: int
    left: int
    told: bool


def tries(design: Design, given: Mapping[str, Answer], arm: str) -> Tries:
    """Return how often somebody has tried, and whether that was the last time."""
    mine = [given[one.name] for one in checks(design, arm) if one.name in given]
    used = max((one.tries for one in mine), default=0)
    is_through = all(one.is_right for one in mine)
    left = max(design.questions.tries - used, 0)
    return Tries(used, left, told=bool(mine) and not left and not is_through)


def questions_page(
    design: Design,
    room: Room,
    arm: str,
    given: Mapping[str, Answer],
    posted: Posted | None = None,
    problems: Mapping[str, str] | None = None,
    **more: Any,
) -> Context:
    """Return the page of instructions and comprehension questions."""
    state = tries(design, given, arm)
    return {
        **_head(design, room, "questions", arm),
        "instructions": to_html(design.instructions),
        "arm_instructions": to_html(_told(design, arm)),
        "questions": shown_checks(
            checks(design, arm), given, posted, problems or {}, told=state.told
        ),
        "problems": problems or {},
        "tries": state,
        **more,
    }


def survey_page(
    design: Design,
    room: Room,
    form: str,
    arm: str,
    luck: str,
    posted: Posted | None = None,
    problems: Mapping[str, str] | None = None,
    *,
    due: flow.Due | None = None,
    **more: Any,
) -> Context:
    """Return the page of a survey, ``before`` or ``after`` the games; ``due`` between two."""
    mine = due.questions if due else asked(getattr(design, form), arm)
    return {
        **_head(design, room, "play" if due else form, arm),
        "form": form,
        "words": to_html(due.words) if due else "",
        "questions": shown(mine, posted, problems or {}, luck),
        "problems": problems or {},
        **more,
    }


def play_page(design: Design, room: Room, arm: Arm | None, plan: Plan, **more: Any) -> Context:
    """Return the page that stands for the games in a preview."""
    names = {
        "buyer": gettext(policy(plan.buyer).title),
        "seller": gettext(policy(plan.seller).title),
        "reveal": said("choices", f"reveal.{plan.reveal}"),
        "opponent": said("choices", f"opponent.{plan.opponent}"),
    }
    head = _head(design, room, "play", arm.name if arm else "")
    return {**head, "plan": plan, "names": names, "prompt": arm.prompt if arm else None, **more}


def done_page(design: Design, room: Room, member: Member | None, how: str, **more: Any) -> Context:
    """Return the last page: how it ended, the code and the way back."""
    external_id = member.external_id if member and not member.withdrawn_at else ""
    pay = withdrawal = None
    pays = False
    if member is not None:
        games = [one for one in flow.games_of(member) if one.game.ended_at]
        pay = paying.pay_of(design, member, games)
        rule = promises.pay_to(member, design)
        pays = bool(rule.base or rule.rule != "none")
        more["guesses"] = how == "finished" and promises.beliefs_paid_to(member, design)
        withdrawal = promises.promise_to(member, room.study).withdrawal
    return {
        **_head(design, room, "done", member.arm if member else ""),
        "how": how,
        "pay": pay,
        "debrief": to_html(design.debrief) if how in ("finished", "waited") else "",
        "pays": pays,
        "withdrawal": withdrawal,
        **way_out(design, how, external_id),
        **more,
    }


def way_out(design: Design, how: str, external_id: str = "") -> Context:
    """Return the words, the code and the address of a way out."""
    names = {"stopped": "full", "withdrawn": ""} | dict.fromkeys(NO_EXIT, "")
    out = getattr(design.exits, names.get(how, how), None) or Exit()
    url = out.url.replace("{code}", quote(out.code, safe=""))
    url = url.replace("{id}", quote(external_id, safe=""))
    return {
        "exit_words": to_html(out.text),
        "exit_code": out.code,
        # Once more: the operator's list may be shorter now than when the design was written.
        "exit_url": url if url and is_allowed(url) else "",
    }


def _head(design: Design, room: Room, at: str, arm: str) -> Context:
    return {
        "design": design,
        "room": room,
        "steps": way(design, at, arm),
        "arm": arm,
        "at": at,
        "is_bare": True,
    }
