"""What staff see of runs: a form to start one, its progress, its result, and their hand on it."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from negotiation.typed_admin import ModelAdmin
from training import jobs, letters, runs
from training.evaluation.errors import EvaluationError
from training.evaluation.published import KIND
from training.evaluation.publishing import publish
from training.evaluation.running import open_evaluation
from training.forms import EvaluationForm
from training.models import Run
from training.run_page import page_of


@admin.register(Run)
class RunAdmin(ModelAdmin[Run]):
    """Runs. "Add" starts an evaluation; a run's page follows it and stops it."""

    list_display = ["id", "kind", "state", "how_far", "created_at", "published_at"]
    list_filter = ["kind", "status"]
    search_fields = ["id", "name"]

    def get_urls(self) -> list[URLPattern]:
        """Add the buttons of a run's page, and what it asks for every second."""
        wrap = self.admin_site.admin_view
        hands = {
            "cancel": self.cancel,
            "resume": self.resume,
            "publish": self.publish,
            "withdraw": self.withdraw,
        }
        own = [
            path(f"<slug:run_id>/{name}/", wrap(require_POST(view)), name=f"training_run_{name}")
            for name, view in hands.items()
        ]
        progress = path(
            "<slug:run_id>/progress/", wrap(self.progress), name="training_run_progress"
        )
        return [progress, *own, *super().get_urls()]

    def has_delete_permission(self, request: HttpRequest, obj: Run | None = None) -> bool:
        """Not while it is at work, and not what came with the code."""
        allowed = super().has_delete_permission(request, obj)
        is_fixed = obj is not None and (obj.is_at_work or obj.folder.startswith(runs.RECEIPT))
        return allowed and not is_fixed

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """List the runs as they are now."""
        runs.mark_lost()
        return super().changelist_view(request, extra_context)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Start an evaluation."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = EvaluationForm(request.POST or None)
        if form.is_valid():
            return self._start(request, form)
        context = self._context(request, "Start an evaluation") | {"form": form}
        return TemplateResponse(request, "admin/training/start.html", context)

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
        if not run.is_at_work or request.GET.get("was", run.status) != run.status:
            answer["HX-Refresh"] = "true"
        return answer

    def cancel(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Stop a run; what was played stays."""
        run = self._changeable(request, run_id)
        stopped = runs.ask_to_stop(run)
        return self._done(request, run, "It stops now." if stopped else "It is over already.")

    def resume(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Put a run that stopped back in the queue, or knock at the worker again."""
        run = self._changeable(request, run_id)
        if not runs.queue(run) and run.status != Run.Status.QUEUED:
            return self._done(request, run, "It is at work, or done.", messages.WARNING)
        return self._done(request, run, *self._asked())

    def publish(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Show the result to everybody."""
        run = self._changeable(request, run_id)
        try:
            publish(run)
        except (EvaluationError, OSError) as wrong:
            return self._done(request, run, str(wrong), messages.ERROR)
        return self._done(request, run, "Everybody sees it now.")

    def withdraw(self, request: HttpRequest, run_id: str) -> HttpResponse:
        """Hide the result again."""
        run = self._changeable(request, run_id)
        Run.objects.filter(pk=run.pk).update(published_at=None)
        return self._done(request, run, "Only staff see it now.")

    @admin.display(description="status", ordering="status")
    def state(self, run: Run) -> str:
        """Status and why."""
        return f"{run.status}: {run.note[:60]}" if run.note else run.status

    @admin.display(description="done")
    def how_far(self, run: Run) -> str:
        """Bargains of bargains."""
        return f"{run.done:,} of {run.total:,}"

    def _start(self, request: HttpRequest, form: EvaluationForm) -> HttpResponse:
        try:
            jobs.check_room()
            with transaction.atomic():
                run = open_evaluation(form.plan, form.cleaned_data["name"], waits=True)
        except (EvaluationError, jobs.TooMany, OSError) as wrong:
            form.add_error(None, str(wrong))
            context = self._context(request, "Start an evaluation") | {"form": form}
            return TemplateResponse(request, "admin/training/start.html", context)
        self.log_addition(request, run, "Started an evaluation.")
        self.message_user(request, *self._asked())
        return redirect("admin:training_run_change", run.pk)

    def _asked(self) -> tuple[str, int]:
        if letters.ask():
            return "The worker has been asked to play it.", messages.SUCCESS
        return "The worker cannot be reached; the run waits. Resume it later.", messages.WARNING

    def _shown(self, request: HttpRequest, run_id: str) -> dict[str, Any]:
        runs.mark_lost()
        run = self._found(run_id)
        if not self.has_view_permission(request, run):
            raise PermissionDenied
        may_change = self.has_change_permission(request, run) and run.kind == KIND
        return self._context(request, run.pk) | page_of(run) | {"may_change": may_change}

    def _changeable(self, request: HttpRequest, run_id: str) -> Run:
        run = self._found(run_id)
        if not self.has_change_permission(request, run):
            raise PermissionDenied
        if run.kind != KIND:
            raise Http404
        return run

    def _found(self, run_id: str) -> Run:
        run = Run.objects.filter(pk=run_id).first()
        if run is None:
            raise Http404
        return run

    def _done(
        self, request: HttpRequest, run: Run, what: str, level: int = messages.SUCCESS
    ) -> HttpResponse:
        self.log_change(request, run, what)
        self.message_user(request, what, level)
        return redirect("admin:training_run_change", run.pk)

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "title": title, "opts": self.opts}
