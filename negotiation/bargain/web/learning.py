"""Whether models may learn from a game: its person says so after the end, or takes it back."""

from django.utils.translation import gettext

from bazaarbatna.marking import gettext_noop
from negotiation.bargain import sessions
from negotiation.errors import NotOver, UnknownGame
from negotiation.models import Game

NOT_ASKED = gettext_noop("Only the one person of a game that was played here is asked that.")


def is_asked(game: Game) -> bool:
    """Whether a game's person is asked: in rooms people are asked before they play."""
    return game.source == Game.Source.PERSON and not game.is_pair and not game.terms


def agree(game_id: str, owner: str, yes: bool, kind: str = "") -> Game:
    """Keep what a person says about an own finished game; the last word counts.

    Raises:
        UnknownGame: not a game that this visitor played here alone, outside rooms.
        NotOver: the game goes on.
    """
    game = sessions.owned_game(game_id, owner, kind)
    if not is_asked(game):
        raise UnknownGame(gettext(NOT_ASKED))
    if game.status != Game.Status.ENDED:
        raise NotOver
    Game.objects.filter(pk=game.pk).update(may_train=yes)
    game.may_train = yes
    return game
