"""Who plays a seat: registered buyers of the two-sided game, in a match."""

import logging

import msgspec

from agents.output_guard.moves import guard
from arena.contest import contested as contested
from arena.engine.moves import ArenaMove, Hold
from arena.engine.observe import ArenaObservation, as_duel
from arena.engine.playing import Player
from arena.engine.scenario import MOST_BUYERS, ArenaScenario
from arena.manners import manner_of, manner_version
from arena.words import spoken
from negotiation.engine.moves import Move
from negotiation.policies import UnknownPolicy, policy

log = logging.getLogger(__name__)

STAND_IN = "rules:smart"
"""Plays on for a person, or for a policy that is gone."""


def in_a_match(
    seen: ArenaObservation, move: Move, policy_name: str, seed: int, *, quiet: bool = False
) -> ArenaMove:
    """Turn what a policy would do with the seller alone into its move among rivals.

    Args:
        seen: what the buyer sees of the match.
        move: what the policy, in any form of it, would do in ``as_duel(seen)``; any nonsense.
        policy_name: as registered; gives the manner.
        seed: of the seat, as ``seed_of`` makes it.
        quiet: leave the words out; the deed is the same.
    """
    manner, move = manner_of(policy_name), guard(as_duel(seen), move)
    done = contested(seen, move, manner, seed)
    words = "" if quiet else spoken(seen, move, done, manner, seed)
    return msgspec.structs.replace(done, text=words)


def seed_of(scenario_seed: int, seat: int) -> int:
    """Give the seed of a seat: two seats with one policy play differently."""
    return MOST_BUYERS * scenario_seed + seat


def player(policy_name: str, seed: int, seat: int, *, quiet: bool = False) -> Player:
    """Seat a registered policy at a match, in its plain form.

    Args:
        policy_name: as registered.
        seed: of the match.
        seat: counted from 0.
        quiet: play without words, for rollouts: the same deeds, faster.

    Raises:
        UnknownPolicy: with the names that exist.
    """
    own_seed = seed_of(seed, seat)
    buyer = policy(policy_name).make(own_seed)
    unheard = quiet or not manner_of(policy_name).own_words
    act = getattr(buyer, "decide", buyer.act) if unheard else buyer.act

    def play(seen: ArenaObservation) -> ArenaMove:
        try:
            return in_a_match(seen, act(as_duel(seen)), policy_name, own_seed, quiet=quiet)
        # A policy is foreign code: whatever it does, the match goes on.
        except Exception:
            log.exception("policy failed in a match", extra={"policy": policy_name})
            return Hold()

    return play


def player_of(scenario: ArenaScenario, seat: int, *, quiet: bool = False) -> Player:
    """Make the player that a seat of this match is pinned to.

    A person, or a policy that is not registered any more, gets the stand-in.
    """
    chair, seed = scenario.seats[seat], scenario.sealed.seed
    try:
        return player(STAND_IN if chair.person else chair.policy, seed, seat, quiet=quiet)
    except UnknownPolicy:
        return player(STAND_IN, seed, seat, quiet=quiet)


def seat_version(policy_name: str) -> str:
    """Write the label of a policy in a match: its version, and that of its manner.

    Raises:
        UnknownPolicy: with the names that exist.
    """
    return f"{policy(policy_name).version}+{manner_version(policy_name)}"
