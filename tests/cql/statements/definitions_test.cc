// Keyspaces, tables and types: names, properties, checks and quotas (docs/service-keyspaces/ddl.md sections 1
// to 9, docs/service-keyspaces/grammar.md sections 1 to 3, docs/service-keyspaces/limits.md,
// docs/service-keyspaces/errors.md sections 4 to 6, docs/service-keyspaces/timestamps.md section 1).
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "cql/grammar/parse.h"
#include "cql/recovery/restore_table.h"
#include "cql/schema/table_schema.h"
#include "cql/statements/session.h"

namespace dinette::cql::definitions_test {

using namespace std::chrono_literals;
using test::Session;
using Rows = std::vector<std::string>;

namespace {

const std::string single_region = " WITH replication = {'class': 'SingleRegionStrategy'}";
const std::string of_classes = "2200: Unsupported statement type class org.apache.cassandra.cql3.statements.";

std::string numbered(const std::string& name, int number) {
  return name + std::to_string(number);
}

std::string property(Session& session, const std::string& name) {
  return session.one("SELECT " + name +
                     " FROM system_schema_mcs.tables WHERE keyspace_name = 'ks' AND table_name = 't'");
}

}  // namespace

TEST_CASE("names of keyspaces and tables are short words, also in quotes") {
  Session session;
  const std::string longest(48, 'a');
  const std::string too_long(49, 'a');
  session.ok("CREATE KEYSPACE " + longest + single_region);
  session.ok("CREATE TABLE " + longest + " (p int PRIMARY KEY)");
  session.ok("CREATE TABLE \"Upper_1\" (p int PRIMARY KEY)");
  session.refuses({
      {"CREATE KEYSPACE \"a-b\"" + single_region, "2200: \"a-b\" is not a valid keyspace name"},
      {"CREATE KEYSPACE " + too_long + single_region,
       "2200: Keyspace names shouldn't be more than 48 characters long (got \"" + too_long + "\")"},
      {"CREATE TABLE \"a b\" (p int PRIMARY KEY)",
       "2200: \"a b\" is not a valid table name (must be alphanumeric character or underscore only: "
       "[a-zA-Z_0-9]+)"},
      {"CREATE TABLE " + too_long + " (p int PRIMARY KEY)",
       "2200: Table names shouldn't be more than 48 characters long (got \"" + too_long + "\")"},
      {"CREATE TABLE \"\" (p int PRIMARY KEY)", "2000: "},
      {"SELECT * FROM upper_1", "2200: unconfigured table ks.upper_1"},
  });
}

TEST_CASE("names of types may be any text in quotes, and are not those of native types without") {
  Session session;
  for (const char* name :
       {"\"1234\"", "\"Special_Ch@r@cters<>!!\"", "\"nested\"\"\"\"\"\"quotes\"", "\"int\""})
    session.ok(std::string("CREATE TYPE ") + name + " (a int)");
  CHECK(session.run("SELECT type_name FROM system_schema.types WHERE keyspace_name = 'ks'") ==
        Rows{"1234", "Special_Ch@r@cters<>!!", "int", "nested\\\"\\\"\\\"quotes"});
  session.ok(
      "CREATE TABLE quoted (p int PRIMARY KEY, v frozen<\"nested\"\"\"\"\"\"quotes\">, w "
      "list<frozen<\"1234\">>)");
  CHECK(session.run("SELECT type FROM system_schema.columns WHERE keyspace_name = 'ks' AND table_name = "
                    "'quoted'") ==
        Rows{"int", R"(frozen<\"nested\"\"\"\"\"\"quotes\">)", R"(list<frozen<\"1234\">>)"});
  for (const char* name :
       {"byte", "complex", "enum", "date", "interval", "macaddr", "bitstring", "int", "text", "ks.uuid"}) {
    const std::string text = name;
    const auto answer = session.one("CREATE TYPE " + text + " (a int)");
    CHECK(answer.starts_with("2000: "));
    CHECK(answer.ends_with("Invalid (reserved) user type name " + text.substr(text.rfind('.') + 1)));
  }
  CHECK(session.one("CREATE TABLE t (p int PRIMARY KEY, v byte)")
            .ends_with("Invalid (reserved) user type name byte"));
  const std::string longest(48, 'u');
  session.ok("CREATE TYPE " + longest + " (a int)");
  CHECK(
      session.one("CREATE TYPE " + longest + "u (a int)").starts_with("2200: User type names shouldn't be"));
  session.ok("CREATE TYPE f (" + std::string(128, 'f') + " int)");
  CHECK(session.one("CREATE TYPE g (" + std::string(129, 'f') + " int)")
            .starts_with("2200: Field names shouldn't be"));
}

TEST_CASE("columns may have any name in quotes, and are found by it") {
  Session session;
  session.ok("CREATE TABLE t (\"P\"\"q\" int PRIMARY KEY, \" \" int, key int, \"select\" int)");
  session.ok("INSERT INTO t (\"P\"\"q\", \" \", KEY, \"select\") VALUES (1, 2, 3, 4)");
  CHECK(session.one("SELECT \" \", key, \"select\" FROM t WHERE \"P\"\"q\" = 1") == "2 | 3 | 4");
  CHECK(session.one("SELECT p FROM t") == "2200: Undefined column name p");
}

TEST_CASE("replication of keyspaces is that of the service, or of Cassandra in lenient mode") {
  Session session;
  const auto create = [&](const std::string& replication) {
    return session.run("CREATE KEYSPACE k WITH replication = " + replication);
  };
  const auto shown = [&] {
    const std::string out = session.one(
        "SELECT replication, durable_writes FROM system_schema.keyspaces WHERE keyspace_name = 'k'");
    session.ok("DROP KEYSPACE k");
    return out;
  };
  const std::string simple =
      R"({"class": "org.apache.cassandra.locator.SimpleStrategy", "replication_factor": "3"} | true)";
  CHECK(create("{'class': 'SingleRegionStrategy'}").empty());
  CHECK(shown() == simple);
  CHECK(create("{'class': 'SimpleStrategy', 'replication_factor': 3} AND durable_writes = true").empty());
  CHECK(shown() == simple);
  CHECK(create("{'class': 'SimpleStrategy', 'replication_factor': 1} AND durable_writes = false").empty());
  const std::string one_copy =
      R"({"class": "org.apache.cassandra.locator.SimpleStrategy", "replication_factor": "1"} | )";
  CHECK(shown() == one_copy + "false");
  CHECK(create("{'class': 'SimpleStrategy', 'replication_factor': 2}").empty());
  session.ok("ALTER KEYSPACE k WITH durable_writes = false");
  session.ok("ALTER KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
  CHECK(shown() == one_copy + "false");
  CHECK(create("{'class': 'NetworkTopologyStrategy', 'us-east-1': 1}").empty());
  CHECK(shown().starts_with(
      R"({"class": "org.apache.cassandra.locator.NetworkTopologyStrategy", "us-east-1": "1"})"));
  CHECK(create("{'class': 'NetworkTopologyStrategy', 'replication_factor': 3}").empty());
  session.ok("DROP KEYSPACE k");
  session.refuses({
      {"CREATE KEYSPACE k WITH replication = {'class': 'SingleRegionStrategy', 'replication_factor': 3}",
       "2300: Unrecognized strategy option {replication_factor} passed to SingleRegionStrategy for keyspace "
       "k"},
      {"CREATE KEYSPACE k WITH replication = {'class': 'NetworkTopologyStrategy', 'nowhere': 3}",
       "2300: Unrecognized strategy option {nowhere} passed to NetworkTopologyStrategy for keyspace k"},
      {"CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy'}",
       "2300: SimpleStrategy requires a replication_factor strategy option."},
      {"CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 'x'}",
       "2300: Replication factor must be numeric; found x"},
      {"CREATE KEYSPACE k WITH replication = {'class': 'OtherStrategy'}",
       "2300: Unable to find replication strategy class 'org.apache.cassandra.locator.OtherStrategy'"},
      {"CREATE KEYSPACE k WITH replication = {'replication_factor': 3}",
       "2300: Missing mandatory replication strategy class"},
      {"CREATE KEYSPACE system" + single_region, "2100: system keyspace is not user-modifiable."},
      {"ALTER KEYSPACE system_schema" + single_region,
       "2100: system_schema keyspace is not user-modifiable."},
      {"DROP TABLE system.local", "2100: system keyspace is not user-modifiable."},
      {"CREATE TYPE system.u (a int)", "2100: system keyspace is not user-modifiable."},
  });
  session.ok("CREATE KEYSPACE IF NOT EXISTS ks" + single_region);
  session.ok("DROP KEYSPACE IF EXISTS nix");
  Session strict(Mode::strict);
  strict.ok(
      "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1} AND "
      "durable_writes = false");
  CHECK(strict.one("SELECT replication, durable_writes FROM system_schema.keyspaces WHERE keyspace_name = "
                   "'k'") == simple);
}

// src/cql/FORMAT.md
TEST_CASE("descriptions of keyspaces and tables are read in their earlier forms too") {
  schema::Keyspace keyspace{.name = "k", .replication = {.strategy = schema::Replication::Strategy::simple}};
  std::string bytes = encode(keyspace);
  CHECK(std::dynamic_pointer_cast<const schema::KeyspaceSchema>(schema::decode(bytes))->keyspace() ==
        keyspace);
  bytes[0] = '\1';
  bytes.resize(bytes.size() - 5);  // the factor and durable writes
  CHECK(std::dynamic_pointer_cast<const schema::KeyspaceSchema>(schema::decode(bytes))->keyspace() ==
        keyspace);
  keyspace.replication.factor = "1";
  keyspace.durable_writes = false;
  CHECK(
      std::dynamic_pointer_cast<const schema::KeyspaceSchema>(schema::decode(encode(keyspace)))->keyspace() ==
      keyspace);

  schema::Table table;
  table.name = "t";
  table.columns.push_back(
      {.name = "p", .kind = schema::ColumnKind::partition_key, .position = 0, .type = {.kind = Kind::int_}});
  const auto read = [](const std::string& description) {
    return std::dynamic_pointer_cast<const schema::TableSchema>(schema::decode(description))->table();
  };
  bytes = encode(table);
  CHECK(read(bytes) == table);
  bytes[0] = '\3';
  bytes.resize(bytes.size() - 5);  // dropped columns and COMPACT STORAGE
  CHECK(read(bytes) == table);
  table.dropped.push_back({.name = "l", .type = {.kind = Kind::list, .arguments = {{.kind = Kind::int_}}}});
  table.compact_storage = true;
  CHECK(read(encode(table)) == table);
}

TEST_CASE("ALTER KEYSPACE keeps the replication that it does not name") {
  for (const Mode mode : {Mode::lenient, Mode::strict}) {
    Session session(mode);
    const std::string select = "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = 'ks'";
    const std::string before = session.one(select);
    session.ok("ALTER KEYSPACE ks WITH durable_writes = true");
    CHECK(session.one(select) == before);
    CHECK(session.one("ALTER KEYSPACE ks WITH replication = {'replication_factor': '3'}") ==
          "2300: Missing mandatory replication strategy class");
  }
}

TEST_CASE("native types may be named by their classes") {
  Session session;
  session.ok(
      "CREATE TABLE t (p 'org.apache.cassandra.db.marshal.Int32Type' PRIMARY KEY, a 'UTF8Type', b "
      "'LongType', "
      "c list<'TimeUUIDType'>, d 'SimpleDateType')");
  CHECK(
      session.run("SELECT type FROM system_schema.columns WHERE keyspace_name = 'ks' AND table_name = 't'") ==
      Rows{"text", "bigint", "list<timeuuid>", "date", "int"});
  CHECK(session.one("CREATE TABLE u (p 'a.Int32Type' PRIMARY KEY)") ==
        "2300: Unable to find abstract-type class 'a.Int32Type'");
}

TEST_CASE("a keyspace of several regions is created whole or gets them one by one, and has timestamps") {
  Session session(Mode::strict);
  const std::string regions =
      " WITH replication = {'class': 'NetworkTopologyStrategy', 'us-east-1': '3', 'eu-west-1': '3'";
  session.ok("CREATE KEYSPACE k" + regions + "}");
  session.ok("CREATE TABLE k.t (p int PRIMARY KEY, v int)");
  session.ok("INSERT INTO k.t (p, v) VALUES (1, 1)");
  session.ok("SELECT writetime(v) FROM k.t");
  CHECK(session.one(
            "ALTER TABLE k.t WITH custom_properties = {'client_side_timestamps': {'status': 'disabled'}}") ==
        "2200: 'client_side_timestamps' cannot be disabled once enabled.");
  CHECK(session.one("ALTER KEYSPACE k" + regions + "}") ==
        "2300: ALTER KEYSPACE adds one region to those that the keyspace has");
  session.ok("ALTER KEYSPACE k" + regions + ", 'ap-south-1': '3'}");
  session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  CHECK(session.one("SELECT writetime(v) FROM t") == "2200: writetime is not yet supported.");
  session.ok("ALTER KEYSPACE ks" + regions + "} AND client_side_timestamps = {'status': 'ENABLED'}");
  session.ok("SELECT writetime(v) FROM t");
}

TEST_CASE("tags are of keyspaces and tables, and have letters, digits and few signs") {
  Session session;
  session.ok("CREATE KEYSPACE k" + single_region + " AND TAGS = {'a': '1', 'b': '2'}");
  session.ok("CREATE TABLE k.t (p int PRIMARY KEY) WITH TAGS = {'Key': 'x y+-=._:/'}");
  session.ok("ALTER KEYSPACE k ADD TAGS {'a': '3'}");
  session.ok("ALTER KEYSPACE k DROP TAGS {'b': '2'}");
  const auto tags = [&](const char* resource) {
    return session.one(
        std::string("SELECT resource_type, tags FROM system_schema_mcs.tags WHERE keyspace_name = "
                    "'k' AND resource_name = '") +
        resource + "'");
  };
  CHECK(tags("k") == R"(keyspace | {"a": "3"})");
  CHECK(tags("t") == R"(table | {"Key": "x y+-=._:/"})");
  std::string fifty;
  for (int i = 0; i < 50; ++i) fifty += (i > 0 ? ", '" : "'") + numbered("k", i) + "': 'v'";
  session.ok("ALTER TABLE k.t DROP TAGS {'Key': ''}");
  session.ok("ALTER TABLE k.t ADD TAGS {" + fifty + "}");
  const std::string longest_key(128, 'k');
  const std::string longest_value(256, 'v');
  for (const std::string& wrong :
       {std::string("'one': 'more'"), std::string("'': 'v'"), std::string("'k0': ''"),
        std::string("'aws:k': 'v'"), std::string("'k?': 'v'"), "'" + longest_key + "k': 'v'",
        "'k0': '" + longest_value + "v'"})
    CHECK(session.one("ALTER TABLE k.t ADD TAGS {" + wrong + "}") == "2200: Invalid tags.");
  session.ok("ALTER TABLE k.t ADD TAGS {'k0': '" + longest_value + "'}");
}

TEST_CASE("tables are refused for their columns and their keys") {
  Session session;
  session.ok("CREATE TYPE u (a int)");
  session.ok("CREATE TYPE nested (l list<int>)");
  session.ok("CREATE TABLE t (p int, c int, v int, PRIMARY KEY (p, c))");
  session.refuses({
      {"CREATE TABLE y (p list<int> PRIMARY KEY)",
       "2200: Invalid non-frozen collection type for PRIMARY KEY component p"},
      {"CREATE TABLE y (p u PRIMARY KEY)",
       "2200: Invalid non-frozen user-defined type for PRIMARY KEY component p"},
      {"CREATE TABLE y (p int, c set<int>, PRIMARY KEY (p, c))",
       "2200: Invalid non-frozen collection type for PRIMARY KEY component c"},
      {"CREATE TABLE y (p int, PRIMARY KEY (p, p))", "2200: Unknown definition p referenced in PRIMARY KEY"},
      {"CREATE TABLE y (p int PRIMARY KEY, v nix)", "2200: Unknown type ks.nix"},
      {"CREATE TABLE y (p int PRIMARY KEY, v nested)",
       "2200: Non-frozen UDTs with nested non-frozen collections are not supported"},
      {"CREATE TABLE y (p int PRIMARY KEY, v frozen<int>)", "2200: frozen<> is only allowed on collections"},
      {"CREATE TABLE y (p int PRIMARY KEY, v tuple<counter>)",
       "2200: Counters are not allowed inside tuples"},
      {"CREATE TABLE t (p int PRIMARY KEY)",
       "2400: Cannot add already existing table \"t\" to keyspace \"ks\""},
      {"ALTER TABLE t ADD v text",
       "2200: Invalid column name v because it conflicts with an existing column"},
      {"ALTER TABLE t ADD c text",
       "2200: Invalid column name c because it conflicts with a PRIMARY KEY part"},
      {"ALTER TABLE t ADD n counter", "2200: Cannot mix counter and non counter columns in the same table"},
      {"ALTER TABLE nix ADD v int", "2200: unconfigured table ks.nix"},
      {"ALTER TABLE t ADD v2 int WITH comment = 'x'", "2000: "},
      {"ALTER TABLE t WITH default_time_to_live = -1",
       "2300: default_time_to_live must be greater than or equal to 0 (got -1)"},
      {"ALTER TABLE t WITH default_time_to_live = 630720001",
       "2300: default_time_to_live must be less than or equal to 630720000 (got 630720001)"},
      {"ALTER TABLE t WITH speculative_retry = '101PERCENTILE'",
       "2300: Invalid value 101PERCENTILE for option 'speculative_retry'"},
      {"ALTER TABLE t WITH speculative_retry = 'often'",
       "2300: Invalid value often for option 'speculative_retry'"},
      {"ALTER TABLE t RENAME v TO w", "2200: Cannot rename non PRIMARY KEY part v"},
      {"ALTER TABLE t RENAME c TO v",
       "2200: Cannot rename column c to v in keyspace ks; another column of that name"},
  });
  session.ok("CREATE TABLE IF NOT EXISTS t (p int PRIMARY KEY)");
  session.ok("ALTER TABLE t ADD (s int static, m map<text, int>)");
  session.ok("ALTER TABLE t RENAME c TO d");
  session.ok("INSERT INTO t (p, d, s, m) VALUES (1, 2, 3, {'a': 1})");
  session.ok("ALTER TABLE t DROP (v, m)");
  CHECK(session.one("SELECT * FROM t") == "1 | 2 | 3");
  CHECK(session.columns("SELECT * FROM t") == Rows{"p", "d", "s"});
  session.ok("CREATE TABLE frozen_keys (p frozen<list<int>>, c frozen<u>, PRIMARY KEY (p, c))");
}

TEST_CASE("Cassandra's options are taken, and what the service shows stays") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY) WITH bloom_filter_fp_chance = 0.5 AND caching = {'keys': 'NONE'} "
      "AND "
      "compaction = {'class': 'LeveledCompactionStrategy'} AND compression = {'enabled': false} AND "
      "crc_check_chance = "
      "0.1 AND dclocal_read_repair_chance = 0.2 AND gc_grace_seconds = 1 AND max_index_interval = 5 AND "
      "memtable_flush_period_in_ms = 7 AND min_index_interval = 4 AND read_repair_chance = 1.0 AND "
      "speculative_retry = "
      "'50ms' AND comment = 'mine' AND default_time_to_live = 60");
  CHECK(property(session, "bloom_filter_fp_chance, crc_check_chance, gc_grace_seconds, min_index_interval") ==
        "0.01 | 1.0 | 7776000 | 128");
  CHECK(
      property(session, "compaction, compression") ==
      R"({"class": "com.amazonaws.cassandra.DefaultCompaction"} | {"class": "com.amazonaws.cassandra.DefaultCompression"})");
  CHECK(property(session, "speculative_retry, comment, default_time_to_live") == "99PERCENTILE | mine | 60");
  CHECK(property(session, "custom_properties").find(R"("ttl": {"status": "enabled"})") != std::string::npos);
  Session strict(Mode::strict);
  strict.ok("CREATE TABLE t (p int PRIMARY KEY) WITH speculative_retry = 'often'");
}

TEST_CASE("custom properties have their values alone") {
  Session session;
  const auto wrong = [&](const std::string& name, const std::string& value) {
    INFO(name << " " << value);
    CHECK(session.one("CREATE TABLE y (p int PRIMARY KEY) WITH custom_properties = {'" + name +
                      "': " + value + "}") == "2200: Invalid value for custom property '" + name + "'.");
  };
  for (const char* name : {"client_side_timestamps", "ttl", "point_in_time_recovery"}) {
    wrong(name, "{'status': 'maybe'}");
    wrong(name, "'enabled'");
    wrong(name, "{'status': 'enabled', 'more': 'x'}");
  }
  wrong("capacity_mode", "{'throughput_mode': 'OTHER'}");
  wrong("capacity_mode", "{'read_capacity_units': 1}");
  wrong("capacity_mode", "{'throughput_mode': 'PAY_PER_REQUEST', 'read_capacity_units': 1}");
  wrong("capacity_mode",
        "{'throughput_mode': 'PROVISIONED', 'read_capacity_units': 0, 'write_capacity_units': 1}");
  wrong("capacity_mode", "{'throughput_mode': 'PAY_PER_REQUEST', 'color': 'red'}");
  wrong("encryption_specification", "{'encryption_type': 'OTHER'}");
  wrong("encryption_specification", "{'encryption_type': 'CUSTOMER_MANAGED_KMS_KEY'}");
  wrong("encryption_specification", "{'encryption_type': 'AWS_OWNED_KMS_KEY', 'kms_key_identifier': 'x'}");
  wrong("cdc_specification", "{'view_type': 'ALL'}");
  wrong("replica_updates", "{'nowhere': {'read_capacity_units': 1}}");
  wrong("warm_throughput", "{'read_units_per_second': 1}");
  session.refuses({
      {"CREATE TABLE y (p int PRIMARY KEY) WITH custom_properties = {'capacity_mode': {'throughput_mode': "
       "'PROVISIONED'}}",
       "2200: 'PROVISIONED' throughput mode requires 'read_capacity_units' and 'write_capacity_units' to be "
       "set using "
       "'capacity_mode' option"},
      {"CREATE TABLE y (p int PRIMARY KEY) WITH custom_properties = {'color': {'status': 'enabled'}}",
       "2200: Unknown custom property 'color'."},
  });
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY) WITH CUSTOM_PROPERTIES = {'client_side_timestamps': {'status': "
      "'ENABLED'}, "
      "'ttl': {'status': 'enabled'}, 'point_in_time_recovery': {'status': 'enabled'}, 'capacity_mode': "
      "{'throughput_mode': 'PROVISIONED', 'read_capacity_units': 5, 'write_capacity_units': 6}, "
      "'encryption_specification': {'encryption_type': 'AWS_OWNED_KMS_KEY'}, 'replica_updates': "
      "{'eu-west-1': "
      "{'read_capacity_units': 7}}}");
  CHECK(
      property(session, "custom_properties") ==
      R"({"capacity_mode": {"read_capacity_units": "5", "throughput_mode": "PROVISIONED", "write_capacity_units": "6"}, )"
      R"("client_side_timestamps": {"status": "enabled"}, "encryption_specification": {"encryption_type": )"
      R"("AWS_OWNED_KMS_KEY"}, "point_in_time_recovery": {"status": "enabled"}, "ttl": {"status": "enabled"}})");
  session.advance(1s);
  session.ok(
      "ALTER TABLE t WITH custom_properties = {'capacity_mode': {'throughput_mode': 'PAY_PER_REQUEST'}}");
  CHECK(property(session, "custom_properties")
            .starts_with(
                R"({"capacity_mode": {"last_update_to_pay_per_request_timestamp": "1795220212000", )"));
  session.ok("ALTER TABLE t WITH custom_properties = {'point_in_time_recovery': {'status': 'disabled'}}");
  session.ok("ALTER TABLE t WITH default_time_to_live = 0");
  CHECK(property(session, "custom_properties").find("\"ttl\"") != std::string::npos);
}

TEST_CASE("the view of a stream stays as it is while the stream lives") {
  Session session;
  session.ok(
      "CREATE TABLE t (p int PRIMARY KEY) WITH cdc = true AND custom_properties = {'cdc_specification': "
      "{'view_type': 'NEW_IMAGE'}}");
  CHECK(session.one(
            "ALTER TABLE t WITH custom_properties = {'cdc_specification': {'view_type': 'OLD_IMAGE'}}") ==
        "2200: Invalid value for custom property 'cdc_specification'.");
  CHECK(property(session, "cdc, cdc_specification") ==
        R"(true | {"status": "ENABLED", "view_type": "NEW_IMAGE"})");
  CHECK(property(session, "latest_stream_arn") ==
        "arn:aws:cassandra:us-east-1:000000000000:/keyspace/ks/table/t/stream/2026-11-21T00:16:51.000");
  CHECK(property(session, "custom_properties").find(R"("cdc_specification": {"latest_stream_arn": "arn:)") !=
        std::string::npos);
  session.ok("ALTER TABLE t WITH cdc = false");
  CHECK(property(session, "cdc, cdc_specification") == "false | null");
  session.ok("CREATE TABLE usual (p int PRIMARY KEY) WITH cdc = true");
  CHECK(session.one("SELECT cdc_specification FROM system_schema_mcs.tables WHERE keyspace_name = 'ks' AND "
                    "table_name = 'usual'") == R"({"status": "ENABLED", "view_type": "NEW_AND_OLD_IMAGES"})");
}

TEST_CASE("statements that the service does not have are refused by their class") {
  for (const Mode mode : {Mode::strict, Mode::lenient}) {
    Session session(mode);
    session.ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
    session.refuses({
        {"CREATE INDEX ON t (v)", of_classes + "CreateIndexStatement"},
        {"CREATE CUSTOM INDEX i ON t (v) USING 'x'", of_classes + "CreateIndexStatement"},
        {"DROP INDEX i", of_classes + "DropIndexStatement"},
        {"CREATE MATERIALIZED VIEW m AS SELECT * FROM t", of_classes + "CreateViewStatement"},
        {"ALTER MATERIALIZED VIEW m WITH comment = 'x'", of_classes + "AlterViewStatement"},
        {"DROP MATERIALIZED VIEW m", of_classes + "DropViewStatement"},
        {"CREATE TRIGGER g ON t USING 'x'", of_classes + "CreateTriggerStatement"},
        {"DROP TRIGGER g ON t", of_classes + "DropTriggerStatement"},
        {"CREATE OR REPLACE FUNCTION f (a int) RETURNS NULL", of_classes + "CreateFunctionStatement"},
        {"DROP FUNCTION f", of_classes + "DropFunctionStatement"},
        {"CREATE AGGREGATE a (int) SFUNC f STYPE int", of_classes + "CreateAggregateStatement"},
        {"DROP AGGREGATE a", of_classes + "DropAggregateStatement"},
        {"CREATE ROLE r", of_classes + "CreateRoleStatement"},
        {"ALTER USER r WITH PASSWORD 'x'", of_classes + "AlterRoleStatement"},
        {"DROP ROLE r", of_classes + "DropRoleStatement"},
        {"GRANT SELECT ON t TO r", of_classes + "GrantPermissionsStatement"},
        {"REVOKE SELECT ON t FROM r", of_classes + "RevokePermissionsStatement"},
        {"GRANT r TO s", of_classes + "GrantRoleStatement"},
        {"REVOKE r FROM s", of_classes + "RevokeRoleStatement"},
        {"LIST ROLES", of_classes + "ListRolesStatement"},
        {"LIST USERS", of_classes + "ListUsersStatement"},
        {"LIST ALL PERMISSIONS", of_classes + "ListPermissionsStatement"},
        {"DESCRIBE TABLE t", "2000: line 1:0 no viable alternative at input 'DESCRIBE'"},
    });
    if (mode == Mode::strict) {
      session.refuses({{"TRUNCATE t", of_classes + "TruncateStatement"},
                       {"ALTER TYPE u ADD a int", of_classes + "AlterTypeStatement"},
                       {"CREATE TABLE y (p int PRIMARY KEY) WITH COMPACT STORAGE",
                        "2200: COMPACT STORAGE is not supported"}});
    } else {
      session.ok("INSERT INTO t (p) VALUES (1)");
      session.ok("TRUNCATE TABLE t");
      CHECK(session.run("SELECT * FROM t").empty());
      session.ok("CREATE TABLE y (p int PRIMARY KEY) WITH COMPACT STORAGE");
    }
  }
}

TEST_CASE("the service has so many keyspaces, tables and types") {
  Session session(Mode::strict);
  for (int i = 1; i < 256; ++i) session.ok("CREATE KEYSPACE " + numbered("k", i) + single_region);
  CHECK(session.one("CREATE KEYSPACE more" + single_region) ==
        "2200: Maximum number of keyspaces (256) exceeded.");
  for (int i = 0; i < 256; ++i) {
    session.ok("CREATE TABLE " + numbered("t", i) + " (p int PRIMARY KEY)");
    session.ok("CREATE TYPE " + numbered("u", i) + " (a int)");
  }
  CHECK(session.one("CREATE TABLE k1.more (p int PRIMARY KEY)") ==
        "2200: Maximum number of tables (256) exceeded.");
  CHECK(session.one("CREATE TYPE k1.more (a int)") == "2200: Maximum number of types (256) exceeded.");
  Session lenient;
  for (int i = 0; i < 257; ++i) lenient.ok("CREATE TYPE " + numbered("u", i) + " (a int)");
}

TEST_CASE("types nest eight deep, and have ten children and ten parents") {
  Session session(Mode::strict);
  session.ok("CREATE TYPE n0 (a int)");
  for (int i = 1; i <= 8; ++i)
    session.ok("CREATE TYPE " + numbered("n", i) + " (a frozen<" + numbered("n", i - 1) + ">)");
  CHECK(session.one("CREATE TYPE n9 (a frozen<n8>)") ==
        "2200: Nesting of frozen types exceeds the maximum of 8.");
  std::string children;
  for (int i = 0; i < 11; ++i) {
    session.ok("CREATE TYPE " + numbered("c", i) + " (a int)");
    children += (i > 0 ? ", " : "") + numbered("f", i) + " frozen<" + numbered("c", i) + ">";
  }
  CHECK(session.one("CREATE TYPE y (" + children + ")") ==
        "2200: Maximum number of child types (10) exceeded.");
  for (int i = 0; i < 10; ++i) session.ok("CREATE TYPE " + numbered("p", i) + " (a frozen<c0>)");
  CHECK(session.one("CREATE TYPE y (a frozen<c0>)") == "2200: Maximum number of parent types (10) exceeded.");
  CHECK(session.one("DROP TYPE c0") ==
        "2200: Cannot drop user type ks.c0 as it is still used by user type p0");
  session.refuses({{"DROP TYPE nix", "2200: No user type named ks.nix exists."}});
  session.ok("DROP TYPE IF EXISTS nix");
  session.ok("CREATE TYPE IF NOT EXISTS c0 (a text)");
}

TEST_CASE("a table of the service has fifty user types and a schema of 350 KB at most") {
  Session session(Mode::strict);
  std::string columns;
  for (int i = 0; i < 51; ++i) {
    session.ok("CREATE TYPE " + numbered("u", i) + " (a int)");
    columns += ", " + numbered("c", i) + " frozen<" + numbered("u", i) + ">";
  }
  CHECK(session.one("CREATE TABLE y (p int PRIMARY KEY" + columns + ")") ==
        "2200: Maximum number of types of a table (50) exceeded.");
  std::string long_names;
  for (int i = 0; i < 400; ++i)
    long_names += ", " + numbered("c", 1000 + i) + std::string(1'000, 'x') + " int";
  CHECK(session.one("CREATE TABLE y (p int PRIMARY KEY" + long_names + ")") ==
        "2200: Maximum size of a table's schema (358400 bytes) exceeded.");
  const std::string units =
      "(p int PRIMARY KEY) WITH custom_properties = {'capacity_mode': {'throughput_mode': "
      "'PROVISIONED', 'write_capacity_units': 1, 'read_capacity_units': ";
  session.ok("CREATE TABLE most " + units + "40000}}");
  CHECK(session.one("CREATE TABLE more " + units + "40001}}") ==
        "2200: Maximum number of capacity units of a table (40000) exceeded.");
}

TEST_CASE("fifty definitions are under way at once") {
  Session session(Mode::strict);
  session.delay_states(60s);
  for (int i = 0; i < 50; ++i) session.ok("CREATE TABLE " + numbered("t", i) + " (p int PRIMARY KEY)");
  CHECK(session.one("CREATE TABLE more (p int PRIMARY KEY)") ==
        "2200: Maximum number of DDL operations at once (50) exceeded.");
  session.advance(60s);
  session.ok("CREATE TABLE more (p int PRIMARY KEY)");
}

TEST_CASE("a definition needs a keyspace, and no properties are none") {
  Session session;
  session.ok("CREATE TABLE t (p int PRIMARY KEY)");
  const auto define = [&](std::string_view statement) {
    const auto parsed = grammar::parse(statement);
    REQUIRE(parsed);
    const auto changed = recovery::execute_definition(session.place(), "", *parsed);
    return changed ? "" : test::text_of(changed.error());
  };
  CHECK(define("CREATE TYPE u (a int)") ==
        "2200: You need to be logged in a keyspace or use a fully qualified user type name");
  CHECK(define("CREATE TABLE t (p int PRIMARY KEY)") ==
        "2200: No keyspace has been specified. USE a keyspace, or explicitly specify keyspace.tablename");
  grammar::Statement nothing{
      grammar::AlterTable{.table = {.keyspace = "ks", .name = "t"}, .change = grammar::TableProperties{}}};
  const auto changed = recovery::execute_definition(session.place(), "", nothing);
  REQUIRE_FALSE(changed);
  CHECK(changed.error().message == "ALTER TABLE WITH invoked, but no parameters found");
}

}  // namespace dinette::cql::definitions_test
