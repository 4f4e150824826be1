"""Archives whose bytes depend on nothing but what is in them: not on who makes them, when, and in which order files are listed."""

import gzip
import shutil
import tarfile

from release.programs import released_at


def open_tar(file):
    """Opens a tar archive for writing."""
    return tarfile.open(file, mode="w", format=tarfile.PAX_FORMAT)


def add_tree(archive, root, user_of=None):
    """Adds all below a folder. `user_of`: the numbers of users that own entries, by their names; of all others it is root."""
    def change(entry):
        entry.uid = entry.gid = (user_of or {}).get(entry.name, 0)
        entry.uname = entry.gname = ""
        entry.mtime = released_at()
        return entry

    for path in sorted(root.rglob("*")):
        archive.add(path, str(path.relative_to(root)), recursive=False, filter=change)


def zipped(file):
    """Compresses a file. Returns the compressed one, which has taken its place."""
    compressed = file.with_name(file.name + ".gz")
    with open(file, "rb") as plain, open(compressed, "wb") as raw:
        with gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=released_at()) as target:
            shutil.copyfileobj(plain, target)
    file.unlink()
    return compressed
