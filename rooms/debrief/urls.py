"""Addresses: the debrief."""

from django.urls import path

from rooms.debrief import feedback, survey, views

urlpatterns = [
    path("<slug:code>/progress/", views.progress, name="room-progress"),
    path("<slug:code>/debrief/", views.debrief, name="room-debrief"),
    path("<slug:code>/packages.csv", views.packages_file, name="room-packages"),
    path("<slug:code>/gradebook.csv", views.gradebook_file, name="room-gradebook"),
    path("<slug:code>/gradebook/", feedback.feedback, name="room-feedback"),
    path("<slug:code>/survey/", survey.survey, name="room-survey"),
]
