"""The file system of the container image; see scripts/image_root."""

import os
import re
import shutil
import stat
from pathlib import Path

from commands import output_of
from notices import notices, package_of
from release.platforms import ROOT

USER, USER_ID = "dinette", 999  # as the Dockerfile has it
FOLDERS = ("bin", "data", "etc/ssl/certs", "tmp", "usr/lib/ssl", "usr/local/bin", "usr/local/libexec", "usr/share/doc")
TEXTS = {
    "etc/passwd": f"root:x:0:0:root:/:/bin/sh\n{USER}:x:{USER_ID}:{USER_ID}:Dinette:/data:/bin/sh\n",
    "etc/group": f"root:x:0:\n{USER}:x:{USER_ID}:\n",
    "etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",  # container engines put theirs over it
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}


class Machine:
    """This machine's Debian, of which the Dockerfile's image has libraries, shell and certificates."""

    sysroot = None
    strip = "strip"

    def path(self, path):
        return Path(path)

    def libraries_of(self, program):
        """Returns the paths of all libraries of a program, the dynamic linker's among them."""
        return re.findall(r"/[^ \n]*", output_of("ldd", str(program)))

    def package_of(self, path):
        return package_of(path)

    def commands_of_busybox(self):
        return output_of(shutil.which("busybox"), "--list").split()


class Unpacked:
    """The same of a platform's packages, which its sysroot has in a folder of its own, unpacked."""

    def __init__(self, platform):
        self.platform, self.sysroot, self.folder = platform, platform.sysroot, platform.sysroot / "image"
        self.strip = f"{platform.triplet}-strip"

    def path(self, path):
        return Path(f"{self.folder}{path}")

    def libraries_of(self, program):
        described = output_of("readelf", "--wide", "--program-headers", "--dynamic", str(program))
        names = re.findall(r"\(NEEDED\).*\[(.*)\]", described)
        return [*re.findall(r"program interpreter: (\S+)\]", described),
                *(f"/lib/{self.platform.triplet}/{name}" for name in names if not name.startswith("ld-linux"))]

    def package_of(self, path):
        return "busybox-static" if Path(path).name == "busybox" else "libc6"

    def commands_of_busybox(self):
        return output_of(*self.platform.emulator, str(self.path("/bin/busybox")), "--list").split()


def add_programs(build, image, debian):
    """Adds the programs, of which the full one takes over for data folders and commands."""
    for program, place in (("dinette", "bin"), ("dinette-full", "libexec")):
        output_of(debian.strip, "-o", str(image / "usr/local" / place / program), str(build / program))
    # For what starts DynamoDB Local by itself.
    (image / "usr/local/bin/java").symlink_to("dinette")


def add_shell(image, debian):
    """Adds what `docker exec` and health checks of compose files call."""
    shutil.copy(debian.path("/bin/busybox"), image / "bin/busybox")
    for name in debian.commands_of_busybox():
        if name != "busybox":
            (image / "bin" / name).symlink_to("busybox")


def add_libraries(build, image, debian):
    """Adds all libraries of the programs, and returns their paths."""
    libraries = sorted({library for program in ("dinette", "dinette-full") for library in debian.libraries_of(build / program)})
    for library in libraries:
        (image / library[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(os.path.realpath(debian.path(library)), image / library[1:])
    return libraries


def certificates(debian):
    """Returns the authorities that Debian trusts; not those of this machine alone."""
    return "".join(file.read_text(encoding="ascii")
                   for file in sorted(debian.path("/usr/share/ca-certificates/mozilla").glob("*.crt")))


def add_licences(build, image, files, debian):
    """Adds the licences of the packages that files are of, and of what is in the programs."""
    for package in {debian.package_of(file) for file in files}:
        folder = image / "usr/share/doc" / package
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(debian.path(f"/usr/share/doc/{package}/copyright"), folder)
    folder = image / "usr/share/doc/dinette"
    folder.mkdir()
    shutil.copy(ROOT / "LICENSE", folder)
    (folder / "THIRD-PARTY-NOTICES").write_text(notices(debian.sysroot, build), encoding="utf-8")


def put_together(build, image, debian):
    """`build`: a folder with both programs."""
    for folder in FOLDERS:
        (image / folder).mkdir(parents=True)
    (image / "tmp").chmod(0o777 | stat.S_ISVTX)
    for name, text in TEXTS.items():
        (image / name).write_text(text, encoding="ascii")
    add_programs(build, image, debian)
    add_shell(image, debian)
    libraries = add_libraries(build, image, debian)
    add_licences(build, image, [*libraries, "/bin/busybox"], debian)
    (image / "etc/ssl/certs/ca-certificates.crt").write_text(certificates(debian), encoding="ascii")
    # Where Debian's OpenSSL looks.
    (image / "usr/lib/ssl/certs").symlink_to("/etc/ssl/certs")
    (image / "usr/lib/ssl/cert.pem").symlink_to("/etc/ssl/certs/ca-certificates.crt")
