"""Durations as people type them: 90s, 5m, 1h."""

import re

UNITS = {"s": 1, "m": 60, "h": 3600}


def seconds_of(text):
    """Returns None if the text is not a duration."""
    found = re.fullmatch(r"(\d+)([smh])", text)
    return int(found[1]) * UNITS[found[2]] if found else None
