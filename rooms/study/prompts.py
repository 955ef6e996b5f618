"""The words of a study that a model speaks by: which game has which, what they cost, their log."""

import msgspec
from django.db.models import Sum

from agents.backends.base import Chat
from agents.dialects.parsing import parse
from agents.gates.ledger import SPENT
from agents.models import ModelCall
from agents.prompted import VERSION, Orders
from agents.router import Answer
from bazaarbatna.bargain.observe import BuyerObservation
from negotiation.limits import ROOM
from negotiation.policies import Played, Request
from rooms.models import PromptTurn, Room, RoomGame
from rooms.study import flow


class StudyAuthor:
    """Knows the prompt of a game by the arm of who plays it."""

    def orders(self, game: str) -> Orders | None:
        """Return the orders for a game of a study; None elsewhere."""
        rows = RoomGame.objects.select_related("room__study", "seller", "buyer")
        row = rows.filter(game=game, room__study__isnull=False).first()
        member = (row.seller or row.buyer) if row else None
        if row is None or member is None:
            return None
        design = flow.design_of(row.room.study)
        arm = flow.arm_of(design, member, row.round)
        if arm is None or arm.prompt is None:
            return None
        left = round(design.model_usd * 1e6) - spent_microusd(row.room)
        return Orders(**msgspec.structs.asdict(arm.prompt), left_microusd=left)

    def note(self, request: Request, chat: Chat, answer: Answer, played: Played) -> None:
        """Write down one turn."""
        seen = request.observation
        PromptTurn.objects.create(
            game_id=request.game,
            round=seen.round,
            side="buyer" if isinstance(seen, BuyerObservation) else "seller",
            asked=msgspec.to_builtins(chat.messages),
            temperature=chat.temperature,
            answer=answer.text[:8000],
            played=msgspec.to_builtins(played.answer),
            backend=answer.backend[:40],
            version=played.version[:80],
            waited_ms=answer.waited_ms,
            passed_over=msgspec.to_builtins(played.passed_over),
        )


def spent_microusd(room: Room) -> int:
    """Return what the models of a room have cost, in millionths of a dollar.

    Of calls that are under way, or never told their cost, all that was reserved counts.
    """
    calls = ModelCall.objects.filter(client__startswith=f"{ROOM}{room.code}:", metered=True)
    return calls.aggregate(spent=Sum(SPENT))["spent"] or 0


def kept_of(turn: PromptTurn) -> tuple[bool | None, bool | None]:
    """Return whether the move of a turn is the model's own, price and all, and so its words.

    Where an answer breaks a rule or a check, or not the arm's opening, rules make the move or say
    the words. None: a turn without a move, or the answer is not kept.
    """
    said, made = parse(turn.answer), turn.played
    if turn.version == VERSION:
        return False, False
    if said is None or not made:
        return None, None
    if isinstance(made, str):
        return None, said.message == made
    is_same = made["action"] != "offer" or abs((said.price or 0) - made["price"]) < 1_00
    return said.action == made["action"] and is_same, said.message == made["text"]


def turns_of(room: Room) -> dict[str, int]:
    """Count the turns of a room's prompts, and those that are not what a model answered.

    ``by_rules``: nothing of a turn is; ``moved``, ``worded``: rules made the move, said the words.
    """
    turns = PromptTurn.objects.filter(game__in_room__room=room).only("answer", "played", "version")
    by_rules = sum(one.version == VERSION for one in turns)
    moved, worded = (sum(kept_of(one)[at] is False for one in turns) - by_rules for at in (0, 1))
    return {"all": len(turns), "by_rules": by_rules, "moved": moved, "worded": worded}
