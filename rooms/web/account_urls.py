"""Addresses: the accounts of hosts."""

from django.urls import path

from rooms.web import accounts

urlpatterns = [
    path("login/", accounts.Login.as_view(), name="login"),
    path("logout/", accounts.Logout.as_view(), name="logout"),
    path("join/<str:token>/", accounts.accept, name="account-join"),
]
