"""What staff see of runs: forms to start them, their progress, their results."""

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_POST, require_safe

from negotiation.admin import ModelAdmin
from negotiation.enqueue import enqueue
from training.evaluation import EvaluationError
from training.jobs import chains, publishing
from training.jobs.chains import selectable_as
from training.jobs.starting import start, starting
from training.models import KINDS, Run
from training.pages.runs import chain_of, page_of, staff_of
from training.runs import lifecycle
from training.runs.files import model_files
from training.tasks import play_waiting

View = Callable[..., HttpResponse]


class RunButtons(ModelAdmin[Run]):
    """The buttons of a run's page, each a POST of its own."""

    def button_urls(self) -> list[URLPattern]:
        """Return the addresses of the buttons."""
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
        stopped = lifecycle.ask_to_stop(run)
        return self._done(request, run, "It stops now." if stopped else "It is over already.")

    def cancel_chain(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Stop a run and all that belong to its chain."""
        run = self._changeable(request, run_id)
        stopped = [one for one in reversed(chain_of(run)) if lifecycle.ask_to_stop(one)]
        return self._done(request, run, f"{len(stopped)} runs stop now.")

    def resume(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Put a run that stopped back in the queue, or knock at the worker again."""
        run = self._changeable(request, run_id)
        if not lifecycle.queue(run) and run.status != Run.Status.QUEUED:
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
            made = chains.make_selectable(run, request.POST.get("name", ""))
        except (chains.NotSelectable, OSError) as wrong:
            return self._done(request, run, str(wrong), messages.ERROR)
        return self._done(request, run, f"{made.name} can be chosen now.")

    def take_away(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Offer it no longer."""
        run = self._changeable(request, run_id)
        names = ", ".join(chains.take_away(run)) or "Nothing"
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


@admin.register(Run)
class RunAdmin(RunButtons):
    """Runs. "Add" starts some; a run's page follows it and stops it."""

    list_display = ["id", "kind", "state", "how_far", "created_at", "published_at"]
    list_filter = ["kind", "status"]
    search_fields = ["id", "name", "chain"]

    def get_urls(self) -> list[URLPattern]:
        """Add the buttons of a run's page, and what it asks for every two seconds."""
        view = self.admin_site.admin_view(self.progress)
        progress = path("<slug:run_id>/progress/", view, name="training_run_progress")
        return [progress, *self.button_urls(), *super().get_urls()]

    def has_delete_permission(self, request: HttpRequest, obj: Run | None = None) -> bool:
        allowed = super().has_delete_permission(request, obj)
        if obj is None or not allowed:
            return allowed
        is_awaited = obj.followers.filter(status=Run.Status.QUEUED).exists()
        return not (obj.is_at_work or is_awaited or obj.folder.startswith(lifecycle.RECEIPT))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """List the runs as they are now."""
        lifecycle.mark_lost()
        return super().changelist_view(request, extra_context)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Start a stage, a chain of them, or an evaluation."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        wanted = starting(request)
        if wanted.form.is_valid() and (run := start(wanted.form)) is not None:
            self.log_addition(request, run, f"Started: {wanted.what}.")
            self.message_user(request, *asked())
            return redirect("admin:training_run_change", run.pk)
        context = self._context(request, wanted.title) | {"wanted": wanted, "form": wanted.form}
        return TemplateResponse(request, "admin/training/start.html", context)

    @method_decorator(require_safe)
    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Show a run: how far it is, or what came out."""
        context = self._shown(request, object_id)
        return TemplateResponse(request, "admin/training/run.html", context)

    def progress(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Show only how far a run is; once it is somewhere else the whole page is wanted."""
        context = self._shown(request, run_id)
        answer = TemplateResponse(request, "admin/training/_progress.html", context)
        run = context["run"]
        if not context["is_live"] or request.GET.get("was", run.status) != run.status:
            answer["HX-Refresh"] = "true"
        return answer

    @admin.display(description="status", ordering="status")
    def state(self, run: Run) -> str:
        """Status and why."""
        before = run.blocked_by
        if before is not None:
            return f"waits for {before.pk}, which was {before.status}"
        return f"{run.status}: {run.note[:60]}" if run.note else run.status

    @admin.display(description="done")
    def how_far(self, run: Run) -> str:
        """So many of so many."""
        return f"{run.done:,} of {run.total:,} {run.what.unit}"

    def _shown(self, request: HttpRequest, run_id: str) -> dict[str, Any]:
        lifecycle.mark_lost()
        run = self._found(run_id)
        if not self.has_view_permission(request, run):
            raise PermissionDenied
        may_change = self.has_change_permission(request, run) and run.kind in KINDS
        return {
            **self._context(request, run.pk),
            **page_of(run),
            **staff_of(run),
            "is_staff": True,
            "may_change": may_change,
            "selectable_as": selectable_as(run) if run.what.is_stage else [],
            "has_model": run.status == "done" and bool(model_files(lifecycle.folder_of(run))),
        }

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "title": title, "opts": self.opts}
