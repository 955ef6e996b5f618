"""Build the image, or as much of it as a machine can: ``python -m tests.deploy.image FOLDER``.

The Dockerfile is linted. With a builder whose engine runs and has the base image, it is built.
Without one its instructions are carried out one after the other in a clean root: the Debian that
its FROM names, made by debootstrap, in a mount namespace of its own, with this machine's Python in
the place of the image's. Then the site is started there as the image's user, and its health asked.
"""

import json
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import Template

from tests.support.commands import ROOT
from tests.support.containers import SLIM, context_files, instructions
from tests.support.servers import free_port

STEP_S = 1200
"""How long an instruction may take: the longest one installs what the site runs on."""

HEALTHY_S = 180

BASE_HAS = (
    *("ca-certificates", "netbase", "tzdata", "zlib1g", "libffi8", "libsqlite3-0", "libssl3t64"),
    *("libbz2-1.0", "liblzma5", "libncursesw6", "libreadline8t64"),
)
"""Packages of Debian's that Python's image has, besides a Debian."""

ENTER = ("unshare", "--mount", "--pid", "--fork", "--kill-child")
BUILDERS = ("docker", "podman", "buildah")
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")

Run = Callable[[Sequence[str], str, Mapping[str, str], str], None]
"""Run a command: the words, the folder, the environment, the user ("0" is root)."""


class Refused(Exception):
    """Something does not hold, or was not to be had; the words say what."""


def main(folder: Path) -> int:
    """Return 0 where all that this machine can do has been done, else 1."""
    try:
        with Step("hadolint reads the Dockerfile"):
            lint(folder / "lint")
        builder = next((one for one in BUILDERS if has_base(one)), None)
        if builder is not None:
            told([builder, "build", "--tag", "bazaarbatna:local", "."])
            told([builder, "build", "--tag", "bazaar-env:local", "--file", str(SLIM), "."])
            return 0
        say("There is no builder with a running engine and the base image.")
        if missing := what_is_missing():
            say(f"SKIPPED: the steps are not carried out in a clean root either: {missing}.")
            return 0
        try:
            told([*ENTER, sys.executable, "-m", __spec__.name, str(folder), "--inside"])
        finally:
            with Step("The clean root is taken away"):
                shutil.rmtree(folder / "root", ignore_errors=True)
    except Refused as wrong:
        say(str(wrong))
        return 1
    return 0


def lint(folder: Path) -> None:
    """Have hadolint read the Dockerfile; raises Refused where it finds something."""
    program = folder / "bin" / "hadolint"
    if not program.exists():
        venv.create(folder, with_pip=True)
        wanted = ["--quiet", "--only-binary=:all:", "--requirement", "deploy/lint.txt"]
        try:
            told([str(folder / "bin" / "python"), "-m", "pip", "install", *wanted])
        except Refused:
            say("SKIPPED: hadolint is not to be had for this machine.")
            return
    told([str(program), "Dockerfile", str(SLIM)])


def has_base(builder: str) -> bool:
    """Whether a builder can begin."""
    base = dict(instructions())["FROM"]
    return shutil.which(builder) is not None and (
        _is_done([builder, "info"])
        and (_is_done([builder, "image", "inspect", base]) or _is_done([builder, "pull", base]))
    )


def what_is_missing() -> str:
    """Say what a clean root would need and this machine has not; "" where it has all."""
    if os.geteuid() or not _is_done([*ENTER, "true"]):
        return "only root may make a clean root, in a namespace of its own"
    if shutil.which("debootstrap") is None or not KEYRING.exists():
        return "debootstrap is not installed (.ci/services does it)"
    if Path(sys.base_prefix) in (Path("/usr"), Path("/")):
        return "Python is the system's own here, and cannot stand in for the image's"
    return ""


class Image:
    """Carries out the instructions of a Dockerfile on a folder that stands for the image."""

    def __init__(self, root: Path, run: Run, arguments: Mapping[str, str]) -> None:
        self.root, self.run = root, run
        self.arguments = arguments
        self.environment = {"PATH": "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"}
        self.folder, self.user = "/", "0"
        self.said: dict[str, str] = {}

    def carry_out(self, word: str, rest: str) -> None:
        """Carry out one instruction; what only a container needs is kept in ``said``."""
        match word:
            case "RUN":
                self.run(["sh", "-c", rest], self.folder, self.environment, self.user)
            case "COPY":
                *names, target = shlex.split(rest)
                for name in names:
                    copy_context(name, self.root / self.folder.lstrip("/") / target)
            case "WORKDIR":
                self.folder = rest
                (self.root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
            case "ARG":
                name, _, value = rest.partition("=")
                self.environment[name] = self.arguments.get(name, value.strip('"'))
            case "ENV":
                pairs = [pair.partition("=") for pair in shlex.split(rest)]
                filled = {k: Template(v).safe_substitute(self.environment) for k, _, v in pairs}
                self.environment |= filled
            case "USER":
                self.user = rest
            case "FROM" | "EXPOSE" | "HEALTHCHECK" | "CMD":
                self.said[word] = rest
            case _:
                raise Refused(f"{word} is an instruction that nothing here carries out.")


def copy_context(name: str, target: Path) -> None:
    """Copy a file or folder of what .dockerignore lets into the image."""
    found = [path for path in context_files() if path.is_relative_to(name)]
    if not found:
        raise Refused(f"COPY {name}: .dockerignore keeps it out, or it is not there.")
    for path in found:
        # Of a folder a builder copies what is in it.
        place = target / (path.relative_to(name) if (ROOT / name).is_dir() else path)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, place)


def inside(folder: Path) -> None:
    """Do it all, within namespaces that end with this process."""
    root = folder / "root"
    debian = re.search(r"-slim-(\w+)$", dict(instructions())["FROM"])
    if debian is None:
        raise Refused("FROM names no slim image of a Debian.")
    with Step(f"A clean {debian[1]}"):
        make_root(root, debian[1])
    image = Image(root, in_root(root), {})
    for word, rest in instructions():
        with Step(f"{word} {rest}"):
            image.carry_out(word, rest)
    with Step("The site starts as the image's user, who may change nothing of it"):
        start(image)
    make_slim(root)


def make_slim(root: Path) -> None:
    """Make the image of the environments in the same root, say its size, and ask its health."""
    image = Image(root, in_root(root), {})
    for word, rest in instructions(SLIM):
        with Step(f"{word} {rest}"):
            image.carry_out(word, rest)
    size = subprocess.run(
        ["du", "-sm", str(root / "opt/env")], capture_output=True, text=True, check=True
    )
    say(f"The environments' image adds {size.stdout.split()[0]} MB to its base.")
    words: list[str] = json.loads(image.said["CMD"])
    with Step("The environments start as their image's user"):
        run_until_healthy(image, words, image.environment)


def make_root(root: Path, debian: str) -> None:
    """Make a Debian with what the base image has, and this machine's Python and its indexes."""
    told(["mount", "--make-rprivate", "/"])
    root.mkdir(parents=True, exist_ok=True)
    wanted = ["--variant=minbase", f"--include={','.join(BASE_HAS)}", f"--keyring={KEYRING}"]
    told(["debootstrap", *wanted, debian, str(root), *mirror()])
    told(["mount", "-t", "proc", "proc", str(root / "proc")])
    told(["mount", "--rbind", "/dev", str(root / "dev")])
    for name in ("resolv.conf", "hosts", "ssl/certs/ca-certificates.crt"):
        shutil.copy(Path("/etc") / name, root / "etc" / name)
    for place in (Path(sys.base_prefix), *places_of_packages()):
        here = root / str(place).lstrip("/")
        here.mkdir(parents=True, exist_ok=True)
        told(["mount", "--bind", str(place), str(here)])
        told(["mount", "-o", "remount,bind,ro", str(here)])
        for above in here.relative_to(root).parents:
            (root / above).chmod(0o755)
    for name in ("python", "python3"):
        (root / "usr/local/bin" / name).symlink_to(f"{sys.base_prefix}/bin/python3")


def mirror() -> list[str]:
    """Return where this machine's own Debian comes from; nothing where it has none."""
    if platform.freedesktop_os_release().get("ID") != "debian":
        return []
    asked = ["apt-get", "indextargets", "--format", "$(REPO_URI)"]
    lines = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.splitlines()
    return [line for line in lines if not line.rstrip("/").endswith("-security")][:1]


def places_of_packages() -> list[Path]:
    """Return the folders of this machine where pip is told to look, and is told so."""
    asked = [sys.executable, "-m", "pip", "config", "list"]
    said = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    named = [Path(one) for one in re.findall(r"(?:file://|(?<=[\s'=]))(/[^\s']+)", said)]
    found = [one.parent if one.is_file() or one.name == "simple" else one for one in named]
    settings = [Path("/etc/xdg/pip")]
    folders = {one for one in (*found, *settings) if one.is_dir()}
    return sorted(one for one in folders if not str(one).startswith("/etc/ssl"))


def in_root(root: Path) -> Run:
    """Return what runs commands in a root."""

    def run(words: Sequence[str], folder: str, environment: Mapping[str, str], user: str) -> None:
        told(enter(root, words, folder, environment, user))

    return run


def enter(
    root: Path, words: Sequence[str], folder: str, environment: Mapping[str, str], user: str
) -> list[str]:
    """Return a command that runs another one in a root, as a user, with these variables alone."""
    kept = {k: v for k, v in os.environ.items() if k.startswith("PIP_") or k.endswith("_proxy")}
    home = {"HOME": "/root" if user == "0" else "/home/bazaar", "DEBIAN_FRONTEND": "noninteractive"}
    pairs = [f"{name}={value}" for name, value in (home | kept | dict(environment)).items()]
    who = f"--userspec={user}:{user}"
    return [
        "chroot",
        who,
        str(root),
        "env",
        "--ignore-environment",
        f"--chdir={folder}",
        *pairs,
        *words,
    ]


def start(image: Image) -> None:
    """Start the site in the image as its user, ask its health as the image does, and stop it."""
    environment = image.environment | {"HOST": "127.0.0.1", "PORT": str(free_port())}
    given = (image.folder, environment, image.user)
    image.run(["sh", "-c", "test ! -w manage.py && test ! -w /opt/venv"], *given)
    image.run(["python", "manage.py", "migrate", "--verbosity", "0"], *given)
    image.run(["python", "manage.py", "collectstatic", "--no-input", "--verbosity", "0"], *given)
    serve = ["python", "manage.py", "serve", "--host", "127.0.0.1", "--port", environment["PORT"]]
    run_until_healthy(image, serve, environment)


def run_until_healthy(image: Image, words: Sequence[str], environment: Mapping[str, str]) -> None:
    """Start a server as the image's user, ask its health as the image does, and stop it."""
    given = (image.folder, environment, image.user)
    log = image.root.parent / "serve.log"
    with log.open("wb") as told_by_it:
        site = subprocess.Popen(
            enter(image.root, words, *given), stdout=told_by_it, stderr=subprocess.STDOUT
        )
    probe: list[str] = json.loads(image.said["HEALTHCHECK"].partition("CMD ")[2])
    try:
        until = time.monotonic() + HEALTHY_S
        while not _is_done(enter(image.root, probe, *given)):
            if site.poll() is not None or time.monotonic() > until:
                raise Refused(f"{log.read_text()[-3000:]}\nIt does not answer its health check.")
            time.sleep(1)
    finally:
        site.send_signal(signal.SIGTERM)
        site.wait(60)


class Step:
    """Says what is done, and how long it took."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        self._began = time.monotonic()

    def __exit__(self, *wrong: object) -> None:
        if wrong[0] is None:
            say(f"{time.monotonic() - self._began:6.1f} s  {self.what[:100]}")


def told(command: Sequence[str]) -> None:
    """Run a command; raises Refused, with the end of what it said, where it fails or hangs."""
    out = None if command[0] in (*BUILDERS, "unshare") else subprocess.PIPE  # None: seen at once
    try:
        done = subprocess.run(
            command, cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, text=True, timeout=STEP_S,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Refused(f"Took more than {STEP_S} s: {shlex.join(command)[-300:]}") from None
    if done.returncode:
        said = (done.stdout or "")[-3000:]
        raise Refused(f"{said}\nFailed ({done.returncode}): {shlex.join(command)[-300:]}")


def _is_done(command: Sequence[str]) -> bool:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=STEP_S, check=False)
    return done.returncode == 0


def say(words: str) -> None:
    """Print a line at once."""
    print(words, flush=True)


if __name__ == "__main__":
    place = Path(sys.argv[1]).resolve()
    if "--inside" not in sys.argv:
        sys.exit(main(place))
    try:
        inside(place)
    except Refused as wrong:
        sys.exit(str(wrong))
