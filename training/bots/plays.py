"""Once through all suites: set up, looked up, stopped."""

from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from bazaarbatna.bargain.sealed_seeds import game_name, new_key, seed_of
from bazaarbatna.bargain.suites import NUMBER
from bazaarbatna.bargain.tasks import SUITES, suite, suite_ids
from bazaarbatna.offline import KEY, Submission
from negotiation.errors import SessionError
from negotiation.sentences import sentences
from training.bots.games import Deal, from_text, to_text
from training.bots.models import RUN_KIND, Bot, Play, Table
from training.evaluation.plan import SuiteFact, suite_fact
from training.evaluation.published import newest
from training.models import Run
from training.runs import lifecycle

say = sentences(__file__)

STATUS = Run.Status
CAN_GO_ON = (STATUS.FAILED, STATUS.INTERRUPTED, STATUS.CANCELLED)
"""A run that stopped like this can be taken up where it was."""

CHANGED = say.text("changed")
STOPPED = say.text("stopped")
OFFLINE = say.text("offline")


class BotBusy(SessionError):
    """The bot is playing already."""

    code = "bot-busy"
    status = 409


def begin_play(bot: Bot, episodes: int) -> Play:
    """Deal a bot everything it is going to play; a play that stopped halfway is taken up again.

    At least ``episodes`` bargains a suite; BotBusy while it plays or is being checked.
    """
    with transaction.atomic():
        # One play at a time, whoever asks how often: the bot's row is the lock.
        Bot.objects.select_for_update().get(pk=bot.pk)
        last = latest_play(bot)
        if last is not None and is_under_way(last):
            raise BotBusy(say("this_bot_is_playing_already"))
        if last is not None and last.run.status in CAN_GO_ON and has_same_suites(last):
            Run.objects.filter(pk=last.pk).update(
                status=STATUS.QUEUED, cancel_asked=False, note="", ended_at=None
            )
            return Play.objects.select_related("run", "bot").get(pk=last.pk)
        return _new_play(bot, episodes)


def begin_offline(bot: Bot, handed_in: Submission) -> Play:
    """Take in games that were played elsewhere and have been played again; BotBusy as above."""
    facts = [
        suite_fact(one.id, one.games * suite(one.id).episodes) for one in handed_in.header.suites
    ]
    games = {(one.suite, one.place): one for one in handed_in.games}
    with transaction.atomic():
        Bot.objects.select_for_update().get(pk=bot.pk)
        last = latest_play(bot)
        if last is not None and is_under_way(last):
            raise BotBusy(say("this_bot_is_playing_already"))
        play = _deal(bot, facts, KEY, max(one.bargains for one in facts), is_offline=True)
        tables = list(play.tables.all())
        for table in tables:
            game = games[table.suite, table.place]
            table.moves, table.digests = to_text(game.moves), list(game.digests)
            table.bargains, table.done = len(game.digests), True
        Table.objects.bulk_update(tables, ["moves", "digests", "bargains", "done"])
    return play


def is_offline(play: Play) -> bool:
    """Whether its games were played elsewhere."""
    return bool(play.run.config.get("offline"))


def latest_play(bot: Bot) -> Play | None:
    """Return the play that was begun last."""
    return bot.plays.select_related("run", "bot").order_by("-run__created_at").first()


def is_under_way(play: Play) -> bool:
    """Whether the bot has still to be asked, for its result or for the check of it."""
    return play.run.is_at_work or awaits_check(play)


def awaits_check(play: Play) -> bool:
    """Whether the result stands and the bot is still to be asked again."""
    return play.run.status == STATUS.DONE and play.opened_at is None


def facts_of(play: Play) -> tuple[SuiteFact, ...]:
    """Return what was pinned when the play began."""
    return msgspec.convert(play.run.config["suites"], tuple[SuiteFact, ...])


def has_same_suites(play: Play) -> bool:
    """Whether the suites and their sellers are still those that the play began with."""
    facts = facts_of(play)
    return all(one.id in suite_ids() and suite_fact(one.id, one.bargains) == one for one in facts)


def waiting_tables(play: Play) -> QuerySet[Table]:
    """Return the tables that are not over, in their order; repeats come after all others."""
    wanted = Q(done=False)
    if play.run.status != STATUS.DONE:
        wanted &= Q(repeats=None)
    return play.tables.filter(wanted)


def deal_at(play: Play, table: Table) -> Deal:
    """Take a game up where it was left."""
    return Deal(
        table.number,
        game_name(play.key, table.number),
        table.suite,
        seed_of(play.key, table.suite, table.place),
        from_text(table.moves),
    )


def keep(play: Play, deal: Deal) -> None:
    """Write down where a game stands."""
    table = play.tables.filter(number=deal.number)
    before = table.values_list("bargains", flat=True).first()
    table.update(
        moves=to_text(tuple(deal.moves)),
        bargains=deal.bargains,
        done=deal.done,
        digests=list(deal.digests()) if deal.done else [],
    )
    if deal.bargains != before:
        count_done(play)


def count_done(play: Play) -> int:
    """Count the bargains of the result that are over, and write it down."""
    rated = play.tables.filter(repeats=None)
    done = int(rated.aggregate(done=Sum("bargains"))["done"] or 0)
    Run.objects.filter(pk=play.pk).update(done=done)
    return done


def stop(play: Play, status: str, note: str = "") -> None:
    """Note that a play has stopped before its end."""
    Run.objects.filter(pk=play.pk, status__in=(STATUS.QUEUED, STATUS.RUNNING)).update(
        status=status, note=note[:400], ended_at=timezone.now()
    )


def _new_play(bot: Bot, episodes: int) -> Play:
    return _deal(bot, [suite_fact(id_, episodes) for id_ in _suites()], new_key(), episodes)


def _deal(
    bot: Bot, facts: list[SuiteFact], key: str, episodes: int, *, is_offline: bool = False
) -> Play:
    config: dict[str, Any] = {"suites": msgspec.to_builtins(facts), "episodes": episodes}
    run = lifecycle.open_run(
        f"bot-{bot.pk}",
        kind=RUN_KIND,
        config=config | ({"offline": True} if is_offline else {}),
        seeds={"sealed": not is_offline},
        total=sum(one.bargains for one in facts),
        waits=True,
    )
    play = Play.objects.create(run=run, bot=bot, key=key)
    places = [(one.id, place) for place in range(max(f.games for f in facts)) for one in facts
              if place < one.games]  # fmt: skip
    Table.objects.bulk_create(
        Table(play=play, number=number, suite=id_, place=place)
        for number, (id_, place) in enumerate(places, start=1)
    )
    return play


def _suites() -> list[str]:
    published = newest()
    known = [one.id for one in published.made.suites if one.id in suite_ids()] if published else []
    return known or [f"{row.name}@sampled-{NUMBER}" for row in SUITES]
