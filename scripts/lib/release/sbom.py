"""The bill of materials of a release, in SPDX 2.3: its files, and the libraries in its programs."""

import hashlib
import json
from datetime import datetime, timezone

from commands import output_of
from notices import OF_THE_COMPILER, bundled_packages
from release.programs import released_at, version
from release.sysroot import VERSIONS

DOCUMENT = "SPDXRef-DOCUMENT"
DINETTE = "SPDXRef-Package-dinette"


def identifier(kind, name):
    return f"SPDXRef-{kind}-" + "".join(sign if sign.isalnum() or sign in ".-" else "-" for sign in name)


def package(name, of_version, locator, declared="NOASSERTION"):
    return {"SPDXID": identifier("Package", name), "name": name, "versionInfo": of_version, "downloadLocation": "NOASSERTION",
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": declared, "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": locator}]}


def libraries(platforms):
    """Yields a package per library that is linked or bundled. Platforms have the same versions, but for rebuilds by Debian."""
    found = {}
    for platform in platforms:
        found |= json.loads((platform.sysroot / VERSIONS).read_text(encoding="utf-8"))
    found[OF_THE_COMPILER] = output_of("dpkg-query", "--show", "--showformat=${Version}", OF_THE_COMPILER)
    for name, of_version in sorted(found.items()):
        locator = f"pkg:deb/debian/{name}@{of_version}?distro=bookworm".replace("+", "%2B")
        yield package(name, of_version, locator)
    for described in bundled_packages():
        name = described["name"]
        yield package(name, described["version"], f"pkg:npm/{name.replace('@', '%40')}@{described['version']}",
                      described.get("license", "NOASSERTION"))


def digest(file, algorithm):
    return {"algorithm": algorithm.upper(), "checksumValue": hashlib.new(algorithm, file.read_bytes()).hexdigest()}


def bill(platforms, files):
    """Returns the document about these files of a release."""
    packages = list(libraries(platforms))
    described = [{"SPDXID": identifier("File", file.name), "fileName": f"./{file.name}", "licenseConcluded": "NOASSERTION",
                  "copyrightText": "NOASSERTION", "checksums": [digest(file, "sha1"), digest(file, "sha256")]} for file in files]
    content = hashlib.sha256(json.dumps(described).encode()).hexdigest()
    created = datetime.fromtimestamp(released_at(), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": DOCUMENT, "name": f"dinette-{version()}",
        "documentNamespace": f"https://spdx.org/spdxdocs/dinette-{version()}-{content[:32]}",
        "creationInfo": {"created": created, "creators": ["Tool: scripts/release"]},
        "packages": [package("dinette", version(), f"pkg:generic/dinette@{version()}", "Apache-2.0"), *packages],
        "files": described,
        "relationships": [
            {"spdxElementId": DOCUMENT, "relationshipType": "DESCRIBES", "relatedSpdxElement": DINETTE},
            *({"spdxElementId": DINETTE, "relationshipType": "STATIC_LINK" if "pkg:deb" in str(each) else "CONTAINS",
               "relatedSpdxElement": each["SPDXID"]} for each in packages),
            *({"spdxElementId": each["SPDXID"], "relationshipType": "GENERATED_FROM", "relatedSpdxElement": DINETTE}
              for each in described)]}
