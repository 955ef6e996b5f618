"""Proximal policy optimisation on whole bargains with the population.

Source: Schulman et al. (2017), clipped objective; advantages by Schulman et al. (2016), discount 1.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from agents.buyers.network import CHOICES, Floats, Network, features, positions_of, prices
from negotiation.engine.people.families import Family
from negotiation.environment.people.games import Deals, Games, deal_many
from negotiation.environment.people.sellers import Sellers, draw_sellers
from training.stages.config import LeagueConfig
from training.stages.league.outcomes import Played, by, played_out, summed_up

WORTH_WEIGHT = 2.0  # Weight of the second tower's mistakes
MOST_GRADIENT = 0.5
SELLERS = 20_000
CHECKED = 16_384  # Games of each check, with sellers that were not learned from
CHECKS = 5


@dataclass
class Turns:
    """Positions of played games with what was chosen there."""

    seen: Floats
    chosen: Floats
    logs: Floats
    advantage: Floats
    target: Floats


class Towers(nn.Module):
    """The network of ``agents.buyers.network`` as torch trains it."""

    def __init__(self, inputs: int, width: int) -> None:
        super().__init__()
        self.choose = _tower(inputs, width, CHOICES, 0.01)
        self.worth = _tower(inputs, width, 1, 1.0)

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
) -> tuple[Games, list[tuple[Floats, ...]]]:
    """Play bargains to their end; what is bid is drawn by the chances that it has.

    Return the games and, by round, who was live, what was seen and chosen, log-chance and worth.
    """
    games = Games(deals, dice)
    rounds: list[tuple[Floats, ...]] = []
    while games.live.any():
        seen = positions_of(games)
        numbers = features(seen)
        with torch.no_grad():
            inputs = torch.tensor(numbers, dtype=torch.float32)
            logs = torch.log_softmax(towers.choose(inputs), dim=1).numpy().astype(np.float64)
            worth = towers.worth(inputs)[:, 0].numpy().astype(np.float64)
        # The largest of scores with Gumbel noise is a draw by their chances.
        chosen = (logs + dice.gumbel(size=logs.shape)).argmax(axis=1)
        lanes = np.arange(len(chosen))
        rounds.append((games.live.copy(), numbers, chosen, logs[lanes, chosen], worth))
        games.step(prices(seen)[lanes, chosen])
    return games, rounds


def turns_of(games: Games, rounds: list[tuple[Floats, ...]], config: LeagueConfig) -> Turns:
    """Work the advantages out, from the last round back."""
    value = games.worth(config.deal, config.hurry)
    ahead, trace = value.copy(), np.zeros_like(value)
    parts = []
    begun = np.zeros_like(value, dtype=bool)
    for live, numbers, chosen, logs, worth in reversed(rounds):
        delta = ahead - worth
        trace = np.where(live, delta + config.trace * np.where(begun, trace, 0.0), trace)
        is_live = live.astype(bool)
        parts.append((numbers[is_live], chosen[is_live], logs[is_live], trace[is_live],
                      (trace + worth)[is_live]))  # fmt: skip
        ahead = np.where(is_live, worth, ahead)
        begun |= is_live
    seen, chosen, logs, advantage, target = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    return Turns(seen, chosen, logs, advantage, target)


def learn(
    towers: Towers, turns: Turns, optimizer: torch.optim.Optimizer, config: LeagueConfig,
    entropy: float, dice: np.random.Generator,
) -> None:  # fmt: skip
    """Take the steps of one round of games."""
    spread = turns.advantage.std() + 1e-6
    advantage = (turns.advantage - turns.advantage.mean()) / spread
    data = [
        torch.tensor(one, dtype=torch.float32)
        for one in (turns.seen, turns.logs, advantage, turns.target)
    ]
    chosen = torch.tensor(turns.chosen, dtype=torch.int64)
    for _ in range(config.epochs):
        order = torch.tensor(dice.permutation(len(chosen)))
        for which in order.split(config.batch):
            seen, logs, gain, target = (one[which] for one in data)
            scores = torch.log_softmax(towers.choose(seen), dim=1)
            loss = (
                _lost_gain(scores, logs, gain, chosen[which], config.clip)
                + WORTH_WEIGHT * (towers.worth(seen)[:, 0] - target).pow(2).mean()
                + entropy * (scores.exp() * scores).sum(dim=1).mean()
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
    what kind of seller it will meet. Of ``config``, deal worth and exploiters do not count.
    """
    torch.manual_seed(config.seed)
    config = config.model_copy(update={"deal": 0.0, "hurry": 0.0, "blind": 0.0})
    dice = np.random.default_rng([config.seed, 7])
    pool = draw_sellers(families, SELLERS, 1_000 + config.seed)
    unseen = draw_sellers(families, SELLERS, 2_000 + config.seed)
    towers = Towers(begin["choose.0.weight"].shape[1], len(begin["choose.0.bias"]))
    towers.load_arrays(begin)
    optimizer = torch.optim.Adam(towers.parameters(), lr=config.learning_rate)
    best = first = _checked(towers, unseen)
    kept = begin
    for step in range(config.steps):
        rate, entropy = falling(config, step / config.steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        games, rounds = play(towers, deal_many(pool, config.games, dice), dice)
        learn(towers, turns_of(games, rounds, config), optimizer, config, entropy, dice)
        if (step + 1) % max(1, config.steps // CHECKS) == 0:
            found = _checked(towers, unseen)
            if found.share > best.share:
                best, kept = found, towers.arrays()
    return Found(kept, first.share, best.share, best.deals)


def _checked(towers: Towers, unseen: Sellers) -> Played:
    dice = np.random.default_rng(5)
    bid = by(Network(towers.arrays()))
    return summed_up(played_out(deal_many(unseen, CHECKED, dice), bid, dice))
