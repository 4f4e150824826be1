"""Python's packages, in an environment of the run's own."""

import sys


def virtual_environment(shop, *packages):
    """Makes one with the newest of each package. Returns its interpreter."""
    shop.fetch(sys.executable, "-m", "venv", "venv")
    python = shop.path / "venv/bin/python"
    shop.fetch(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", *packages)
    return python
