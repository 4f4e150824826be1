"""Builds wheels from pyproject.toml with Python's own library: for pip (PEP 517), and for scripts/release.

setuptools before version 70.1 would need `wheel`, and a virtual environment of Python 3.12 or later has neither."""

import base64
import configparser
import hashlib
import pathlib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
LICENSE = HERE.parents[1] / "LICENSE"
ANY_PLATFORM = "any"
# Of every entry, so that the same files give the same wheel. The first that a ZIP archive can have.
TIME = (1980, 1, 1, 0, 0, 0)
FILE, PROGRAM = 0o100644, 0o100755


def _settings():
    """Returns the sections of pyproject.toml, which keeps to what the parser of .ini files reads too."""
    parser = configparser.ConfigParser()
    parser.optionxform = str
    parser.read(HERE / "pyproject.toml", encoding="utf-8")
    return {name: {key: value.strip('"') for key, value in parser[name].items()} for name in parser.sections()}


def _metadata(settings, platform):
    """Yields the name and text of each file of the folder .dist-info, except RECORD."""
    project = settings["project"]
    yield "METADATA", (f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
                       f"Summary: {project['description']}\nLicense: {project['license']}\n"
                       f"Requires-Python: {project['requires-python']}\nLicense-File: LICENSE\n")
    yield "LICENSE", LICENSE.read_text(encoding="utf-8")
    pure = str(platform == ANY_PLATFORM).lower()
    yield "WHEEL", f"Wheel-Version: 1.0\nGenerator: dinette\nRoot-Is-Purelib: {pure}\nTag: py3-none-{platform}\n"
    groups = {name.split(".")[-1]: values for name, values in settings.items() if name.startswith("project.entry-points.")}
    yield "entry_points.txt", "".join(
        f"[{group}]\n" + "".join(f"{key} = {value}\n" for key, value in values.items()) for group, values in groups.items())


def _build(folder, files, platform=ANY_PLATFORM):
    """Builds a wheel of files, each a path, its content and its mode. Returns its name."""
    settings = _settings()
    project = settings["project"]
    name = f"{project['name']}-{project['version']}"
    record = []
    wheel = f"{name}-py3-none-{platform}.whl"
    with zipfile.ZipFile(pathlib.Path(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        def add(path, content, mode=FILE):
            path = path.format(wheel=name)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(content)}\n")
            write(path, content, mode)

        def write(path, content, mode=FILE):
            entry = zipfile.ZipInfo(path, TIME)
            entry.external_attr = mode << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)

        for file in files:
            add(*file)
        for file, text in _metadata(settings, platform):
            add(f"{name}.dist-info/{file}", text.encode())
        record.append(f"{name}.dist-info/RECORD,,\n")
        write(f"{name}.dist-info/RECORD", "".join(record))
    return wheel


def _library():
    sources = sorted(path for path in (HERE / "dinette").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return [(str(path.relative_to(HERE)), path.read_bytes()) for path in sources]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _build(wheel_directory, _library())


def build_platform_wheel(wheel_directory, platform, program, full_program, notices):
    """Builds a wheel with the programs, which pip installs as bin/dinette and libexec/dinette-full of the environment."""
    return _build(wheel_directory, [
        *_library(),
        ("{wheel}.data/scripts/dinette", program.read_bytes(), PROGRAM),
        ("{wheel}.data/data/libexec/dinette-full", full_program.read_bytes(), PROGRAM),
        ("{wheel}.dist-info/THIRD-PARTY-NOTICES", notices.encode()),
    ], platform)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _build(wheel_directory, [("dinette.pth", f"{HERE}\n".encode())])


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("there is no source distribution; install from the repository, or a wheel")
