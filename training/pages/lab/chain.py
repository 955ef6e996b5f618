"""The published runs that made the lab, and the lab itself where this site has it."""

import msgspec

from arena.gpu_market.trained.cards import LabCheckpoint, labs
from training.models import Run

SFT, GRPO = "market-sft", "market-grpo"


class Made(msgspec.Struct, frozen=True):
    """A lab and the published runs that made it; what is not published is None."""

    sft: Run | None
    grpo: Run | None
    lab: LabCheckpoint | None
    before: LabCheckpoint | None

    @property
    def runs(self) -> tuple[Run, ...]:
        """In the order of the pipeline."""
        return tuple(run for run in (self.sft, self.grpo) if run is not None)


def made() -> Made:
    """Find the lab of this site and its runs.

    That is the first lab that a published run of GRPO has made: those that came with the code stand
    before those of this site. Where no lab names such a run, the newest published runs stand alone.
    """
    published = {
        run.pk: run
        for run in Run.objects.filter(
            kind__in=(SFT, GRPO), status=Run.Status.DONE, published_at__isnull=False
        ).order_by("published_at", "pk")
    }
    here = list(labs())
    lab = next((one for one in here if _kind(published, one) == GRPO), None)
    grpo = published[lab.card.made_by] if lab is not None else _newest(published, GRPO)
    before = published.get(grpo.after_id or "") if grpo is not None else None
    sft = before if before is not None else _newest(published, SFT)
    copied = next((one for one in here if sft is not None and one.card.made_by == sft.pk), None)
    return Made(sft, grpo, lab, copied)


def _kind(published: dict[str, Run], lab: LabCheckpoint) -> str:
    run = published.get(lab.card.made_by)
    return "" if run is None else run.kind


def _newest(published: dict[str, Run], kind: str) -> Run | None:
    return next((run for run in reversed(published.values()) if run.kind == kind), None)
