#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "dinette/base/bytes.h"

#include "cql/wire/fixture.h"

// What drivers send when they connect: docs/service-keyspaces/clients.md section 2, and the system tables
// that they read, docs/service-keyspaces/system-tables.md sections 1 to 8; what keyspaces and tables become,
// docs/service-keyspaces/ddl.md sections 1, 2, 3, 4, 5, 7 and 9.
namespace dinette::cql::drivers_test {

using test::SentFrame;
using test::TestConnection;
using test::TestServer;

const std::string create_k = "CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy'}";

bool contains(const SentFrame& frame, std::string_view text) {
  return frame.body.find(text) != std::string::npos;
}

TEST_CASE("the control connection of every driver finds what it reads") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  const auto local = connection.query("SELECT * FROM system.local WHERE key='local'");
  REQUIRE(local.kind() == 2);
  CHECK(contains(local, "Amazon Keyspaces"));
  CHECK(contains(local, "3.11.2"));
  CHECK(contains(local, "us-east-1"));
  const auto address = connection.query("SELECT rpc_address FROM system.local");
  CHECK(address.body.ends_with(std::string_view("\0\0\0\4\x7f\0\0\1", 8)));
  CHECK(connection.query("SELECT * FROM system.peers").kind() == 2);
  CHECK(connection.query("SELECT * FROM system.peers_v2").error() ==
        "2200 unconfigured table system.peers_v2");
  CHECK(connection.query("SELECT * FROM system_virtual_schema.keyspaces").error() ==
        "2200 Keyspace system_virtual_schema does not exist");
  for (const char* table : {"keyspaces", "tables", "columns", "types", "indexes", "views", "functions",
                            "aggregates", "triggers", "dropped_columns"}) {
    INFO(table);
    CHECK(connection.query(std::string("SELECT * FROM system_schema.") + table).kind() == 2);
  }
  for (const char* table :
       {"system_schema_mcs.tables", "system_schema_mcs.keyspaces", "system_schema_mcs.tags",
        "system_multiregion_info.tables", "system_multiregion_info.keyspaces", "system.size_estimates"}) {
    INFO(table);
    CHECK(connection.query(std::string("SELECT * FROM ") + table).kind() == 2);
  }
}

TEST_CASE("a table is in the schema tables, and the version of the schema changes with it") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  const auto version = [&] { return connection.query("SELECT schema_version FROM system.local").body; };
  const std::string before = version();
  CHECK(connection.query(create_k).kind() == 5);
  CHECK(connection.query("CREATE TYPE k.u (a int)").kind() == 5);
  CHECK(connection
            .query("CREATE TABLE k.t (p int, c text, v list<frozen<u>>, PRIMARY KEY (p, c)) WITH "
                   "CLUSTERING ORDER BY (c DESC)")
            .kind() == 5);
  CHECK(version() != before);
  const auto columns = connection.query("SELECT * FROM system_schema.columns WHERE keyspace_name='k'");
  CHECK(contains(columns, "list<frozen<u>>"));
  CHECK(contains(columns, "desc"));
  CHECK(connection.query("DROP TYPE k.u").error() ==
        "2200 Cannot drop user type k.u as it is still used by table k.t");
  CHECK(connection.query("DROP TABLE k.t").kind() == 5);
  CHECK(connection.query("DROP TYPE k.u").kind() == 5);
  CHECK(connection.query("DROP TABLE k.t").error() ==
        "2300 Cannot drop non existing table 't' in keyspace 'k'.");
  CHECK(connection.query("DROP TABLE IF EXISTS k.t").kind() == 1);
}

TEST_CASE("system keyspaces cannot be changed") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  CHECK(connection.query("DROP KEYSPACE system").error() == "2100 system keyspace is not user-modifiable.");
  CHECK(connection.query("CREATE TABLE system.t (p int PRIMARY KEY)").error() ==
        "2100 system keyspace is not user-modifiable.");
}

TEST_CASE("with a delay, a table is CREATING first, and DELETING before it is gone") {
  TestServer server({.state_delay = std::chrono::seconds(1)});
  TestConnection connection(server.service());
  connection.start();
  const auto later = [&] {
    REQUIRE(server.worlds().find("")->change_clock({.advance = std::chrono::seconds(2)}).ok());
  };
  const auto states = [&] {
    return connection.query("SELECT status FROM system_schema_mcs.tables WHERE keyspace_name='k'");
  };
  CHECK(connection.query(create_k).kind() == 5);
  CHECK(connection.query("USE k").error() == "2200 unconfigured keyspace k");
  later();
  CHECK(connection.query("CREATE TABLE k.t (p int PRIMARY KEY)").kind() == 5);
  CHECK(contains(states(), "CREATING"));
  CHECK(connection.query("SELECT * FROM k.t").error() == "2200 unconfigured table k.t");
  later();
  CHECK(contains(states(), "ACTIVE"));
  CHECK(connection.query("SELECT * FROM k.t").kind() == 2);
  CHECK(connection.query("DROP KEYSPACE k").kind() == 5);
  later();
  CHECK(connection.query("USE k").error() == "2200 Keyspace 'k' does not exist");
}

TEST_CASE("statements that the service lacks are refused by their class, also when prepared") {
  TestServer server({.strict = true});
  TestConnection connection(server.service());
  connection.start();
  CHECK(connection.query("CREATE ROLE r").error() ==
        "2200 Unsupported statement type class org.apache.cassandra.cql3.statements.CreateRoleStatement");
  std::string prepare;
  base::append_big_endian(prepare, static_cast<std::uint32_t>(create_k.size()));
  CHECK(connection.ask(9, prepare + create_k).error() == "2200 DDL statements cannot be prepared.");
  CHECK(connection.query("CREATE TABLE nowhere.t (p int PRIMARY KEY)").error() ==
        "2300 Keyspace nowhere doesn't exist");
}

TEST_CASE("rows are written and read by prepared statements") {
  TestServer server;
  TestConnection connection(server.service());
  connection.start();
  CHECK(connection.query(create_k).kind() == 5);
  CHECK(connection.query("CREATE TABLE k.t (p int PRIMARY KEY, v text)").kind() == 5);
  CHECK(connection.query("INSERT INTO k.t (p, v) VALUES (1, 'something')").kind() == 1);
  const std::string statement = "SELECT v FROM k.t WHERE p = ?";
  std::string prepare;
  base::append_big_endian(prepare, static_cast<std::uint32_t>(statement.size()));
  const auto prepared = connection.ask(9, prepare + statement);
  REQUIRE(prepared.kind() == 4);
  const std::string id = prepared.body.substr(4, 18);
  const std::string one("\0\1\1\0\1\0\0\0\4\0\0\0\1", 13);
  CHECK(contains(connection.ask(0x0A, id + one), "something"));
  CHECK(connection.ask(0x0A, id + std::string("\0\1\0", 3)).error() ==
        "2200 there were 1 markers(?) in CQL but 0 bound variables");
}

}  // namespace dinette::cql::drivers_test
