"""What operators see of the models: today's page with its switches, and the ledger to read."""

import time
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.views.decorators.http import require_POST

from agents.checkpoints import known
from agents.gates import ledger, report
from agents.gates.keeper import gatekeeper
from agents.gates.switches import choose_checkpoint, close_metered, force_backend, switches
from agents.models import ModelCall, Switches
from negotiation.admin import ModelAdmin, ReadOnly
from negotiation.templatetags.money import dollars

PAGE = "admin:agents_switches_changelist"


@admin.register(Switches)
class SwitchesAdmin(ModelAdmin[Switches]):
    """Sauda today: what is spent, what is broken, who is refused, and the operator's hand."""

    def get_urls(self) -> list[URLPattern]:
        """Serve one page and four buttons instead of a list of one row."""
        wrap = self.admin_site.admin_view
        return [
            path("", wrap(self.today), name="agents_switches_changelist"),
            path("force/", wrap(require_POST(self.force)), name="agents_force"),
            path("model/", wrap(require_POST(self.model_that_speaks)), name="agents_model"),
            path("metered/", wrap(require_POST(self.metered)), name="agents_metered"),
            path("breaker/", wrap(require_POST(self.breaker)), name="agents_breaker"),
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def today(self, request: HttpRequest) -> HttpResponse:
        """Show the day."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        now, hand = time.time(), switches()
        context = {
            **self.admin_site.each_context(request),
            "title": "Sauda today",
            "state": report.state(now),
            "blocked": ledger.blocked_clients(now),
            "changed_at": hand.changed_at,
            "chosen": hand.checkpoint,
            "is_here": known().find(hand.checkpoint) is not None,
            "models": known().checkpoints,
            "choices": self._choices(),
            "may_change": self.has_change_permission(request),
        }
        return TemplateResponse(request, "admin/agents/today.html", context)

    def force(self, request: HttpRequest) -> HttpResponse:
        """Let one backend alone speak, or give the choice back."""
        self._check(request)
        name = request.POST.get("backend", "")
        if name and name not in self._choices():
            return self._answered(request, f"There is no backend {name[:20]!r}.", messages.ERROR)
        force_backend(name)
        return self._done(request, f"Forced {name}." if name else "Every backend may speak.")

    def model_that_speaks(self, request: HttpRequest) -> HttpResponse:
        """Let a trained model speak through the local backend, or that of the settings again."""
        self._check(request)
        name = request.POST.get("model", "")
        if name and known().find(name) is None:
            return self._answered(request, f"There is no model {name[:80]!r}.", messages.ERROR)
        choose_checkpoint(name)
        who = name or "The model of the settings"
        return self._done(request, f"{who} speaks through the local backend within seconds.")

    def metered(self, request: HttpRequest) -> HttpResponse:
        """Close or open the way to models that cost money."""
        self._check(request)
        is_closed = request.POST.get("metered") == "closed"
        close_metered(is_closed)
        return self._done(request, f"Metered models are {'closed' if is_closed else 'open'}.")

    def breaker(self, request: HttpRequest) -> HttpResponse:
        """Close a breaker, so that the next call is made."""
        self._check(request)
        name = request.POST.get("backend", "")
        if name not in self._choices():
            return self._answered(request, f"There is no backend {name[:20]!r}.", messages.ERROR)
        if not gatekeeper().reset_breaker(name):
            return self._answered(request, "The counters cannot be reached.", messages.ERROR)
        return self._done(request, f"The breaker of {name} is closed.")

    def _choices(self) -> list[str]:
        names = [name for name in settings.SAUDA_BACKENDS if name]
        return list(dict.fromkeys([*names, "rules"]))

    def _check(self, request: HttpRequest) -> None:
        if not self.has_change_permission(request):
            raise PermissionDenied

    def _done(self, request: HttpRequest, what: str) -> HttpResponse:
        self.log_change(request, switches(), what)
        return self._answered(request, what, messages.SUCCESS)

    def _answered(self, request: HttpRequest, what: str, level: int) -> HttpResponse:
        messages.add_message(request, level, what)
        return redirect(PAGE)


@admin.register(ModelCall)
class ModelCallAdmin(ReadOnly, ModelAdmin[ModelCall]):
    """The ledger: it is read, never written."""

    list_display = ["admitted_at", "backend", "state", "code", "spent", "latency_ms", "client"]
    list_filter = ["backend", "state", "failed", "metered", "day"]
    search_fields = ["client", "code"]
    show_full_result_count = False

    @admin.display(description="spent")
    def spent(self, call: ModelCall) -> str:
        """What the call took from its day."""
        cost = call.cost_microusd
        if cost is None:
            return f"{dollars(call.reserved_microusd)} reserved"
        return dollars(cost)
