from django.db import migrations

AS_BEFORE = {"partners": "any", "talk": "turns", "move_s": 0}
"""How people met and spoke in rooms that were opened before one could choose."""


def keep(apps, schema_editor):
    """A class or a study that has begun goes on as it began."""
    for room in apps.get_model("rooms", "Room").objects.only("pk", "plan").iterator():
        room.plan = {**AS_BEFORE, **room.plan}
        room.save(update_fields=["plan"])


class Migration(migrations.Migration):

    dependencies = [
        ("rooms", "0008_last_login"),
    ]

    operations = [migrations.RunPython(keep, migrations.RunPython.noop, elidable=True)]
