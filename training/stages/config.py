"""What a stage of training can be told; all of it is checked before any work begins.

Every field has a default for each size, a range and one line of help: forms, the command and the
documentation are made of them.
"""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError

from negotiation.engine.people.suites import is_held_out
from training.data.seeds import first_seed, ring_of
from training.data.teaching import SUITE_IDS, people_games
from training.stages import round_config as shared
from training.stages.league_config import LeagueConfig
from training.stages.market_config import MarketGrpoConfig, MarketSftConfig, check_market
from training.stages.settings import (
    BUYER_STAGES,
    FROM_NOTHING,
    LARGE_BASE,
    MARKET_STAGES,
    MAX_SEED,
    SIZES,
    STAGES,
    BadConfig,
    BatchConfig,
    Precision,
    Size,
    Stage,
    StageConfig,
    sizes_of,
)
from training.stages.voice_config import VOICE_DEFAULTS, VoiceDpoConfig, VoiceSftConfig

__all__ = [
    "BUYER_STAGES",
    "CONFIGS",
    "LARGE_BASE",
    "MARKET_STAGES",
    "MAX_SEED",
    "SIZES",
    "STAGES",
    "BadConfig",
    "BaseConfig",
    "BatchConfig",
    "CorpusConfig",
    "DpoConfig",
    "GrpoConfig",
    "LeagueConfig",
    "MarketGrpoConfig",
    "MarketSftConfig",
    "Precision",
    "SftConfig",
    "Size",
    "Stage",
    "StageConfig",
    "VoiceDpoConfig",
    "VoiceSftConfig",
    "checked",
    "defaults",
    "make_config",
    "sizes_of",
]


def _split(told: object) -> object:
    return [name.strip() for name in told.split(",")] if isinstance(told, str) else told


Suites = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""Names; as one text they are parted by commas."""


class CorpusConfig(BatchConfig):
    """What stages share that learn from teachers."""

    bargains: int = Field(900, ge=4, le=100_000, description="Teacher bargains in every suite.")

    @property
    def seeds(self) -> int:
        """One for each bargain of a suite."""
        return self.bargains


class BaseConfig(CorpusConfig):
    """Pretraining from nothing: the words and numbers of the bazaar, no protocol yet."""

    stage = "base"

    epochs: float = Field(2.0, gt=0, le=100, description="Times that all of it is read.")
    vocabulary: int = Field(2048, ge=300, le=65_536, description="Tokens of the own tokenizer.")
    hidden: int = Field(192, ge=16, le=4096, multiple_of=8, description="Width of the model.")
    layers: int = Field(4, ge=1, le=64, description="Layers.")
    heads: int = Field(6, ge=1, le=64, description="Heads of attention; divide the width.")
    context: int = Field(512, ge=128, le=8192, description="Tokens that are read at once.")
    check_games: int = Field(80, ge=4, le=10_000, description="Held-out games at the end.")


class SftConfig(CorpusConfig):
    """Supervised fine-tuning: the protocol, from teachers of several tempers."""

    stage = "sft"

    people: float = Field(
        0.6, ge=0, le=1, description="Part of the bargains with people, played by a network, 0..1."
    )
    waiting: float = Field(
        0.5, ge=0, le=1, description="Part of the other games that the waiter plays, 0..1."
    )
    epochs: float = Field(2.0, gt=0, le=100, description="Times that all lessons are read.")
    last_rounds: int = Field(3, ge=1, le=20, description="Times a lesson of a last round counts.")
    max_length: int = Field(256, ge=64, le=8192, description="Tokens of prompt and answer.")
    check_games: int = Field(200, ge=4, le=10_000, description="Held-out games at the end.")
    model: str = Field("", max_length=200, description="Start from this model, not from a run.")

    @property
    def people_seeds(self) -> int:
        """One for each game with people."""
        return people_games(self.bargains, self.people)


class GrpoConfig(shared.RoundsConfig):
    """Group-relative policy optimisation on whole games with people, pinned and drawn sellers."""

    stage = "grpo"
    different = "deals"

    steps: shared.Steps = 100
    deals: shared.Different = Field(16, description="Different deals played in each step.")
    group: shared.Group = Field(8, description="Games of every deal, compared to each other.")
    updates: shared.Updates = Field(2, description="Steps of the optimizer for one round of games.")
    parts: shared.Parts = 8
    beta: shared.KlWeight = 0.04
    temperature: shared.Temperature = Field(1.0, description="Of the games.")
    top_p: shared.TopP = Field(0.98, description="Mass of what may be said in the games.")
    missed_weight: shared.Weight = Field(
        0.2, description="Cost of no deal where one was possible, beyond its share."
    )
    format_weight: shared.FormatWeight = 0.5
    legality_weight: shared.Weight = Field(0.1, description="Cost of bids against the rules.")
    select_every: shared.Every = Field(10, description="Steps between games on held-out seeds.")
    check_games: int = Field(160, ge=4, le=10_000, description="Held-out games each time.")
    suites: Suites = Field(SUITE_IDS, min_length=1, description="Suites that are played.")
    people: float = Field(
        0.5, ge=0, le=1, description="Part of the deals, and of held-out games, with people, 0..1."
    )
    drawn: float = Field(
        0.5, ge=0, le=1, description="Part of the other deals with sellers drawn at random, 0..1."
    )
    late: float = Field(
        0.4, ge=0, le=1, description="Part of the other deals that begin in the last rounds, 0..1."
    )


class DpoConfig(BatchConfig):
    """Direct preference optimisation on pairs of games that a judge has compared."""

    stage = "dpo"

    pairs: int = Field(
        480, ge=4, le=100_000, description="Scenarios of a round; two games are played of each."
    )
    rounds: int = Field(
        1, ge=1, le=10, description="Times that pairs are made, with the model as it then is."
    )
    beta: float = Field(0.1, gt=0, le=10, description="How far it may go from where it starts.")
    epochs: float = Field(1.0, gt=0, le=20, description="Times that all pairs are read.")
    cool: float = Field(0.5, gt=0, le=2, description="Temperature of the one game.")
    warm: float = Field(0.9, gt=0, le=2, description="Temperature of the other.")
    verdicts: Literal["all", "play", "manners"] = Field(
        "all", description="Learned from: play leaves out rounds and words, manners prices."
    )
    late: float = Field(
        0.4, ge=0, le=1, description="Part of the pairs that begin in the last rounds, 0..1."
    )
    judge: Literal["heuristic", "llm"] = Field("heuristic", description="Who compares.")
    check_games: int = Field(200, ge=4, le=10_000, description="Held-out pairs at the end.")

    @property
    def seeds(self) -> int:
        """One for each pair, at most."""
        return self.pairs * self.rounds


CONFIGS: dict[Stage, type[StageConfig]] = {
    "league": LeagueConfig,
    "base": BaseConfig,
    "sft": SftConfig,
    "grpo": GrpoConfig,
    "dpo": DpoConfig,
    "market-sft": MarketSftConfig,
    "market-grpo": MarketGrpoConfig,
    "voice-sft": VoiceSftConfig,
    "voice-dpo": VoiceDpoConfig,
}

_LORA = {"lora_rank": 16, "precision": "4bit"}
_FEW = {"save_every": 50, "threads": 1}
_SMALL = {**_FEW, "batch": 16, "rows_at_once": 16}
_OTHERS: dict[tuple[Stage, Size], dict[str, Any]] = {
    ("league", "mini"): {"learning_rate": 1.5e-3, "save_every": 25, "threads": 1},
    ("league", "toy"): {
        "learning_rate": 1.5e-3, "save_every": 2, "threads": 1, "steps": 4, "rounds": 2,
        "round_steps": 2, "games": 256, "batch": 256, "width": 16, "sellers": 400,
        "candidates": 6, "generations": 2, "search_games": 32, "check_games": 256,
        "check_every": 2,
    },
    ("base", "mini"): {"learning_rate": 3e-3, "batch": 16, "rows_at_once": 16, "epochs": 0.7},
    ("sft", "mini"): {
        "learning_rate": 1e-3, "batch": 32, "rows_at_once": 32, "bargains": 400, "epochs": 0.55,
        "last_rounds": 1, "threads": 1, "check_games": 120,
    },
    ("grpo", "mini"): {
        "learning_rate": 3e-4, "save_every": 4, "steps": 20, "deals": 16, "check_games": 120,
        "threads": 1,
    },
    ("dpo", "mini"): {
        "learning_rate": 3e-5, "batch": 32, "rows_at_once": 32, "pairs": 1920,
        # Two threads round sums otherwise than one, and each round plays on from such differences:
        # the shipped model was made with one.
        "rounds": 4, "check_games": 480, "threads": 1,
    },
    ("base", "toy"): {
        **_SMALL, "bargains": 40, "epochs": 1.0, "vocabulary": 600, "hidden": 64, "layers": 2,
        "heads": 2, "learning_rate": 5e-3, "check_games": 8,
    },
    ("sft", "toy"): {**_SMALL, "bargains": 40, "epochs": 3.0, "check_games": 24,
                     "learning_rate": 5e-3},
    ("grpo", "toy"): {
        **_FEW, "steps": 4, "deals": 4, "group": 4, "parts": 2, "check_games": 24,
        "select_every": 2,
    },
    ("dpo", "toy"): {**_SMALL, "pairs": 24, "check_games": 24},
    ("market-sft", "toy"): {
        **_SMALL, "episodes": 20, "epochs": 1.0, "hidden": 64, "layers": 2, "heads": 2,
        "learning_rate": 5e-3, "check_episodes": 6,
    },
    ("market-grpo", "toy"): {
        **_FEW, "steps": 4, "worlds": 3, "group": 4, "parts": 2, "check_episodes": 6,
        "select_every": 2,
    },
    ("market-sft", "mini"): {"learning_rate": 2.5e-3, "batch": 32, "rows_at_once": 32},
    ("market-grpo", "mini"): {
        "learning_rate": 3e-4, "save_every": 10, "steps": 40, "temperature": 1.25, "top_p": 1.0,
    },
    ("sft", "large"): {
        **_LORA, "learning_rate": 1e-4, "batch": 8, "rows_at_once": 2, "epochs": 1.0,
        "bargains": 40, "max_length": 1024, "model": LARGE_BASE,
    },
    ("grpo", "large"): {
        **_LORA, "learning_rate": 5e-6, "steps": 30, "deals": 4, "parts": 8, "updates": 1,
    },
    ("dpo", "large"): {**_LORA, "learning_rate": 5e-6, "batch": 8, "rows_at_once": 1, "pairs": 64},
    **VOICE_DEFAULTS,
}  # fmt: skip
"""Where the defaults of a size differ from those of the fields."""


def defaults(stage: Stage, size: Size) -> dict[str, Any]:
    """Give every setting of a stage as it is when nothing else is said.

    Raises:
        BadConfig: there is no such stage or size, or the stage is not for that size.
    """
    if stage not in CONFIGS or size not in SIZES:
        raise BadConfig(f"Stages are {', '.join(STAGES)}; sizes are {', '.join(SIZES)}.")
    if size not in sizes_of(stage):
        raise BadConfig(
            "A large model is not made from nothing; begin with sft."
            if stage in BUYER_STAGES
            else "Labs are small models, made from nothing; their sizes are toy and mini."
        )
    return CONFIGS[stage](size=size, **_OTHERS.get((stage, size), {})).model_dump()


def make_config(stage: Stage, size: Size, **changes: object) -> StageConfig:
    """Check the settings of a stage.

    Raises:
        BadConfig: with every setting that is wrong, and what is allowed.
    """
    return checked(stage, {**defaults(stage, size), **changes})


def checked(stage: Stage, settings: dict[str, Any]) -> StageConfig:
    """Check settings that were written down.

    Raises:
        BadConfig: with every setting that is wrong, and what is allowed.
    """
    try:
        config = CONFIGS[stage].model_validate(settings)
    except ValidationError as wrong:
        raise BadConfig(
            "\n".join(_sentence(CONFIGS[stage], one) for one in wrong.errors())
        ) from None
    _check_together(config)
    return config


def _sentence(kind: type[StageConfig], error: Any) -> str:
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "extra_forbidden":
        return (
            f"{name[:60]} is no setting of {kind.stage}; there are {', '.join(kind.model_fields)}."
        )
    return f"{name}: {error['msg']}, not {str(error['input'])[:60]!r}."


def _check_together(config: StageConfig) -> None:
    is_small = config.stage in FROM_NOTHING or config.stage in MARKET_STAGES
    if is_small and (config.lora_rank or config.precision == "4bit"):
        raise BadConfig("A network from nothing has no adapter and no 4-bit weights.")
    if isinstance(config, BatchConfig) and config.batch % config.rows_at_once:
        raise BadConfig(
            f"batch ({config.batch}) has to be a multiple of rows_at_once ({config.rows_at_once})."
        )
    if isinstance(config, BaseConfig | MarketSftConfig) and config.hidden % (2 * config.heads):
        raise BadConfig(
            f"hidden ({config.hidden}) has to be a multiple of twice the heads ({config.heads})."
        )
    if isinstance(config, shared.RoundsConfig):
        config.check_round()
    if isinstance(config, GrpoConfig):
        kept = [name for name in config.suites if is_held_out(name)]
        if kept:
            raise BadConfig(
                f"{kept[0][:60]} is held out: results are reported on it, and no stage plays it."
            )
        unknown = [name for name in config.suites if name not in SUITE_IDS]
        if unknown:
            raise BadConfig(
                f"There is no suite {unknown[0][:60]!r}. Known: {', '.join(SUITE_IDS)}."
            )
    check_market(config)
    _check_ring(config, config.stage, config.seeds)
    if isinstance(config, SftConfig):
        _check_ring(config, "people", config.people_seeds)
    if config.precision == "4bit" and not config.lora_rank:
        raise BadConfig("4-bit weights cannot be trained themselves; set lora_rank, usually 16.")


def _check_ring(config: StageConfig, games: str, seeds: int) -> None:
    if first_seed(games, config.seed) + seeds > ring_of(config.stage):
        raise BadConfig(
            f"Seed {config.seed} with {seeds:,} games would learn from games that are held "
            "out; ask for fewer games, or a smaller seed."
        )
