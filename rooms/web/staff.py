"""The admin's door: wrong passwords count as at the hosts' own, and a code may be asked for."""

from typing import Any

from django import forms
from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.sites import AdminSite
from django.contrib.contenttypes.models import ContentType
from django.contrib.contenttypes.views import shortcut
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.translation import gettext, gettext_lazy

from rooms.web.accounts import LoginForm


class StaffLoginForm(LoginForm, AdminAuthenticationForm):
    """Name and password of somebody of the staff."""


class CodeLoginForm(StaffLoginForm):
    """The same, and the code that the own telephone shows."""

    code = forms.CharField(
        max_length=8,
        label=gettext_lazy("Code"),
        widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "inputmode": "numeric"}),
    )

    def prove(self) -> None:
        """Check the code; it counts like a password, and works once."""
        from django_otp import match_token

        staff: Any = self.get_user()
        if staff is None:
            return  # name or password is missing, and the form says so
        code = self.cleaned_data.get("code", "").replace(" ", "")
        staff.otp_device = match_token(staff, code) if code else None
        if staff.otp_device is None:
            raise ValidationError(
                gettext("That code does not fit, or was used. Wait for the next one."),
                code="invalid_code",
            )


class StaffSite(AdminSite):
    """Django's admin with this login."""

    login_template = "rooms/staff_login.html"

    @property
    def login_form(self) -> type[StaffLoginForm]:  # type: ignore[override]  # chosen by a setting
        """The form of the login page."""
        return CodeLoginForm if settings.STAFF_CODES else StaffLoginForm

    def has_permission(self, request: HttpRequest) -> bool:
        """Whether somebody may come in: staff, and where codes are asked for, who gave one."""
        user: Any = request.user
        return super().has_permission(request) and (not settings.STAFF_CODES or user.is_verified())

    def get_urls(self) -> list[Any]:
        """Put the own way to a thing's page before Django's, which asks for no permission."""
        view = self.admin_view(self.view_on_site)
        own = path("r/<int:content_type_id>/<path:object_id>/", view, name="view_on_site")
        return [own, *(one for one in super().get_urls() if getattr(one, "name", "") != own.name)]

    def view_on_site(
        self, request: HttpRequest, content_type_id: int, object_id: str
    ) -> HttpResponseBase:
        """Lead to the page of a thing: its address may be a key, as a room's is."""
        kind = get_object_or_404(ContentType, pk=content_type_id)
        model = kind.model_class()
        if model is None or not self.is_registered(model):
            raise Http404
        if not self.get_model_admin(model).has_view_permission(request):
            raise PermissionDenied
        return shortcut(request, content_type_id, object_id)
