"""Runs commands whose output is wanted."""

import shlex
import subprocess


def output_of(*command, **options):
    """Returns what a command prints. One that fails is reported with all that it said."""
    ended = subprocess.run(command, capture_output=True, text=True, **options)
    if ended.returncode != 0:
        said = f"{ended.stdout}\n{ended.stderr}".strip()
        raise RuntimeError(f"{shlex.join(map(str, command))} ended with {ended.returncode}:\n{said}")
    return ended.stdout
