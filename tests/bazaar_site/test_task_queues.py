"""Tasks keep their queues: what an older version has put there is still played."""

from django.conf import settings

from bazaar_site import celery_app

LONG_WORK = {
    "training.bots.tasks.play_on",
    "training.leaderboard.tasks.spar",
    "training.tasks.play_orders",
    "training.tasks.play_waiting",
}


def test_only_long_work_waits_in_the_queue_of_long_work() -> None:
    celery_app.loader.import_default_modules()
    tasks = {name for name in celery_app.tasks if not name.startswith("celery.")}
    assert set(settings.CELERY_TASK_ROUTES) == LONG_WORK
    assert tasks > LONG_WORK
    for name in tasks:
        queue = "training" if name in LONG_WORK else "bazaar"
        assert celery_app.amqp.router.route({}, name)["queue"].name == queue
