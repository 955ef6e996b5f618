"""The pages of accounts: coming in, going out, choosing a password after an invitation."""

from typing import Any

from django import forms
from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm
from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, LogoutView
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from negotiation.errors import RateLimited
from negotiation.games.visitors import visitor
from negotiation.limits import check, request_key, spend
from rooms.accounts import invited, is_at_home, move_visitor
from rooms.pages import form_page


class LoginForm(AuthenticationForm):
    """Name and password; wrong ones are counted by address and by account.

    An account that came in last from this address is refused for its own count alone: whoever
    guesses names and passwords behind the same router shuts nobody out who is at home there.
    """

    error_messages = {
        "invalid_login": gettext_lazy("Name and password do not fit together. Try once more."),
        "inactive": gettext_lazy("This account is closed."),
    }

    def clean(self) -> dict[str, Any]:
        """Check the password, unless too many were wrong lately."""
        client, own = keys = self._keys()
        try:
            if not is_at_home(self.cleaned_data.get("username", ""), client):
                check("logins", client)
            check("logins", own)
            cleaned = super().clean()
            self.prove()
            return cleaned
        except RateLimited as wrong:
            raise ValidationError(wrong.detail, code=wrong.code) from None
        except ValidationError:
            for key in keys:
                _count(key)
            raise

    def prove(self) -> None:
        """Ask for more than the password, where it fits; raises ValidationError."""

    def _keys(self) -> tuple[str, str]:
        name = str(self.cleaned_data.get("username", "")).casefold()[:60]
        client = request_key(self.request) if self.request is not None else "local"
        # An account's own count names the address too: nobody locks a host out from elsewhere.
        return (client, f"{client}:{name}")


def _count(key: str) -> None:
    try:
        spend("logins", key)
    except RateLimited:
        return


@method_decorator(never_cache, name="dispatch")
class Login(LoginView):
    """Let a host in; what this browser has played stays the host's."""

    template_name = "rooms/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        """Log in, and take the visitor's games along."""
        enter(self.request, form.get_user())
        return redirect(self.get_success_url())


class Logout(LogoutView):
    """Let a host out."""

    http_method_names = ["post", "options"]


class PasswordForm(SetPasswordForm):  # type: ignore[type-arg]
    """The password of an invited host, typed once: a browser shows or keeps it."""

    new_password2 = None  # type: ignore[assignment]
    new_password1 = forms.CharField(strip=False, max_length=128, widget=forms.PasswordInput)

    def clean(self) -> dict[str, Any]:
        """Check what was chosen."""
        self.validate_password_for_user(self.user, "new_password1")
        return self.cleaned_data


@form_page
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; a post chooses the password and comes in."""
    host = invited(token)
    if host is None:
        return render(request, "rooms/invitation.html", {"host": None}, status=404)
    form = PasswordForm(host, request.POST if request.method == "POST" else None)
    if not form.is_valid():
        context = {"host": host, "form": form}
        status = 422 if form.is_bound else 200
        return render(request, "rooms/invitation.html", context, status=status)
    form.save()
    enter(request, host)
    return redirect("rooms")


def enter(request: HttpRequest, host: User) -> None:
    """Log a host in; what belonged to the visitor's session belongs to the new one.

    What another host has at this browser stays with that session, which ends here.
    """
    is_anothers = request.user.is_authenticated and request.user != host
    before = "" if is_anothers else visitor(request)
    login(request, host, backend="django.contrib.auth.backends.ModelBackend")
    move_visitor(before, visitor(request))


urlpatterns = [
    path("login/", Login.as_view(), name="login"),
    path("logout/", Logout.as_view(), name="logout"),
    path("join/<str:token>/", accept, name="account-join"),
]
