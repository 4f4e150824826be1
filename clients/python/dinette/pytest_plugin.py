"""Fixtures of pytest: a server for the session, and a fork of its default world for each test.

Tables that all tests need are created once, in the default world:

    @pytest.fixture(scope="session", autouse=True)
    def tables(dinette_server):
        boto3.client("dynamodb", **dinette_server.world.client_arguments).create_table(...)
"""

import os

import pytest

import dinette


@pytest.fixture(scope="session")
def dinette_server():
    """The server at $DINETTE_ENDPOINT, else one that is started for the session."""
    endpoint = os.environ.get("DINETTE_ENDPOINT")
    if endpoint:
        yield dinette.connect(endpoint)
        return
    with dinette.start() as server:
        yield server


@pytest.fixture
def dinette_world(dinette_server):
    """A fork of the default world, dropped after the test."""
    with dinette_server.world.fork(ttl=3600) as world:
        yield world


@pytest.fixture(scope="module")
def dinette_module_world(dinette_server):
    """The same for all tests of a file."""
    with dinette_server.world.fork(ttl=3600) as world:
        yield world
