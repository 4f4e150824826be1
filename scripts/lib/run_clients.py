"""Runs other people's clients against Dinette, each against a server of its own. Used by scripts/clients.

Libraries run their own suites, in copies of the source trees that are given. SDKs run the small programs in
tests/clients/others, each with the newest release that its registry has. Of examples/, those with Testcontainers are
built, and run if a Docker engine has the image dinette, and Terraform's is applied. What cannot run is skipped, and the report says why. Cases that are known to fail, with the reasons, are in scripts/lib/clients/known.json. Folders and logs are below
build/clients.
"""

import argparse
import os
import pathlib
import sys

from building import ROOT, build, folder_of

sys.path.insert(0, str(ROOT / "clients/python"))
import dinette  # noqa: E402
from clients.cassandra import CASSANDRA  # noqa: E402
from clients.examples import FROM_EXAMPLES  # noqa: E402
from clients.outcome import broken, judged, read_known, skipped, table, total  # noqa: E402
from clients.sdks import SDKS  # noqa: E402
from clients.suites import SUITES, TREE_OF, TREES  # noqa: E402
from clients.workshop import Broken, Missing, Workshop, require  # noqa: E402

CLIENTS = {client.name: client for client in (*SUITES, *SDKS, *CASSANDRA, *FROM_EXAMPLES)}


def tree(text):
    name, separator, folder = text.partition("=")
    if not separator or name not in TREES:
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=FOLDER with a NAME of: {' '.join(TREES)}")
    if not pathlib.Path(folder).is_dir():
        raise argparse.ArgumentTypeError(f"'{folder}' is no folder")
    return name, pathlib.Path(folder).resolve()


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="scripts/clients", description=__doc__.split("\n\n", 1)[1], allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter, epilog=f"clients:\n  {' '.join(CLIENTS)}")
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help="which ones to run; default: all")
    parser.add_argument("--tree", nargs="+", type=tree, action="extend", default=[], metavar="NAME=FOLDER",
                        help=f"the source tree of a library: {' '.join(TREES)}")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.clients if name not in CLIENTS]
    if unknown:
        parser.error(f"there is no client {', '.join(unknown)}; there are: {' '.join(CLIENTS)}")
    return arguments.clients or list(CLIENTS), dict(arguments.tree)


def source_of(client, trees):
    if client not in SUITES:
        return client.source
    name = TREE_OF.get(client.name, client.name)
    if name not in trees:
        raise Missing(f"no source tree; give it with --tree {name}=FOLDER")
    return trees[name]


def run(client, trees, known):
    try:
        source = source_of(client, trees)
        require(client.needs)
        with dinette.start(arguments=client.arguments) as server:
            version, cases = client.run(Workshop(client.name, server, source))
        return judged(client.name, version, cases, known.get(client.name, {}))
    except Missing as missing:
        return skipped(client.name, missing)
    except Broken as reason:
        return broken(client.name, reason)


def choose_program():
    """Builds the program that is tested, unless the caller names one. Returns False if that fails."""
    if os.environ.get("DINETTE_PROGRAM"):
        return True
    os.environ["DINETTE_PROGRAM"] = str(folder_of("release") / "dinette")
    return build("release", "dinette")


def main():
    names, trees = parse_arguments()
    if not choose_program():
        print("0 passed, 1 failed")
        return 1
    known = read_known()
    outcomes = []
    for name in names:
        print(f"== {name}", file=sys.stderr, flush=True)
        outcomes.append(run(CLIENTS[name], trees, known))
    print("\n".join(table(outcomes)))
    passed, failed = total(outcomes)
    print(f"\n{passed} passed, {failed} failed")
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
