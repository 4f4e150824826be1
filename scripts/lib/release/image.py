"""The container image: an archive for each platform, which `docker load` and `podman load` read, and one of an OCI layout for
all platforms, which skopeo copies to a registry."""

import hashlib
import json
import re
import tarfile
import tempfile
from datetime import datetime, timezone
from pathlib import Path

from release.archives import add_tree, open_tar, zipped
from release.image_root import USER_ID, Unpacked, put_together
from release.platforms import ROOT
from release.programs import released_at, version

LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
CONFIG = "application/vnd.oci.image.config.v1+json"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"
NANOSECONDS = 1_000_000_000


def instructions():
    """Returns (NAME, arguments) of each instruction of the Dockerfile's last stage."""
    text = re.sub(r"\\\n\s*", " ", (ROOT / "Dockerfile").read_text(encoding="utf-8"))
    lines = [line.split(" ", 1) for line in text.splitlines() if line and not line.startswith("#")]
    last = max(index for index, line in enumerate(lines) if line[0] == "FROM")
    return [(name, arguments.strip()) for name, arguments in lines[last:]]


def health_check(arguments):
    seconds = {name: int(number) * NANOSECONDS for name, number in re.findall(r"--([\w-]+)=(\d+)s", arguments)}
    command = json.loads(arguments[arguments.index("["):].removeprefix("CMD "))
    return {"Test": ["CMD", *command], "Interval": seconds["interval"], "Timeout": seconds["timeout"],
            "StartPeriod": seconds["start-period"]}


def settings():
    """Returns how the image is run, as the Dockerfile says."""
    said = dict(instructions())
    return {
        "User": said["USER"], "WorkingDir": said["WORKDIR"], "Env": [said["ENV"]], "Entrypoint": json.loads(said["ENTRYPOINT"]),
        "Volumes": {volume: {} for volume in json.loads(said["VOLUME"])},
        "ExposedPorts": {f"{said['EXPOSE']}/tcp": {}},
        "Healthcheck": health_check(said["HEALTHCHECK"]),
        "Labels": {"org.opencontainers.image.title": "dinette", "org.opencontainers.image.version": version(),
                   "org.opencontainers.image.licenses": "Apache-2.0"}}


class Layout:
    """An OCI layout in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.blobs = self.folder / "blobs/sha256"
        self.blobs.mkdir(parents=True)
        (self.folder / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}', encoding="ascii")

    def add_file(self, file, kind):
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        blob = file.rename(self.blobs / digest)
        return {"mediaType": kind, "digest": f"sha256:{digest}", "size": blob.stat().st_size}

    def add(self, described, kind):
        file = self.folder / "new"
        file.write_text(json.dumps(described, separators=(",", ":")), encoding="utf-8")
        return self.add_file(file, kind)

    def write(self, name, described):
        (self.folder / name).write_text(json.dumps(described, separators=(",", ":")), encoding="utf-8")


def place_of(descriptor):
    return "blobs/sha256/" + descriptor["digest"].removeprefix("sha256:")


def add_image(layout, platform, root):
    """Adds the image of a platform, whose file system is in `root`. Returns the descriptor of its manifest."""
    packed = layout.folder / "layer"
    with open_tar(packed) as archive:
        add_tree(archive, root, user_of={"data": USER_ID})
    unpacked_digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    layer = layout.add_file(zipped(packed), LAYER)
    created = datetime.fromtimestamp(released_at(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    config = layout.add({
        "created": created, "architecture": platform.debian, "os": "linux", "config": settings(),
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{unpacked_digest}"]},
        "history": [{"created": created, "created_by": "scripts/release"}]}, CONFIG)
    # Read by Docker before version 25.
    layout.write("manifest.json", [
        {"Config": place_of(config), "RepoTags": [f"dinette:{version()}", "dinette:latest"], "Layers": [place_of(layer)]}])
    manifest = layout.add({"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer]}, MANIFEST)
    return manifest | {"platform": {"architecture": platform.debian, "os": "linux"}}


def finish(layout, descriptor, file):
    """Names what is in a layout, and packs it."""
    names = {"io.containerd.image.name": f"docker.io/library/dinette:{version()}", "org.opencontainers.image.ref.name": version()}
    layout.write("index.json", {"schemaVersion": 2, "mediaType": INDEX, "manifests": [descriptor | {"annotations": names}]})
    with open_tar(file) as archive:
        add_tree(archive, layout.folder)


def pack(platform, build, output):
    """Packs what `docker load` reads."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "root")
        put_together(build, root, Unpacked(platform))
        layout = Layout(Path(folder, "layout"))
        finish(layout, add_image(layout, platform, root), output / f"dinette-{version()}-docker-{platform.debian}.tar")


def pack_all(output):
    """Packs the layout of all platforms that pack() has made an archive of."""
    with tempfile.TemporaryDirectory() as folder:
        layout = Layout(Path(folder, "layout"))
        manifests = []
        for packed in sorted(output.glob(f"dinette-{version()}-docker-*.tar")):
            with tarfile.open(packed) as archive:
                archive.extractall(layout.folder)
            manifests += json.loads((layout.folder / "index.json").read_text(encoding="utf-8"))["manifests"]
        (layout.folder / "manifest.json").unlink()
        for manifest in manifests:
            del manifest["annotations"]
        index = layout.add({"schemaVersion": 2, "mediaType": INDEX, "manifests": manifests}, INDEX)
        finish(layout, index, output / f"dinette-{version()}-oci.tar")
