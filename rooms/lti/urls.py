"""Addresses: coming from a course."""

from django.urls import path

from rooms.lti import registering, roster, views

urlpatterns = [
    path("lti/", views.about, name="lti"),
    path("lti/login/", views.login, name="lti-login"),
    path("lti/launch/", views.launch, name="lti-launch"),
    path("lti/keys.json", views.keys, name="lti-keys"),
    path("lti/come/<slug:key>/", views.come, name="lti-come"),
    path("lti/choose/", views.choose_any, name="lti-choose-any"),
    path("lti/choose/<slug:key>/", views.choose, name="lti-choose"),
    path("lti/register/<str:token>/", registering.register, name="lti-register"),
    path("<slug:code>/course/", roster.course, name="room-course"),
]
