// The quotas of the service (docs/service-keyspaces/limits.md, docs/service-keyspaces/ddl.md sections 5 to
// 7).
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/schema/deletion.h"
#include "cql/schema/table_schema.h"
#include "cql/statements/session.h"

namespace dinette::cql::quotas_test {

using namespace std::chrono_literals;
using test::Session;
using Rows = std::vector<std::string>;

namespace {

std::string capacity(int read, int write) {
  return "{'capacity_mode': {'throughput_mode': 'PROVISIONED', 'read_capacity_units': " +
         std::to_string(read) + ", 'write_capacity_units': " + std::to_string(write) + "}}";
}

std::string alter(const std::string& properties) {
  return "ALTER TABLE t WITH custom_properties = " + properties;
}

std::string own_key(int number) {
  return "{'encryption_specification': {'encryption_type': 'CUSTOMER_MANAGED_KMS_KEY', 'kms_key_identifier': "
         "'arn:aws:kms:us-east-1:000000000000:key/" +
         std::to_string(number) + "'}}";
}

constexpr std::string_view recoverable =
    " WITH custom_properties = {'point_in_time_recovery': {'status': 'enabled'}}";

}  // namespace

TEST_CASE("capacity decreases four times a day, and then once after each hour without a decrease") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY) WITH custom_properties = " + capacity(100, 100));
  for (int i = 1; i <= 4; ++i) session.ok(alter(capacity(100, 100 - i)));
  const std::string refused = "2200: Maximum number of capacity decreases per day (4) exceeded.";
  CHECK(session.one(alter(capacity(99, 96))) == refused);
  session.ok(alter(capacity(200, 200)));
  CHECK(session.one(alter(capacity(199, 200))) == refused);
  session.advance(59min);
  CHECK(session.one(alter(capacity(199, 200))) == refused);
  session.advance(1min);
  session.ok(alter(capacity(199, 200)));
  CHECK(session.one(alter(capacity(198, 200))) == refused);
  session.advance(24h);
  for (int i = 1; i <= 4; ++i) session.ok(alter(capacity(100 - i, 100)));
  CHECK(session.one(alter(capacity(1, 1))) == refused);
}

TEST_CASE("lenient mode does not count decreases of capacity") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY) WITH custom_properties = " + capacity(100, 100));
  for (int i = 1; i <= 6; ++i) session.ok(alter(capacity(100, 100 - i)));
}

TEST_CASE("the key of a table changes four times in 24 hours, and then once after each six hours") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY) WITH custom_properties = " + own_key(0));
  for (int i = 1; i <= 4; ++i) session.ok(alter(own_key(i)));
  const std::string refused = "2200: Maximum number of encryption changes per day (4) exceeded.";
  CHECK(session.one(alter(own_key(5))) == refused);
  session.ok(alter(own_key(4)));  // changes nothing
  session.advance(6h);
  session.ok(alter(own_key(5)));
  CHECK(session.one(alter(own_key(6))) == refused);
  session.ok(alter("{'encryption_specification': {'encryption_type': 'AWS_OWNED_KMS_KEY'}}"));
  session.advance(24h);
  session.ok(alter(own_key(6)));
}

TEST_CASE("a user type is in a hundred tables at most") {
  Session session(Mode::strict);
  session.ok("CREATE TYPE u (a int)");
  for (int i = 0; i < 100; ++i)
    session.ok("CREATE TABLE t" + std::to_string(i) + " (p int PRIMARY KEY, u frozen<list<frozen<u>>>)");
  CHECK(session.one("CREATE TABLE more (p int PRIMARY KEY, u frozen<u>)") ==
        "2200: Maximum number of tables of a type (100) exceeded.");
  session.ok("CREATE TABLE more (p int PRIMARY KEY)");
  session.ok("DROP TABLE t0");
  session.ok("CREATE TABLE again (p int PRIMARY KEY, u frozen<u>)");
}

TEST_CASE("the schema of a user type has 25 KB at most") {
  Session session(Mode::strict);
  const auto create = [&](const std::string& name, int fields) {
    std::string text = "CREATE TYPE " + name + " (";
    for (int i = 0; i < fields; ++i) {
      const std::string number = std::to_string(1'000 + i);
      text += (i > 0 ? ", f" : "f") + number + std::string(115, 'x') + " int";
    }
    return session.run(text + ")");
  };
  // 123 bytes per field: 120 of its name, 3 of "int"; and one of the type's name.
  CHECK(create("a", 208).empty());
  CHECK(create("b", 209) == Rows{"2200: Maximum size of a type's schema (25600 bytes) exceeded."});
}

TEST_CASE("four tables are restored at once") {
  Session session(Mode::strict);
  session.ok("CREATE TABLE t (p int PRIMARY KEY)" + std::string(recoverable));
  session.delay_states(60s);
  for (int i = 0; i < 4; ++i) session.ok("RESTORE TABLE r" + std::to_string(i) + " FROM TABLE t");
  CHECK(session.one("RESTORE TABLE more FROM TABLE t") ==
        "2200: Maximum number of restores at once (4) exceeded.");
  session.advance(60s);
  session.ok("RESTORE TABLE more FROM TABLE t");
}

TEST_CASE("a dropped table is restored until its end, for 35 days") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v text)" + std::string(recoverable));
  session.ok("CREATE TABLE plain (p int PRIMARY KEY)");
  session.ok("INSERT INTO t (p, v) VALUES (1, 'a')");
  session.advance(10s);
  session.ok("INSERT INTO t (p, v) VALUES (2, 'b')");
  session.advance(10s);
  session.ok("DROP TABLE t");
  session.ok("DROP TABLE plain");
  session.advance(10s);
  CHECK(session.one("SELECT * FROM t") == "2200: unconfigured table ks.t");
  session.ok("RESTORE TABLE last FROM TABLE t");
  CHECK(session.run("SELECT p, v FROM last").size() == 2);
  session.ok("RESTORE TABLE early FROM TABLE t WITH restore_timestamp = '2026-11-21T00:16:56+0000'");
  CHECK(session.run("SELECT p, v FROM early") == Rows{"1 | a"});
  // Ten seconds after its end.
  CHECK(session.one("RESTORE TABLE late FROM TABLE t WITH restore_timestamp = '2026-11-21T00:17:21+0000'") ==
        "2200: The restore timestamp is outside of the recovery window of table ks.t.");
  CHECK(session.one("RESTORE TABLE a FROM TABLE plain") == "2200: unconfigured table ks.plain");
  session.ok("RESTORE TABLE t FROM TABLE t");
  CHECK(session.run("SELECT p FROM t").size() == 2);
  session.ok("DROP TABLE t");
  session.advance(35 * 24h);
  CHECK(session.one("RESTORE TABLE a FROM TABLE t") == "2200: unconfigured table ks.t");
  CHECK(session.place().store.catalog().list_unnamed(0, 10)->empty());
}

TEST_CASE("a new table of the name of a dropped one is what is restored") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY)" + std::string(recoverable));
  session.ok("INSERT INTO t (p) VALUES (1)");
  session.ok("DROP TABLE t");
  session.advance(1s);
  session.ok("CREATE TABLE t (p int PRIMARY KEY)" + std::string(recoverable));
  session.ok("RESTORE TABLE r FROM TABLE t");
  CHECK(session.run("SELECT * FROM r").empty());
}

TEST_CASE("the tables of a dropped keyspace are restored too") {
  Session session;
  session.ok("CREATE KEYSPACE other WITH replication = {'class': 'SingleRegionStrategy'}");
  session.ok("CREATE TABLE other.t (p int PRIMARY KEY)" + std::string(recoverable));
  session.ok("INSERT INTO other.t (p) VALUES (1)");
  session.advance(1s);
  session.ok("DROP KEYSPACE other");
  session.advance(1s);
  session.ok("RESTORE TABLE r FROM TABLE other.t");
  CHECK(session.run("SELECT * FROM r") == Rows{"1"});
}

TEST_CASE("a restored table that no server fills any more is removed") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  const Place place = session.place();
  const auto stored = place.store.catalog().open("ks.t").value();
  const auto decide = [](const store::Table& current) {
    schema::Table table = current.schema_as<schema::TableSchema>().table();
    table.filling = true;
    return std::optional(store::TableUpdate(schema::encode(table)));
  };
  REQUIRE(place.store.catalog().update(*stored, decide));
  schema::remove_unfinished_later(place.store, place.world.jobs());
  session.advance(0s);
  for (int look = 0; look < 2; ++look) session.advance(5min);
  CHECK(place.store.catalog().open("ks.t").value() != nullptr);
  session.advance(5min);
  CHECK(place.store.catalog().open("ks.t").value() == nullptr);
}

}  // namespace dinette::cql::quotas_test
