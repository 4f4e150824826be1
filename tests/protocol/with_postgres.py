"""Runs a program whose tests keep their data in PostgreSQL: `with_postgres.py PROGRAM [ARGUMENT ...]`."""

import os
import subprocess
import sys

from postgres_cluster import PostgresCluster


def main():
    with PostgresCluster() as cluster:
        kind = {"DINETTE_TEST_ENGINE": "postgres", "DINETTE_TEST_STORE": cluster.url, "DINETTE_TEST_SOCKETS": cluster.folder}
        return subprocess.run(sys.argv[1:], env={**os.environ, **kind}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
