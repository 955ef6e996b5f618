"""The runs that somebody may see, newest first, with the runs of a chain side by side."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import QuerySet

from training.kinds import KINDS
from training.models import Run

MOST = 60


def may_see_all(user: User | AnonymousUser) -> bool:
    """Tell staff from visitors, who see what was published."""
    return user.is_staff and user.has_perm("training.view_run")


def visible_to(user: User | AnonymousUser) -> QuerySet[Run]:
    """Give the runs that somebody may see."""
    runs = Run.objects.filter(kind__in=KINDS).select_related("after")
    if may_see_all(user):
        return runs
    return runs.filter(published_at__isnull=False, status=Run.Status.DONE)


def listed(user: User | AnonymousUser, *, stages_only: bool = False) -> list[list[Run]]:
    """List runs in groups: a chain is one, and so is every other run. For ``_runs.html``.

    Args:
        user: who looks.
        stages_only: leave evaluations out that belong to no chain.
    """
    groups: dict[str, list[Run]] = {}
    for run in visible_to(user).order_by("-created_at", "-pk")[:MOST]:
        if run.what.is_stage or run.chain or not stages_only:
            groups.setdefault(run.chain or run.pk, []).append(run)
    return [group[::-1] for group in groups.values()]
