"""What a language model reads of a bargain: the buyer's view in a few lines of text."""

import msgspec

from bazaarbatna.envs.bargain.views import View

RULES = """You buy one item in a bazaar. You never pay more than your budget. The seller has a
secret lowest price; pay as little above it as you can, and walk away if no price suits you both.
Act only by calling a tool, once per turn."""
"""A system prompt for whoever plays by tools."""


def describe(seen: View) -> str:
    """Write what the buyer sees: how a bargain ended, and the one that is on the table.

    Nothing that is hidden from the buyer is in it: of the result, outcome and price alone.
    """
    lines = []
    if seen.result is not None:
        price = "" if seen.result.price is None else f" at {seen.result.price:.2f}"
        lines.append(f"The bargain is over: {seen.result.outcome}{price}.")
    if seen.done:
        return "\n".join(lines)
    bargain = f" of bargain {seen.game} of {seen.games}" if seen.games > 1 else ""
    lines += [
        f"{seen.item.title}, {seen.item.condition}.",
        f"Round {seen.round} of {seen.max_rounds}{bargain}. Your budget is {seen.budget:.2f}.",
        f"The seller asks {seen.standing_ask:.2f}.",
    ]
    if seen.own_last_bid is not None:
        lines.append(f"Your bid is {seen.own_last_bid:.2f}.")
    if seen.turns and seen.turns[-1].message:
        lines.append(f'The seller says: "{seen.turns[-1].message}"')
    tells = {} if seen.tells is None else msgspec.structs.asdict(seen.tells)
    if noticed := {name: value for name, value in tells.items() if value}:
        lines.append(f"What you notice: {msgspec.json.encode(noticed).decode()}")
    return "\n".join(lines)
