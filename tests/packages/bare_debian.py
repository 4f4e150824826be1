"""A bare Debian to install packages into: the files of installed packages, in a folder, with dpkg's records of them.
Nothing else of this machine is in it, so what a package's Depends forget is missing. Needs no network."""

import functools
import os
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib"))

from commands import output_of  # noqa: E402

# Besides what is depended on: what maintainer scripts run in.
BASE = ["coreutils", "dash"]
INFO = pathlib.Path("/var/lib/dpkg/info")


@functools.cache
def installed():
    """Returns what each installed package depends on, as the text of its fields."""
    form = "${db:Status-Status}\t${Package}\t${Pre-Depends},${Depends}\n"
    lines = [line.split("\t") for line in output_of("dpkg-query", "-W", f"-f={form}").splitlines()]
    return {package: depends for status, package, depends in lines if status == "installed"}


def names_in(relation):
    """Returns the package names of a Depends field; of alternatives those that are installed."""
    for clause in filter(None, (clause.strip() for clause in relation.split(","))):
        names = [re.match(r"[\w.+-]+", choice.strip())[0] for choice in clause.split("|")]
        yield next((name for name in names if name in installed()), names[0])


def closure(packages):
    """Returns the packages and all that they depend on. Virtual packages are left out."""
    found, waiting = set(), list(packages)
    while waiting:
        package = waiting.pop()
        if package in installed() and package not in found:
            found.add(package)
            waiting.extend(names_in(installed()[package]))
    return sorted(found)


class BareDebian:
    """`root`: an empty folder."""

    def __init__(self, root, depends):
        self.root = pathlib.Path(root)
        for folder in ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "var/lib/dpkg/info", "var/lib/dpkg/updates",
                       "var/lib/dpkg/triggers", "etc", "tmp", "proc/self"):
            (self.root / folder).mkdir(parents=True)
        for name in ("bin", "sbin", "lib", "lib64"):
            (self.root / name).symlink_to(f"usr/{name}")
        self.packages = closure([*BASE, *names_in(depends)])
        for package in self.packages:
            self._add(package)
        status = output_of("dpkg-query", "-s", *self.packages)
        (self.root / "var/lib/dpkg/status").write_text(status, encoding="utf-8")

    def _add(self, package):
        files = [line for line in output_of("dpkg-query", "-L", package).splitlines() if line.startswith("/")]
        for file in map(pathlib.Path, files):
            if "/share/" in str(file) or (file.is_dir() and not file.is_symlink()) or not os.path.lexists(file):
                continue
            copy = self.root / str(file)[1:]
            if not os.path.lexists(copy):
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, copy, follow_symlinks=False)
        for record in [*INFO.glob(f"{package}.*"), *INFO.glob(f"{package}:*")]:
            shutil.copy2(record, self.root / "var/lib/dpkg/info")

    def dpkg(self, *arguments):
        """Runs dpkg on this Debian; fails as it does, for example if a dependency is missing."""
        path = "/usr/sbin:/usr/bin:/sbin:/bin"
        output_of(*as_root("dpkg", f"--root={self.root}", "--log=/dev/null", *arguments),
                  env={"PATH": path, "LC_ALL": "C"})

    def command(self, *command):
        return command_in(self.root, *command)


def command_in(root, *command):
    """Returns a command line that runs a program with a folder as its whole file system.

    Of /proc it gets what the program reads of it: what it was started as."""
    link = pathlib.Path(root, "proc/self/exe")
    link.parent.mkdir(parents=True, exist_ok=True)
    link.unlink(missing_ok=True)
    link.symlink_to(command[0])
    return as_root("chroot", str(root), *command)


def as_root(*command):
    """Returns a command line that may change the root of its file system, and takes itself for root."""
    return list(command) if os.getuid() == 0 else ["unshare", "--map-root-user", *command]
