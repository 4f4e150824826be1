"""A disk whose power may be lost: knows what of a folder is kept then."""

import contextlib
import os
import shutil


class RecordedDisk:
    """The record that lost_power.cc keeps of a folder, which is on disk as a whole in the beginning.

    `record` names a folder that is made for it.
    """

    def __init__(self, folder, record):
        self.folder, self.record = folder, record
        self.held = []  # so that no new file gets the number of one of these
        os.mkdir(record)
        for place, folders, names in os.walk(folder):
            with open(self._of(place, ".names"), "w") as file:
                for kind, name in [("d", name) for name in folders] + [("f", name) for name in names]:
                    file.write(f"{kind} {os.stat(os.path.join(place, name)).st_ino} {name}\n")
            for name in names:
                path = os.path.join(place, name)
                shutil.copyfile(path, self._of(path))
                self.held.append(os.open(path, os.O_PATH))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for descriptor in self.held:
            os.close(descriptor)

    @property
    def environment(self):
        """For the program that is to be recorded."""
        return {**os.environ, "LD_PRELOAD": os.environ["DINETTE_LOST_POWER"], "DINETTE_DISK": self.record}

    def cut_at(self, nth):
        """The program is killed before it asks the disk for the nth time from now on to keep something."""
        with open(os.path.join(self.record, "new cut"), "w") as file:
            file.write(str(nth))
        os.rename(file.name, os.path.join(self.record, "cut"))

    def keep_what_was_asked_for(self, target):
        """Makes the folder as it is if nothing else has reached the disk, neither bytes nor names."""
        self._make_folder(os.stat(self.folder).st_ino, target)

    def keep_all_names(self, target):
        """Makes the folder as it is if new, changed and removed names have reached the disk before any bytes."""
        for place, _, names in os.walk(self.folder):
            there = os.path.join(target, os.path.relpath(place, self.folder))
            os.makedirs(there, exist_ok=True)
            for name in names:
                self._make_file(os.stat(os.path.join(place, name)).st_ino, os.path.join(there, name))

    def keep_everything(self, target):
        """Makes the folder as it is if the program alone was ended."""
        shutil.copytree(self.folder, target)

    def _of(self, path, kind=""):
        return os.path.join(self.record, str(os.stat(path).st_ino) + kind)

    def _make_folder(self, number, target):
        os.mkdir(target)
        with contextlib.suppress(FileNotFoundError), open(os.path.join(self.record, f"{number}.names")) as lines:
            for line in lines:
                kind, child, name = line.rstrip("\n").split(" ", 2)
                make = self._make_folder if kind == "d" else self._make_file
                make(child, os.path.join(target, name))

    def _make_file(self, number, target):
        with open(target, "wb") as file, contextlib.suppress(FileNotFoundError):
            with open(os.path.join(self.record, str(number)), "rb") as record:
                shutil.copyfileobj(record, file)
