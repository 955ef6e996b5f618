"""A connection of a bot: which game it is dealt next, and what its moves lead to.

Games are not chosen: a reset in the middle of one gives the same game back, and a connection
that breaks is gone on with where it was. The newest connection of a bot plays, older ones do not.
"""

from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from negotiation.environment.actions import Action
from negotiation.openenv.errors import ProtocolError, Unplayable
from training.bots import plays, tasks, verification
from training.bots.games import Deal, kept
from training.bots.models import Bot, Play, Table
from training.models import Run

SUMMED_UP = "All games are played, and their result is being summed up. Reset again in a moment."
START = "Start the next play on the bot's page, or by POST /api/bots/{bot}/plays/."


class TakenOver(ProtocolError):
    """Another connection of this bot has taken over; this one plays no more."""

    code = "SESSION_ERROR"


class Seat:
    """One connection's place; ``session`` is its name."""

    def __init__(self, bot: Bot, session: str) -> None:
        self._bot = bot
        self._session = session
        self._play: Play | None = None
        self._table: Table | None = None
        self._deal: Deal | None = None
        self._left = 0

    def next_game(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the first look at the game to play now, and notes on it.

        Raises:
            Unplayable: there is nothing to play now; the message says what to do.
        """
        with transaction.atomic():
            play = self._current_play()
            is_changed = not plays.has_same_suites(play)
            if not is_changed:
                Play.objects.filter(pk=play.pk).update(holder=self._session)
        if is_changed:
            # Not within the transaction: the refusal would undo it.
            verification.end_changed(play)
            raise Unplayable(f"{plays.CHANGED} {START.format(bot=self._bot.pk)}")
        if play.run.status == Run.Status.QUEUED:
            now = timezone.now()
            Run.objects.filter(pk=play.pk).update(status=Run.Status.RUNNING, started_at=now)
        waiting = plays.waiting_tables(play)
        table = waiting.first()
        if table is None:
            tasks.remind(play)
            raise Unplayable(SUMMED_UP)
        if table.repeats_id is not None and self._has_rated(play):
            raise Unplayable(
                f"All rated games are done. Connect anew for the check: {waiting.count()} games "
                "are dealt a second time."
            )
        self._left = waiting.count()
        self._play, self._table, self._deal = play, table, plays.deal_at(play, table)
        return self._deal.shown(), self._notes()

    def step(self, action: Action) -> tuple[dict[str, Any], dict[str, Any], bool]:
        """Make a move; return what the bot sees then, notes, and whether it is over.

        Raises:
            Unplayable: there is no game on the table.
            TakenOver: another connection plays now.
            UnreadableAction: an offer has no price.
        """
        play, table, deal = self._play, self._table, self._deal
        if play is None or table is None or deal is None or deal.done:
            raise Unplayable("Reset first: it deals the next game.")
        move = kept(action)
        with transaction.atomic():
            holder = Play.objects.select_for_update().values_list("holder", flat=True)
            if holder.get(pk=play.pk) != self._session:
                self._deal = None
                raise TakenOver
            deal.make(move)
            plays.keep(play, deal)
            if deal.done:
                Table.objects.filter(pk=table.pk).update(session=self._session)
                self._left = plays.waiting_tables(play).count()
        if deal.done and not self._left:
            tasks.enqueue(play.pk)
        return deal.shown(), self._notes(), deal.done

    def state(self) -> dict[str, Any]:
        """Return where the play stands; nothing in it is hidden from the bot."""
        play = plays.latest_play(self._bot)
        return {
            "episode_id": self._deal.name if self._deal else None,
            "step_count": len(self._deal.moves) if self._deal else 0,
            "play": play.pk if play else None,
            "status": play.run.status if play else None,
            "bargains_done": play.run.done if play else 0,
            "bargains": play.run.total if play else 0,
            "games_left": plays.waiting_tables(play).count() if play else 0,
        }

    def _current_play(self) -> Play:
        play = plays.latest_play(self._bot)
        if play is None:
            return plays.begin_play(self._bot, settings.BOT_EPISODES)
        if plays.is_under_way(play):
            return play
        raise Unplayable(f"No play is under way. {START.format(bot=self._bot.pk)}")

    def _has_rated(self, play: Play) -> bool:
        """Whether this very connection has played games of the result."""
        return bool(play.tables.filter(session=self._session, repeats=None).exists())

    def _notes(self) -> dict[str, Any]:
        assert self._play is not None
        assert self._table is not None
        return {
            "episode_id": self._deal.name if self._deal else None,
            "suite": self._table.suite,
            "rated": self._table.repeats_id is None,
            "games_left": self._left,
            "commitment": self._play.commitment,
        }
