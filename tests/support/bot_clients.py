"""Bots that come as clients, without a socket between them and the site."""

from negotiation.environment.actions import Action
from negotiation.openenv.errors import Unplayable
from training.bots.client_seat import ClientSeat
from training.bots.models import Bot


def plays_all_games(bot: Bot, session: str) -> None:
    """Accept everything until nothing is dealt any more."""
    seat = ClientSeat(bot, session)
    done = True
    try:
        while True:
            seat.next_game()
            done = False
            while not done:
                _, _, done = seat.step(Action("accept"))
    except Unplayable:
        assert done
