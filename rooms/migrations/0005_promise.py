from typing import Any

from django.db import migrations, models


def write_down(apps: Any, schema_editor: Any) -> None:
    """Note for everybody who has consented what the study has promised until now."""
    Member, Study = (apps.get_model("rooms", name) for name in ("Member", "Study"))
    for study in Study.objects.all():
        consent = study.design.get("consent", {})
        told = {name: consent[name] for name in ("keeps", "withdrawal", "months") if name in consent}
        people = Member.objects.filter(room=study.room_id, consented_at__isnull=False)
        people.update(promise=told)


class Migration(migrations.Migration):

    dependencies = [
        ('rooms', '0004_presence'),
    ]

    operations = [
        migrations.AddField(
            model_name='member',
            name='promise',
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.RunPython(write_down, migrations.RunPython.noop),
    ]
