"""Addresses: studies."""

from django.urls import URLPattern, path

from bazaar_site.rooms.study import views

urlpatterns: list[URLPattern] = [
    path("<slug:code>/enter/", views.enter, name="study-enter"),
    path("<slug:code>/consent/", views.consent, name="study-consent"),
    path("<slug:code>/questions/", views.questions, name="study-questions"),
    path("<slug:code>/before/", views.before, name="study-before"),
    path("<slug:code>/after/", views.after, name="study-after"),
    path("<slug:code>/done/", views.done, name="study-done"),
    path("<slug:code>/withdraw/", views.withdraw, name="study-withdraw"),
]
