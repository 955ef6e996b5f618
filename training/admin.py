"""What staff see of runs: forms to start them, their progress, their results."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

from training import runs
from training.artifacts import model_files
from training.kinds import KINDS
from training.models import Run
from training.run_hands import RunHands, asked
from training.run_page import page_of, staff_of
from training.run_starting import start, starting
from training.selecting import selectable_as


@admin.register(Run)
class RunAdmin(RunHands):
    """Runs. "Add" starts some; a run's page follows it and stops it."""

    list_display = ["id", "kind", "state", "how_far", "created_at", "published_at"]
    list_filter = ["kind", "status"]
    search_fields = ["id", "name", "chain"]

    def get_urls(self) -> list[URLPattern]:
        """Add the buttons of a run's page, and what it asks for every two seconds."""
        view = self.admin_site.admin_view(self.progress)
        progress = path("<slug:run_id>/progress/", view, name="training_run_progress")
        return [progress, *self.hands(), *super().get_urls()]

    def has_delete_permission(self, request: HttpRequest, obj: Run | None = None) -> bool:
        """Not while it is at work or another run waits for it, nor what came with the code."""
        allowed = super().has_delete_permission(request, obj)
        if obj is None or not allowed:
            return allowed
        is_awaited = obj.followers.filter(status=Run.Status.QUEUED).exists()
        return not (obj.is_at_work or is_awaited or obj.folder.startswith(runs.RECEIPT))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        """List the runs as they are now."""
        runs.mark_lost()
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
        runs.mark_lost()
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
            "has_model": run.status == "done" and bool(model_files(runs.folder_of(run))),
        }

    def _context(self, request: HttpRequest, title: str) -> dict[str, Any]:
        return {**self.admin_site.each_context(request), "title": title, "opts": self.opts}
