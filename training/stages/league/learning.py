"""Proximal policy optimisation on whole bargains with the population.

Source: Schulman et al. (2017), clipped objective; advantages by Schulman et al. (2016), discount 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from agents.buyers import bound, unbound
from agents.buyers.network import Network
from agents.buyers.positions import Bools, Floats, positions_of
from bazaarbatna.bargain.people.families import FAMILIES, Family
from bazaarbatna.envs.bargain.people.games import Deals, Games, deal_many
from bazaarbatna.envs.bargain.people.sellers import Sellers, draw_sellers
from training.stages.config import LeagueConfig
from training.stages.league.outcomes import Played, by, played_out, summed_up

NEVER = -1e9  # Score of a choice that there is not
FAINT = -50.0  # Log-chance from which on a choice adds nothing to indecision
WORTH_WEIGHT = 2.0  # Weight of the second tower's mistakes
MOST_GRADIENT = 0.5
SELLERS = 20_000
CHECKED = 16_384  # Games of each check, with sellers that were not learned from
CHECKS = 5


@dataclass
class Turns:
    """Positions of played games with what was chosen there, among which choices."""

    seen: Floats
    behind: Floats
    allowed: Bools
    chosen: Floats
    logs: Floats
    advantage: Floats
    target: Floats


class Towers(nn.Module):
    """The network of ``agents.buyers.network`` as torch trains it."""

    def __init__(self, width: int, style: ModuleType = bound) -> None:
        super().__init__()
        self.style = style
        dice = np.random.default_rng(0)
        seen = positions_of(Games(deal_many(draw_sellers(FAMILIES, 1), 1, dice), dice))
        inputs, behind = style.features(seen).shape[1], style.worth_features(seen).shape[1]
        self.choose = _tower(inputs, width, style.CHOICES, 0.01)
        self.worth = _tower(behind, width, 1, 1.0)

    def scores(self, seen: Tensor, allowed: Tensor) -> Tensor:
        """Return the log-chance of every choice, (rows, choices)."""
        return torch.log_softmax(self.choose(seen).masked_fill(~allowed, NEVER), dim=1)

    def arrays(self) -> dict[str, Floats]:
        """Return the weights by name."""
        return {name: one.detach().numpy().astype(np.float64) for name, one in
                self.state_dict().items()}  # fmt: skip

    def load_arrays(self, weights: Mapping[str, Floats]) -> None:
        """Take weights by name."""
        self.load_state_dict(
            {name: torch.tensor(np.asarray(one), dtype=torch.float32) for name, one in
             weights.items()}
        )  # fmt: skip


def _tower(inputs: int, width: int, outputs: int, scale: float) -> nn.Sequential:
    layers = [nn.Linear(inputs, width), nn.Linear(width, width), nn.Linear(width, outputs)]
    for layer, gain in zip(layers, (1.4, 1.4, scale), strict=True):
        nn.init.orthogonal_(layer.weight, gain)
        nn.init.zeros_(layer.bias)
    return nn.Sequential(layers[0], nn.Tanh(), layers[1], nn.Tanh(), layers[2])


def play(
    towers: Towers, deals: Deals, dice: np.random.Generator
) -> tuple[Games, list[tuple[Any, ...]]]:
    """Play bargains to their end; what is bid is drawn by the chances that it has.

    Return the games and, by round, who was live, what either tower saw, which choices there were,
    what was chosen, its log-chance and the worth.
    """
    games, style = Games(deals, dice), towers.style
    rounds: list[tuple[Any, ...]] = []
    while games.live.any():
        seen = positions_of(games)
        numbers, behind, allowed = (
            style.features(seen), style.worth_features(seen), style.allowed(seen)
        )  # fmt: skip
        with torch.no_grad():
            scores = towers.scores(_single(numbers), torch.tensor(allowed))
            logs = scores.numpy().astype(np.float64)
            worth = towers.worth(_single(behind))[:, 0].numpy().astype(np.float64)
        # The largest of scores with Gumbel noise is a draw by their chances.
        chosen = (logs + dice.gumbel(size=logs.shape)).argmax(axis=1)
        lanes = np.arange(len(chosen))
        rounds.append(
            (games.live.copy(), numbers, behind, allowed, chosen, logs[lanes, chosen], worth)
        )
        games.step(style.prices(seen)[lanes, chosen])
    return games, rounds


def _single(numbers: Floats) -> Tensor:
    return torch.tensor(numbers, dtype=torch.float32)


def turns_of(value: Floats, rounds: list[tuple[Any, ...]], config: LeagueConfig) -> Turns:
    """Work the advantages out, from the last round back; ``value`` is what each game was worth."""
    ahead, trace = value.copy(), np.zeros_like(value)
    parts = []
    begun = np.zeros_like(value, dtype=bool)
    for live, *what, worth in reversed(rounds):
        delta = ahead - worth
        trace = np.where(live, delta + config.trace * np.where(begun, trace, 0.0), trace)
        parts.append([one[live] for one in (*what, trace, trace + worth)])
        ahead = np.where(live, worth, ahead)
        begun |= live
    return Turns(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def learn(
    towers: Towers, turns: Turns, optimizer: torch.optim.Optimizer, config: LeagueConfig,
    entropy: float, dice: np.random.Generator,
) -> None:  # fmt: skip
    """Take the steps of one round of games."""
    spread = turns.advantage.std() + 1e-6
    advantage = (turns.advantage - turns.advantage.mean()) / spread
    data = [_single(one) for one in (turns.seen, turns.behind, turns.logs, advantage, turns.target)]
    chosen = torch.tensor(turns.chosen, dtype=torch.int64)
    allowed = torch.tensor(turns.allowed)
    for _ in range(config.epochs):
        order = torch.tensor(dice.permutation(len(chosen)))
        for which in order.split(config.batch):
            seen, behind, logs, gain, target = (one[which] for one in data)
            scores = towers.scores(seen, allowed[which])
            loss = (
                _lost_gain(scores, logs, gain, chosen[which], config.clip)
                + WORTH_WEIGHT * (towers.worth(behind)[:, 0] - target).pow(2).mean()
                + entropy * (scores.exp() * scores.clamp(min=FAINT)).sum(dim=1).mean()
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(towers.parameters(), MOST_GRADIENT)
            optimizer.step()


def _lost_gain(scores: Tensor, logs: Tensor, gain: Tensor, chosen: Tensor, clip: float) -> Tensor:
    # The sign is turned: what an optimizer makes less of.
    ratio = (scores.gather(1, chosen[:, None])[:, 0] - logs).exp()
    return -torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()


def falling(config: LeagueConfig, done: float) -> tuple[float, float]:
    """Return the rate and the entropy's weight when a part ``done`` (0..1) of all is done."""
    cosine = 0.5 * (1 + np.cos(np.pi * done))
    return config.learning_rate * (0.1 + 0.9 * cosine), config.entropy * (1 - done)


class Found(msgspec.Struct, frozen=True):
    """What the search came to; shares are 0..1 of winnable games, in games of its own."""

    weights: dict[str, Floats]
    before: float
    share: float
    deals: float


def respond_to(
    families: tuple[Family, ...], begin: dict[str, Floats], config: LeagueConfig
) -> Found:
    """Search on from known weights (they stand where nothing better is found), for the share alone.

    What is found is a lower bound of what the true best response keeps, never a buyer: it knows
    what kind of seller it will meet. Of ``config``, the steps and how they are taken count.
    """
    torch.manual_seed(config.seed)
    dice = np.random.default_rng([config.seed, 7])
    pool = draw_sellers(families, SELLERS, 1_000 + config.seed)
    unseen = draw_sellers(families, SELLERS, 2_000 + config.seed)
    towers = Towers(len(begin["choose.0.bias"]), unbound)
    towers.load_arrays(begin)
    optimizer = torch.optim.Adam(towers.parameters(), lr=config.learning_rate)
    best = first = _checked(towers, unseen)
    kept = begin
    for step in range(config.steps):
        rate, entropy = falling(config, step / config.steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        games, rounds = play(towers, deal_many(pool, config.games, dice), dice)
        learn(towers, turns_of(games.worth(), rounds, config), optimizer, config, entropy, dice)
        if (step + 1) % max(1, config.steps // CHECKS) == 0:
            found = _checked(towers, unseen)
            if found.share > best.share:
                best, kept = found, towers.arrays()
    return Found(kept, first.share, best.share, best.deals)


def _checked(towers: Towers, unseen: Sellers) -> Played:
    dice = np.random.default_rng(5)
    bid = by(Network(towers.arrays(), towers.style))
    return summed_up(played_out(deal_many(unseen, CHECKED, dice), bid, dice))
