"""Addresses under /training/."""

from django.urls import URLPattern, path

from training.pages import runs as run_views
from training.pages.lab import lab_file
from training.pages.public import views as public_views
from training.receipts import views as receipt_views

urlpatterns: list[URLPattern] = [
    path("", public_views.training, name="training"),
    *(
        path(f"{name}/", public_views.training, {"name": name}, name=f"training-{name}")
        for name in public_views.PARTS
    ),
    path("receipts/<slug:name>.json", receipt_views.table, name="table"),
    path("receipts/<slug:run_id>/", receipt_views.receipt, name="receipt"),
    path("receipts/<slug:run_id>/summary.json", receipt_views.summary, name="receipt-summary"),
    path("receipts/<slug:run_id>/config.json", receipt_views.config, name="receipt-config"),
    path(
        "receipts/<slug:run_id>/episodes.jsonl.gz", receipt_views.episodes, name="receipt-episodes"
    ),
    path("labs/<slug:folder>/<str:name>", lab_file, name="lab-file"),
    path("runs/", run_views.run_list, name="runs"),
    path("runs/<slug:run_id>/", run_views.run_page, name="run"),
    path("runs/<slug:run_id>/live/", run_views.run_live, name="run-live"),
    path("runs/<slug:run_id>/files/<str:name>", run_views.run_file, name="run-file"),
]
