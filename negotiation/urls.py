"""Addresses of the seller's pages."""

from django.urls import path

from negotiation import views

urlpatterns = [
    path("", views.sell, name="sell"),
]
