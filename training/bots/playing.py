"""The job that plays with a bot at an address: a while at a time, so that others get their turn."""

import datetime as dt
import logging
import secrets
import time
from typing import Literal

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from training.bots import checking, plays, results
from training.bots.calling.errors import SENTENCES, Code
from training.bots.calling.limits import CallLimits
from training.bots.conversation import Conversation
from training.bots.lanes import Gone, Moved
from training.bots.models import Bot, Play, Table
from training.bots.moves import Answered, to_text
from training.models import Run

log = logging.getLogger(__name__)

WHILE_S = 45.0
"""How long one letter of the queue plays; then it writes the next one."""

SUMMED_UP_S = 60.0
"""Time within one letter for whatever is no conversation: the house's games, the check."""

GOODBYE_S = 15.0
"""Seconds for closing lines and writing down where a play stands."""

HELD_S = 60.0
"""A play that nobody has touched for so long has lost its process."""

TOUCH_S = 10.0

TICK_S = 0.5


OUR_FAULT = "Something went wrong on our side. Start again and it goes on where it stopped."

Next = Literal["again", "later", "over"]


def call_limits() -> CallLimits:
    """Read the limits of calls from the settings."""
    bots = settings.BOTS
    return CallLimits(answer_s=bots["answer_s"], at_once=bots["at_once"], loopback=bots["loopback"])


def advance(run_id: str, while_s: float = WHILE_S) -> Next:
    """Play on with a bot for a while, sum up what is complete, check it.

    Safe to call from any process, any number of times.

    Returns:
        Whether there is more to do: at once, or after a while, when whoever holds the play has let
        it go, or when this time was not enough.
    """
    play = Play.objects.select_related("run", "bot").filter(pk=run_id).first()
    if play is None or not _has_work(play):
        return "over"
    holder = secrets.token_hex(8)
    if not claim(run_id, holder):
        return "later"
    try:
        # What another process did until a moment ago is read with the play held.
        play.refresh_from_db()
        play.run.refresh_from_db()
        more = _has_work(play) and _advance(play, time.monotonic() + while_s)
    except SoftTimeLimitExceeded:
        log.warning("a play of a bot took longer than its letter may", extra={"run": run_id})
        return "later"  # behind all others, with what was kept so far
    # Whatever a stranger's bot brings about, its play must not ask for ever.
    except Exception:
        log.exception("a play of a bot failed", extra={"run": run_id})
        plays.stop(play, Run.Status.FAILED, OUR_FAULT)
        return "over"
    finally:
        release(play, holder)
    return "again" if more else "over"


def claim(run_id: str, holder: str, held_s: float = HELD_S) -> bool:
    """Take a play that nobody holds; give False when somebody does."""
    now = timezone.now()
    free = Q(held_until=None) | Q(held_until__lt=now)
    # Conditions of this one row only: PostgreSQL looks at them again when it has waited for it.
    return bool(
        Play.objects.filter(free, pk=run_id).update(
            holder=holder, held_until=now + dt.timedelta(seconds=held_s)
        )
    )


def release(play: Play, holder: str) -> None:
    """Let a play go, unless somebody else has taken it meanwhile."""
    held = Play.objects.filter(pk=play.pk)
    if not play.bot.calls_us:
        # A client that has sat down in between holds the play by a name of its own.
        held = held.filter(holder=holder)
    held.update(held_until=None)


def _has_work(play: Play) -> bool:
    """Tell whether a worker can bring a play on; what waits for a client, only the client can."""
    if play.bot.withdrawn_at is not None or not plays.is_under_way(play):
        return False
    return not (play.bot.calls_us and plays.waiting_tables(play).exists())


def _advance(play: Play, until: float) -> bool:
    if not _begin(play):
        return False
    if not plays.has_same_suites(play):
        checking.end_changed(play)
        return False
    if play.bot.calls_us:
        settle(play)
        return False  # what waits now is played when the client comes again
    tables = list(plays.waiting_tables(play))
    if tables and not _play(play, tables, until):
        return False
    return settle(play)


def _begin(play: Play) -> bool:
    """Note that a waiting play is under way now; False when it was stopped in this moment."""
    if play.run.status != Run.Status.QUEUED:
        return True
    began = play.run.started_at or timezone.now()
    waiting = Run.objects.filter(pk=play.pk, status=Run.Status.QUEUED)
    if not waiting.update(status=Run.Status.RUNNING, started_at=began):
        return False
    play.run.status = Run.Status.RUNNING
    return True


def settle(play: Play) -> bool:
    """Sum a play up when its games are over, and check it when its repeats are.

    Returns:
        True when games are waiting.
    """
    if plays.waiting_tables(play).exists():
        return True
    if play.run.status != Run.Status.DONE:
        checking.choose_repeats(play)
        return results.close(play)
    checking.check(play)
    return False


def _play(play: Play, tables: list[Table], until: float) -> bool:
    """Play with the bot; False when it is gone or its owner has stopped it."""
    deals = [plays.deal_at(play, table) for table in tables]
    is_checked = play.run.status == Run.Status.DONE
    looked_at = touched_at = 0.0
    has_answered = False
    with Conversation(play.bot.url, deals, call_limits()) as conversation:
        for news in conversation.news(TICK_S):
            now = time.monotonic()
            if isinstance(news, Gone):
                _lost(play, news.code, is_checked=is_checked)
                return False
            if isinstance(news, Moved):
                keep(play, news)
                has_answered |= isinstance(news.moves[-1], Answered)
            if now > touched_at + TOUCH_S:
                touched_at = now
                _touch(play)
            if now > until:
                conversation.hang_up()
            elif now > looked_at + TICK_S:
                looked_at = now
                if _is_stopped(play, is_checked=is_checked):
                    return False
    if conversation.was_cut_off and not has_answered:
        # Too few tries for a verdict on any question, and yet a whole letter without an answer.
        _lost(play, "timeout", is_checked=is_checked)
        return False
    return True


def _touch(play: Play) -> None:
    held_until = timezone.now() + dt.timedelta(seconds=HELD_S)
    Play.objects.filter(pk=play.pk).update(held_until=held_until)


def keep(play: Play, news: Moved) -> None:
    """Write down where a game stands."""
    before = play.tables.filter(number=news.number).values_list("bargains", flat=True).first()
    play.tables.filter(number=news.number).update(
        moves=to_text(news.moves),
        bargains=news.bargains,
        done=news.done,
        digests=list(news.digests),
    )
    if news.bargains != before:
        plays.count_done(play)


def _is_stopped(play: Play, *, is_checked: bool) -> bool:
    if Bot.objects.filter(pk=play.bot_id, withdrawn_at__isnull=False).exists():
        return True
    # What stands already cannot be stopped any more.
    if is_checked or not Run.objects.filter(pk=play.pk, cancel_asked=True).exists():
        return False
    plays.stop(play, Run.Status.CANCELLED, plays.STOPPED)
    return True


def _lost(play: Play, code: Code, *, is_checked: bool) -> None:
    if is_checked:
        checking.give_up(play, SENTENCES[code])
    else:
        plays.stop(play, Run.Status.FAILED, SENTENCES[code])
