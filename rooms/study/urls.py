"""Addresses: studies."""

from django.urls import URLPattern, path

from rooms.study import desk, views
from rooms.study.preview import preview

urlpatterns: list[URLPattern] = [
    path("<slug:code>/enter/", views.enter, name="study-enter"),
    path("<slug:code>/consent/", views.consent, name="study-consent"),
    path("<slug:code>/questions/", views.questions, name="study-questions"),
    path("<slug:code>/before/", views.before, name="study-before"),
    path("<slug:code>/between/", views.between, name="study-between"),
    path("<slug:code>/belief/", views.belief, name="study-belief"),
    path("<slug:code>/after/", views.after, name="study-after"),
    path("<slug:code>/done/", views.done, name="study-done"),
    path("<slug:code>/withdraw/", views.withdraw, name="study-withdraw"),
    path("<slug:code>/study/", desk.overview, name="study-design"),
    path("<slug:code>/study/file.toml", desk.download, {"kind": "toml"}, name="study-toml"),
    path("<slug:code>/study/file.json", desk.download, {"kind": "json"}, name="study-json"),
    path("<slug:code>/study/preregistration.md", desk.preregister, name="study-preregistration"),
    path("<slug:code>/study/pay/", desk.pay, name="study-pay"),
    path("<slug:code>/study/pay.csv", desk.pay, name="study-pay-csv"),
    path("<slug:code>/study/preview/<slug:arm>/<slug:step>/", preview, name="study-preview"),
    path("<slug:code>/study/<slug:key>/", desk.part, name="study-part"),
]
