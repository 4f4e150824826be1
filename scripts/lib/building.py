"""Configures and builds CMake presets."""

import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINES_OF_A_FAILURE = 60


def folder_of(preset):
    return ROOT / "build" / preset


def jobs():
    return str(os.cpu_count() or 1)


def is_configured(preset):
    """Returns true if configured since the presets last changed."""
    configured = folder_of(preset) / "build.ninja"
    return configured.exists() and configured.stat().st_mtime > (ROOT / "CMakePresets.json").stat().st_mtime


def build(preset, target="all"):
    """Configures if necessary, and builds. Prints only the end of a failed build's output."""
    folder = folder_of(preset)
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "build.log"
    commands = [] if is_configured(preset) else [["cmake", "--preset", preset]]
    commands.append(["cmake", "--build", "--preset", preset, "--target", target])
    with log.open("w") as output:
        for command in commands:
            if subprocess.run(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT).returncode != 0:
                break
        else:
            return True
    print("\n".join(log.read_text(errors="replace").splitlines()[-LINES_OF_A_FAILURE:]))
    print(f"the build of '{preset}' failed; the whole output is in {log}", flush=True)
    return False
