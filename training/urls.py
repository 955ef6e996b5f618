"""Addresses under /training/."""

from django.urls import URLPattern, path

from training import receipt_views

urlpatterns: list[URLPattern] = [
    path("receipts/<slug:run_id>/", receipt_views.receipt, name="receipt"),
    path("receipts/<slug:run_id>/summary.json", receipt_views.summary, name="receipt-summary"),
    path("receipts/<slug:run_id>/config.json", receipt_views.config, name="receipt-config"),
    path(
        "receipts/<slug:run_id>/episodes.jsonl.gz", receipt_views.episodes, name="receipt-episodes"
    ),
]
