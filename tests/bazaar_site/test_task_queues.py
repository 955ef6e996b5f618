"""Tasks keep their names and queues: what an older version has put there is still played."""

from django.conf import settings

from bazaar_site import celery_app

TASKS = {
    "replays.tasks.grade_game": "bazaar",
    "training.bots.tasks.play_on": "training",
    "training.leaderboard.tasks.rate_all": "bazaar",
    "training.leaderboard.tasks.spar": "training",
    "training.tasks.play_waiting": "training",
}


def test_tasks_keep_their_names() -> None:
    celery_app.loader.import_default_modules()
    assert {name for name in celery_app.tasks if not name.startswith("celery.")} == set(TASKS)


def test_tasks_keep_their_queues() -> None:
    for name, queue in TASKS.items():
        route = celery_app.amqp.router.route({}, name)
        assert route["queue"].name == queue
    assert set(settings.CELERY_TASK_ROUTES) <= set(TASKS)
