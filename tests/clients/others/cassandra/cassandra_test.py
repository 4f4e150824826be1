"""The newest driver of Apache Cassandra for Python: with and without TLS, by password and by signature; and cqlsh."""

import os
import pathlib
import ssl
import subprocess
import sys
import uuid

import boto3
import pytest
from cassandra import ConsistencyLevel, InvalidRequest
from cassandra.auth import PlainTextAuthProvider
from cassandra.cluster import Cluster, ExecutionProfile, EXEC_PROFILE_DEFAULT, NoHostAvailable
from cassandra.policies import DCAwareRoundRobinPolicy
from cassandra.query import BatchStatement, BatchType, SimpleStatement
from cassandra_sigv4.auth import SigV4AuthProvider

USER, PASSWORD = os.environ["CQL_USER"], os.environ["CQL_PASSWORD"]
PORTS = {"plain": int(os.environ["CQL_PORT"]), "tls": int(os.environ["CQL_TLS_PORT"])}


def unverified():
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def cluster(transport, provider):
    profile = ExecutionProfile(load_balancing_policy=DCAwareRoundRobinPolicy("us-east-1"),
                               consistency_level=ConsistencyLevel.LOCAL_QUORUM)
    return Cluster(["127.0.0.1"], port=PORTS[transport], auth_provider=provider, protocol_version=4,
                   ssl_context=unverified() if transport == "tls" else None,
                   execution_profiles={EXEC_PROFILE_DEFAULT: profile})


def provider_of(log_in):
    if log_in == "password":
        return PlainTextAuthProvider(USER, PASSWORD)
    return SigV4AuthProvider(boto3.Session(region_name="us-east-1"))


@pytest.fixture(scope="module", params=[(transport, log_in) for transport in PORTS for log_in in ("password", "signature")],
                ids="-".join)
def session(request):
    connected = cluster(request.param[0], provider_of(request.param[1]))
    yield connected.connect()
    connected.shutdown()


@pytest.fixture
def table(session):
    keyspace = "k" + uuid.uuid4().hex[:12]
    session.execute(f"CREATE KEYSPACE {keyspace} WITH replication = {{'class': 'SingleRegionStrategy'}}")
    session.execute(f"CREATE TABLE {keyspace}.t (p text, c int, n bigint, tags set<text>, PRIMARY KEY (p, c))")
    yield f"{keyspace}.t"
    session.execute(f"DROP KEYSPACE {keyspace}")


def test_rows_are_written_and_read_by_prepared_statements(session, table):
    insert = session.prepare(f"INSERT INTO {table} (p, c, n, tags) VALUES (?, ?, ?, ?)")
    session.execute(insert, ("a", 1, 2**40, {"x", "y"}))
    row = session.execute(session.prepare(f"SELECT * FROM {table} WHERE p = ?"), ("a",)).one()
    assert (row.p, row.c, row.n, set(row.tags)) == ("a", 1, 2**40, {"x", "y"})


def test_results_have_pages(session, table):
    insert = session.prepare(f"INSERT INTO {table} (p, c) VALUES ('a', ?)")
    for number in range(25):
        session.execute(insert, (number,))
    pages = session.execute(SimpleStatement(f"SELECT c FROM {table} WHERE p = 'a'", fetch_size=10))
    assert len(pages.current_rows) == 10
    assert [row.c for row in pages] == list(range(25))


def test_a_batch_writes_all_its_rows(session, table):
    insert = session.prepare(f"INSERT INTO {table} (p, c) VALUES (?, ?)")
    batch = BatchStatement(BatchType.UNLOGGED)
    for number in range(3):
        batch.add(insert, ("b", number))
    session.execute(batch)
    assert len(list(session.execute(f"SELECT c FROM {table} WHERE p = 'b'"))) == 3


def test_conditions_tell_whether_they_held(session, table):
    statement = f"INSERT INTO {table} (p, c, n) VALUES ('a', 1, 5) IF NOT EXISTS"
    assert session.execute(statement).was_applied
    refused = session.execute(statement).one()
    assert (refused.applied, refused.n) == (False, 5)


def test_timestamps_of_the_client_decide(session, table):
    session.execute(f"INSERT INTO {table} (p, c, n) VALUES ('a', 1, 2) USING TIMESTAMP 200")
    session.execute(f"INSERT INTO {table} (p, c, n) VALUES ('a', 1, 1) USING TIMESTAMP 100")
    row = session.execute(f"SELECT n, WRITETIME(n) AS written FROM {table} WHERE p = 'a' AND c = 1").one()
    assert (row.n, row.written) == (2, 200)


def test_the_driver_knows_the_schema(session, table):
    keyspace, name = table.split(".")
    described = session.cluster.metadata.keyspaces[keyspace].tables[name]
    assert [column.name for column in described.primary_key] == ["p", "c"]
    assert described.columns["tags"].cql_type == "set<text>"


def test_errors_have_the_types_of_the_driver(session, table):
    with pytest.raises(InvalidRequest, match="Undefined column name nix"):
        session.execute(f"SELECT nix FROM {table}")


@pytest.mark.parametrize("transport", PORTS)
def test_a_wrong_password_is_refused(transport):
    refused = cluster(transport, PlainTextAuthProvider(USER, "wrong"))
    with pytest.raises(NoHostAvailable, match="AuthenticationFailed"):
        refused.connect()
    refused.shutdown()


@pytest.mark.parametrize("transport", PORTS)
def test_cqlsh_runs_statements(transport):
    command = [pathlib.Path(sys.executable).with_name("cqlsh"), "127.0.0.1", str(PORTS[transport]), "-u", USER, "-p", PASSWORD]
    keyspace = "k" + uuid.uuid4().hex[:12]
    text = (f"CREATE KEYSPACE {keyspace} WITH replication = {{'class': 'SingleRegionStrategy'}}; "
            f"CREATE TABLE {keyspace}.t (p int PRIMARY KEY, v text); CONSISTENCY LOCAL_QUORUM; "
            f"INSERT INTO {keyspace}.t (p, v) VALUES (7, 'seven'); SELECT * FROM {keyspace}.t")
    ended = subprocess.run([*command, *(["--ssl"] if transport == "tls" else []), "-e", text], capture_output=True, text=True,
                           env={**os.environ, "SSL_VALIDATE": "false"})
    assert ended.returncode == 0, ended.stderr
    assert "seven" in ended.stdout
