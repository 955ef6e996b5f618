"""What staff do to a run from its page: cancel, resume, publish, offer its model."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from negotiation.enqueue import enqueue
from negotiation.typed_admin import ModelAdmin
from training import publishing, runs, selecting
from training.evaluation.errors import EvaluationError
from training.kinds import KINDS
from training.models import Run
from training.run_page import chain_of
from training.tasks import play_waiting

View = Callable[..., HttpResponse]


class RunHands(ModelAdmin[Run]):
    """The buttons of a run's page, each a POST of its own."""

    def hands(self) -> list[URLPattern]:
        """Give the addresses of the buttons."""
        views: dict[str, View] = {
            "cancel": self.cancel,
            "cancel-chain": self.cancel_chain,
            "resume": self.resume,
            "publish": self.publish,
            "withdraw": self.withdraw,
            "select": self.select,
            "take-away": self.take_away,
        }
        wrap = self.admin_site.admin_view
        return [
            path(
                f"<slug:run_id>/{name}/",
                wrap(require_POST(view)),
                name=f"training_run_{name.replace('-', '_')}",
            )
            for name, view in views.items()
        ]

    def cancel(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Stop a run; what was done stays."""
        run = self._changeable(request, run_id)
        stopped = runs.ask_to_stop(run)
        return self._done(request, run, "It stops now." if stopped else "It is over already.")

    def cancel_chain(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Stop a run and all that belong to its chain."""
        run = self._changeable(request, run_id)
        stopped = [one for one in reversed(chain_of(run)) if runs.ask_to_stop(one)]
        return self._done(request, run, f"{len(stopped)} runs stop now.")

    def resume(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Put a run that stopped back in the queue, or knock at the worker again."""
        run = self._changeable(request, run_id)
        if not runs.queue(run) and run.status != Run.Status.QUEUED:
            return self._done(request, run, "It is at work, or done.", messages.WARNING)
        return self._done(request, run, *asked())

    def publish(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Show the result to everybody."""
        run = self._changeable(request, run_id)
        try:
            publishing.publish(run)
        except (EvaluationError, OSError) as wrong:
            return self._done(request, run, str(wrong), messages.ERROR)
        return self._done(request, run, "Everybody sees it now.")

    def withdraw(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Hide the result again."""
        run = self._changeable(request, run_id)
        publishing.withdraw(run)
        return self._done(request, run, "Only staff see it now.")

    def select(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Offer the model that the run made to players and evaluations."""
        run = self._changeable(request, run_id)
        try:
            made = selecting.make_selectable(run, request.POST.get("name", ""))
        except (selecting.NotSelectable, OSError) as wrong:
            return self._done(request, run, str(wrong), messages.ERROR)
        return self._done(request, run, f"{made.name} can be chosen now.")

    def take_away(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Offer it no longer."""
        run = self._changeable(request, run_id)
        names = ", ".join(selecting.take_away(run)) or "Nothing"
        return self._done(request, run, f"{names} can no longer be chosen.")

    def _changeable(self, request: HttpRequest, run_id: str) -> Run:
        run = self._found(run_id)
        if not self.has_change_permission(request, run):
            raise PermissionDenied
        if run.kind not in KINDS:
            raise Http404
        return run

    def _found(self, run_id: str) -> Run:
        run = Run.objects.select_related("after").filter(pk=run_id).first()
        if run is None:
            raise Http404
        return run

    def _done(
        self, request: HttpRequest, run: Run, what: str, level: int = messages.SUCCESS
    ) -> HttpResponse:
        self.log_change(request, run, what)
        self.message_user(request, what, level)
        return redirect("admin:training_run_change", run.pk)


def asked() -> tuple[str, int]:
    """Knock at the worker, and say whether it heard."""
    if enqueue(play_waiting):
        return "The worker has been asked to play it.", messages.SUCCESS
    return "The worker cannot be reached; the run waits. Resume it later.", messages.WARNING
