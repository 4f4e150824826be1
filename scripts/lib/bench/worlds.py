"""What forks, resets and snapshots of a world cost."""

import json
import subprocess

from bench.report import figure, megabytes, table
from bench.servers import program

ITEMS = 100_000  # of 1 KB
FORKS = 1_000


def kilobytes(count):
    return f"{count / 1024:.1f} KB"


def worlds(options):
    """Forks, resets and snapshots of a world of 100 MB: time and memory."""
    options.progress("worlds")
    output = subprocess.run([program("bin/worlds_bench"), str(ITEMS), str(FORKS)], check=True, capture_output=True)
    found = json.loads(output.stdout)

    def time(name):
        return figure(found[name]) + " us"

    rows = [
        [f"a fork of {megabytes(found['world_bytes'])}, median of {FORKS:,}", time("fork_us"), "100 us"],
        ["... memory per fork", kilobytes(found["fork_bytes"]), "64 KB"],
        ["... and after an item of 1 KB was written to it", kilobytes(found["written_fork_bytes"]), ""],
        ["... the first PutItem in each", time("put_in_fork_us"), ""],
        ["... dropping it", time("drop_us"), ""],
        [f"... memory left after dropping all {FORKS:,}", megabytes(found["left_bytes"]), "nothing"],
        ["a snapshot and its restore", f"{time('snapshot_us')}, {time('restore_us')}", ""],
        [f"a reset of {megabytes(found['small_world_bytes'])}", time("reset_small_us"), ""],
        [f"a reset of {megabytes(found['world_bytes'])}", time("reset_us"), "as before"],
        ["... memory left after it", megabytes(found["left_after_reset_bytes"]), "nothing"],
        [f"GetItem in the default world before the forks and with {FORKS:,}",
         f"{time('get_us')}, {time('get_with_forks_us')}", "the same"],
    ]
    return found, table(["", "", "goal"], rows)
