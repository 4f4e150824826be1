"""Tables in Markdown, for the terminal and for docs/performance.md."""

import datetime
import os
import pathlib
import platform
import re
import subprocess

from building import ROOT

PAGE = ROOT / "docs/performance.md"


def table(head, rows):
    """The first column has words, the others have numbers."""
    rows = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(line[i]) for line in [head, *rows]) for i in range(len(head))]

    def line(cells):
        padded = [c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(cells, widths))]
        return "| " + " | ".join(padded) + " |"

    rule = [":" + "-" * (w - 1) if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    return "\n".join([line(head), line(rule), *map(line, rows)]) + "\n"


def figure(value):
    """Rounds to three significant digits."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def times(value):
    return figure(value) + " x"


def megabytes(count):
    return f"{count / 1e6:.1f} MB"


def circumstances(command):
    """The circumstances of a measurement, without which a number means nothing."""
    model = re.search(r"model name\s*:\s*(.+)", pathlib.Path("/proc/cpuinfo").read_text())
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return {
        "command": command,
        "date": datetime.date.today().isoformat(),
        "commit": commit.stdout.strip(),
        "machine": f"{model[1] if model else platform.machine()}, {len(os.sched_getaffinity(0))} processors",
    }


def caption(made):
    return f"`{made['command']}`, {made['date']}, {made['commit']}, {made['machine']}\n\n"


def _section(part):
    return re.compile(rf"(<!-- bench {part} -->\n).*?(<!-- end of bench {part} -->)", re.S)


def has_section(part):
    return bool(_section(part).search(PAGE.read_text()))


def write(part, text):
    """Replaces the text between the part's marks on the page."""
    page, count = _section(part).subn(lambda found: found[1] + text + found[2], PAGE.read_text())
    if count != 1:
        raise ValueError(f"{PAGE} does not have the marks of '{part}' once")
    PAGE.write_text(page)
