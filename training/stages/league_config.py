"""What the league can be told: a network learns from games with people, then from exploiters."""

from pydantic import Field

from training.stages.settings import StageConfig


class LeagueConfig(StageConfig):
    """Policy search over the population, then rounds in which found sellers join it."""

    stage = "league"

    steps: int = Field(800, ge=2, le=100_000, description="Steps before the first round.")
    rounds: int = Field(3, ge=0, le=20, description="Rounds: a seller is searched, then joins.")
    round_steps: int = Field(60, ge=1, le=100_000, description="Steps of each round.")
    games: int = Field(4096, ge=16, le=1_000_000, description="Games of each step.")
    epochs: int = Field(3, ge=1, le=50, description="Times that a step's games are read.")
    batch: int = Field(4096, ge=16, le=1_000_000, description="Positions read at once.")
    clip: float = Field(0.2, gt=0, lt=1, description="How far a choice's chance moves in a step.")
    trace: float = Field(0.95, ge=0, le=1, description="Lambda of the advantages, 0..1.")
    entropy: float = Field(0.015, ge=0, le=1, description="Weight of indecision at first.")
    deal: float = Field(0.35, ge=0, le=1, description="Worth of a deal beyond its share.")
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
        0.7, ge=0, le=20, description="How fast weight moves to kinds that go worse."
    )
    exploiters: float = Field(
        0.08, ge=0, lt=0.5, description="Part of the games that each found seller gets, 0..1."
    )
    width: int = Field(160, ge=8, le=4096, description="Of the network's two hidden layers.")
    sellers: int = Field(60_000, ge=100, le=5_000_000, description="Drawn to play against.")
    candidates: int = Field(40, ge=4, le=10_000, description="Sellers of a search's generation.")
    generations: int = Field(8, ge=1, le=1_000, description="Of a search.")
    search_games: int = Field(512, ge=8, le=100_000, description="Games of each candidate.")
    check_games: int = Field(16_384, ge=16, le=1_000_000, description="Games of each check.")
    check_every: int = Field(50, ge=1, description="Steps between checks on the validation part.")

    @property
    def seeds(self) -> int:
        """Games are drawn from streams of the run's seed, not by number."""
        return 0

    @property
    def all_steps(self) -> int:
        """Steps of the whole run."""
        return self.steps + self.rounds * self.round_steps
