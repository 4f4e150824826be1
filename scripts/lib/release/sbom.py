"""The bill of materials of a release, in SPDX 2.3: its files, the libraries in its programs, and what its images have besides."""

import hashlib
import json
from datetime import datetime, timezone

from commands import output_of
from notices import OF_THE_COMPILER, bundled_packages
from release.linked import described_packages, linked_packages
from release.programs import released_at, version
from release.sysroot import IMAGE_PACKAGES

DOCUMENT = "SPDXRef-DOCUMENT"
DINETTE = "SPDXRef-Package-dinette"


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + "".join(sign if sign.isalnum() or sign in ".-" else "-" for sign in name)


def package(name, of_version, locator, declared="NOASSERTION"):
    return {"SPDXID": identifier("Package", name), "name": name, "versionInfo": of_version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": declared, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]}


def debian_packages(versions):
    """Yields a package per package of Debian 12. `versions`: by their names."""
    for name, of_version in sorted(versions.items()):
        locator = f"pkg:deb/debian/{name}@{of_version}?distro=bookworm".replace("+", "%2B")
        yield package(name, of_version, locator)


def linked(platforms):
    """Yields a package per library that is linked. Platforms have the same versions, but for rebuilds by Debian."""
    found = {OF_THE_COMPILER: output_of("dpkg-query", "--show", "--showformat=${Version}", OF_THE_COMPILER)}
    for platform in platforms:
        described = described_packages(platform.sysroot)
        found |= {name: described[name]["version"] for name in linked_packages(platform.sysroot, platform.build)}
    yield from debian_packages(found)


def in_images(platforms):
    """Yields a package per package that the images have besides the programs: glibc, shell, certificates."""
    found = {}
    for platform in platforms:
        described = json.loads((platform.sysroot / IMAGE_PACKAGES).read_text(encoding="utf-8"))
        found |= {name: of["version"] for name, of in described.items()}
    yield from debian_packages(found)


def in_page():
    """Yields a package per npm package that is bundled."""
    for described in bundled_packages():
        name = described["name"]
        yield package(name, described["version"], f"pkg:npm/{name.replace('@', '%40')}@{described['version']}",
                      described.get("license", "NOASSERTION"))


def digest(file, algorithm):
    return {"algorithm": algorithm.upper(), "checksumValue": hashlib.new(algorithm, file.read_bytes()).hexdigest()}


def is_image(file):
    return "-docker-" in file.name or file.name.endswith("-oci.tar")


def related(subject, kind, each):
    return {"spdxElementId": subject, "relationshipType": kind, "relatedSpdxElement": each["SPDXID"]}


def bill(platforms, files):
    """Returns the document about these files of a release."""
    libraries, page, images = list(linked(platforms)), list(in_page()), [file for file in files if is_image(file)]
    besides = list(in_images(platforms)) if images else []
    described = [{"SPDXID": identifier("File", file.name), "fileName": f"./{file.name}", "licenseConcluded": "NOASSERTION",
                  "copyrightText": "NOASSERTION", "checksums": [digest(file, "sha1"), digest(file, "sha256")]} for file in files]
    content = hashlib.sha256(json.dumps(described).encode()).hexdigest()
    created = datetime.fromtimestamp(released_at(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": DOCUMENT, "name": f"dinette-{version()}",
        "documentNamespace": f"https://spdx.org/spdxdocs/dinette-{version()}-{content[:32]}",
        "creationInfo": {"created": created, "creators": ["Tool: scripts/release"]},
        "packages": [package("dinette", version(), f"pkg:generic/dinette@{version()}", "Apache-2.0"), *libraries, *page, *besides],
        "files": described,
        "relationships": [
            {"spdxElementId": DOCUMENT, "relationshipType": "DESCRIBES", "relatedSpdxElement": DINETTE},
            *(related(DINETTE, "STATIC_LINK", each) for each in libraries),
            *(related(DINETTE, "CONTAINS", each) for each in page),
            *(related(identifier("File", image.name), "CONTAINS", each) for image in images for each in besides),
            *({"spdxElementId": each["SPDXID"], "relationshipType": "GENERATED_FROM", "relatedSpdxElement": DINETTE}
              for each in described)]}
