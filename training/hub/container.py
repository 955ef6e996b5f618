"""What a job does in its container: get the code, fetch the run, train, and push as it goes."""

from training.hub.client import JobSpec

SCRIPT = """\
set -eu
source=$1 ref=$2 repo=$3 run=$4
if [ -n "$source" ]; then
    git clone --quiet -- "$source" bazaar
    cd bazaar
    git checkout --quiet --detach "$ref"
    python -m pip install --quiet -c constraints.txt '.[gpu]'
fi
python manage.py migrate --verbosity 0
python manage.py hf_job fetch "$run" --repo "$repo"
exec python manage.py train --resume "$run" --hub-repo "$repo"
"""
"""Values come as arguments, so that none of them is ever read as a command."""


def job_spec(
    *,
    launch: str,
    run: str,
    repo: str,
    image: str,
    source: str,
    ref: str,
    flavor: str,
    timeout_s: int,
    environment: dict[str, str],
    secrets: dict[str, str],
) -> JobSpec:
    """Describe the job of a launch.

    Args:
        launch: by this name it is found again.
        run: what it works on.
        repo: where the run's files are.
        image: of the container.
        source: address of the code; "" when the image holds it.
        ref: version of the code.
        flavor: machine.
        timeout_s: after so long the hub ends it.
        environment: variables that anybody may read.
        secrets: variables that nobody may read.
    """
    open_to_all = {
        "BAZAAR_HUB_REPOS": repo,
        "BAZAAR_COMMIT": ref,
        "BAZAAR_DATA_DIR": "/tmp/bazaar",  # noqa: S108  the container is ours alone
        "PYTHONUNBUFFERED": "1",
        **environment,
    }
    return JobSpec(
        image=image,
        command=["bash", "-c", SCRIPT, "job", source, ref, repo, run],
        environment=open_to_all,
        secrets=secrets,
        flavor=flavor,
        timeout_s=timeout_s,
        label=launch,
    )
