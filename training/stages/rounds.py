"""Learning by play: games are played in rounds, and a model keeps more of what won more."""

import abc
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from agents.backends.local.player import Sampling
from agents.checkpoints import Card
from arena.gpu_market.trained.cards import LabCard
from training.stages.arguments import common, in_rounds
from training.stages.choosing import Choosing, Jury
from training.stages.deeds import deed_length
from training.stages.following import Following, named, train
from training.stages.round_config import RoundsConfig
from training.stages.saving import save_model
from training.stages.work import Work

AnyConfig = TypeVar("AnyConfig", bound=RoundsConfig)
AnyCard = TypeVar("AnyCard", Card, LabCard)
AnyDeal = TypeVar("AnyDeal", bound=msgspec.Struct)
AnyGame = TypeVar("AnyGame")


class Rounds(abc.ABC, Generic[AnyConfig, AnyCard, AnyDeal, AnyGame]):
    """The games of a trainer: played with the model as it is, and summed up for the metrics.

    Args:
        work: the run.
        config: its settings.
        card: what is known of the model that comes out.

    Attributes:
        player: plays with the model; there once the trainer has it.
        deal: says what is played; a row of the data set has its fields.
        logged: what the trainer measures itself that is kept.
    """

    deal: type[AnyDeal]
    logged: ClassVar[tuple[str, ...]] = ("loss", "kl", "entropy")

    def __init__(self, work: Work, config: AnyConfig, card: AnyCard) -> None:
        self.player: Any
        self.work, self.config = work, config
        self.card: AnyCard = card
        self._latest: dict[str, float] = {}

    @abc.abstractmethod
    def seat(self, model: Any, tokenizer: Any) -> Jury:
        """Let the model that is trained be the player, and name who measures it."""

    @abc.abstractmethod
    def play(self, deals: Sequence[AnyDeal]) -> Sequence[AnyGame]:
        """Play every deal, a little more freely than when it counts."""

    @abc.abstractmethod
    def worth(self, game: AnyGame) -> float:
        """Give the reward of a game."""

    @abc.abstractmethod
    def figures(self, games: Sequence[AnyGame], rewards: Sequence[float]) -> dict[str, float]:
        """Sum a round up."""

    def play_rows(self, rows: Sequence[Mapping[str, Any]]) -> Sequence[AnyGame]:
        """Play what rows of the data set say."""
        names = self.deal.__struct_fields__
        return self.play([self.deal(**{name: row[name] for name in names}) for row in rows])

    def heard(self, games: Sequence[AnyGame], rewards: Sequence[float]) -> None:
        """Take the figures of a round."""
        self._latest = self.figures(games, rewards)

    def renamed(self, logs: Mapping[str, Any]) -> dict[str, float]:
        """Join what the trainer logs with the figures of the last round."""
        own = named({name: name for name in self.logged})(logs)
        return self._latest | own if own else {}

    def tick(self) -> None:
        """Give a sign of life between turns."""
        self.work.beat(self.work.run.done)

    @property
    def freely(self) -> Sampling:
        """How games are sampled that are learned from."""
        found: Sampling = msgspec.structs.replace(
            self.player.sampling, temperature=self.config.temperature, top_p=self.config.top_p
        )
        return found


class Weights(Protocol):
    """A model to begin with."""

    @property
    def model(self) -> Any: ...  # noqa: D102  see the class

    @property
    def tokenizer(self) -> Any: ...  # noqa: D102


def learn(
    rounds: Rounds[Any, Any, Any, Any], opened: Weights, deals: Any, adapter: Any = None
) -> Choosing:
    """Play and train, round after round, and have the model measured every few steps.

    Args:
        rounds: the games.
        opened: the model to begin with.
        deals: what is played, by ``data_of``.
        adapter: settings of the adapter that is trained; None trains the weights.

    Returns:
        Every measurement, with the best model kept.
    """
    from trl import GRPOConfig as TrlConfig

    from training.stages.grpo_trainer import GameTrainer

    work, config, tokenizer = rounds.work, rounds.config, opened.tokenizer
    work.run.total = config.steps
    work.run.save(update_fields=["total"])
    trainer = GameTrainer(
        model=opened.model,
        processing_class=tokenizer,
        train_dataset=deals,
        peft_config=adapter,
        columns=rounds.deal.__struct_fields__,
        play=rounds.play_rows,
        worth=rounds.worth,
        deeds=lambda turn: deed_length(tokenizer, turn.said),
        heard=rounds.heard,
        args=TrlConfig(
            **common(config, work) | in_rounds(config),
            max_steps=config.steps,
            num_generations=config.group,
            beta=config.beta,
            temperature=config.temperature,
            max_completion_length=rounds.card.max_new_tokens,
            loss_type="grpo",
            lr_scheduler_type="linear",
            warmup_steps=2,
            logging_steps=1,
            remove_unused_columns=False,
            shuffle_dataset=False,
        ),
    )
    jury = rounds.seat(trainer.model, tokenizer)
    save = partial(save_model, work, trainer.model, tokenizer, rounds.card)
    choosing = Choosing(work, config.select_every, config.steps, jury, save)
    trainer.add_callback(choosing)
    train(trainer, work, Following(work, rounds.renamed))
    return choosing


def data_of(deals: Sequence[msgspec.Struct]) -> Any:
    """Write what is played as a data set of TRL, whose prompts are made in the games."""
    from datasets import Dataset

    return Dataset.from_list([{"prompt": "", **msgspec.structs.asdict(one)} for one in deals])
