"""Configures and builds CMake presets."""

import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES_OF_A_FAILURE = 60


def folder_of(preset):
    return ROOT / "build" / preset


def jobs():
    return str(os.cpu_count() or 1)


def _as_configured(preset):
    """Returns the setting with which the folder of a preset stays as it is: whether many sources are compiled at once. A folder
    that is new gets that, because it takes half of the time."""
    cache = folder_of(preset) / "CMakeCache.txt"
    apart = cache.exists() and "DINETTE_TOGETHER:BOOL=OFF" in cache.read_text(errors="replace")
    return {"DINETTE_TOGETHER": "OFF" if apart else "ON"}


def build(preset, target="all", **settings):
    """Configures as the preset and the settings say, and otherwise as the folder was configured before, and builds. Prints only the
    end of a failed build's output, but on a terminal also how far ninja is."""
    settings = {**_as_configured(preset), **settings}
    log = folder_of(preset) / "build.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    configure = ["cmake", "--preset", preset, *(f"-D{name}={value}" for name, value in settings.items())]
    command = ["cmake", "--build", "--preset", preset, "--target", target]
    if not _logged(configure, preset, log):
        return False
    if sys.stdout.isatty():
        return subprocess.run(command, cwd=ROOT).returncode == 0
    print(f"building '{target}' of '{preset}'; output goes to {log}", file=sys.stderr, flush=True)
    return _logged(command, preset, log)


def _logged(command, preset, log):
    with log.open("w") as output:
        if subprocess.run(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT).returncode == 0:
            return True
    print("\n".join(log.read_text(errors="replace").splitlines()[-LINES_OF_A_FAILURE:]))
    print(f"the build of '{preset}' failed; the whole output is in {log}", flush=True)
    return False
