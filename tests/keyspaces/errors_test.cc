// Each error of each operation (docs/service-keyspaces/control-plane.md sections 1 to 5;
// docs/service-keyspaces/ddl.md section 8; docs/service-keyspaces/limits.md).
#include <chrono>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "keyspaces/fixture.h"

namespace test::keyspaces::errors_test {
namespace {

using namespace std::chrono_literals;

const std::string account = "arn:aws:cassandra:us-east-1:000000000000:/keyspace/";
const Json of_t = {{"keyspaceName", "ks"}, {"tableName", "t"}};
const Json schema = {{"allColumns", {{{"name", "p"}, {"type", "int"}}}},
                     {"partitionKeys", {{{"name", "p"}}}}};
const Json fields = {{{"name", "a"}, {"type", "int"}}};
const Json tags = {{{"key", "a"}, {"value", "b"}}};

Json with(Json base, const Json& more) {
  base.update(more);
  return base;
}

/// The message of a constraint of the model that one member breaks.
std::string broken(const std::string& what) {
  return "ValidationException: 1 validation error detected: " + what;
}

std::string stream_of(Keyspaces& k) {
  return k.ok("GetTable", of_t).at("latestStreamArn");
}

/// Refuses a request for its validity, and returns what is wrong with it.
std::string code_of(Keyspaces& k, std::string_view operation, const Json& request) {
  const Json error = k.call(operation, request.dump()).json();
  CHECK(error.at("__type") == "ValidationException");
  return error.value("errorCode", "");
}

}  // namespace

TEST_CASE("operations on what is not there name it, with status 400") {
  Keyspaces k;
  k.session().ok(
      "CREATE TABLE there (p int PRIMARY KEY) WITH custom_properties = {'point_in_time_recovery': {'status': "
      "'enabled'}}");
  struct Call {
    std::string operation;
    Json request;
    std::string arn;
  };
  const Json in_none = {{"keyspaceName", "none"}};
  const std::string none = account + "none/";
  const std::string table = account + "ks/table/t";
  const Json restore = {{"sourceKeyspaceName", "ks"},
                        {"sourceTableName", "t"},
                        {"targetKeyspaceName", "ks"},
                        {"targetTableName", "u"}};
  const std::vector<Call> calls = {
      {"GetKeyspace", in_none, none},
      {"DeleteKeyspace", in_none, none},
      {"UpdateKeyspace",
       with(in_none, {{"replicationSpecification", {{"replicationStrategy", "SINGLE_REGION"}}}}), none},
      {"ListTables", in_none, none},
      {"ListTypes", in_none, none},
      {"CreateTable", with(in_none, {{"tableName", "t"}, {"schemaDefinition", schema}}), none},
      {"GetTable", with(in_none, {{"tableName", "t"}}), none},
      {"GetTable", of_t, table},
      {"UpdateTable", with(of_t, {{"defaultTimeToLive", 1}}), table},
      {"DeleteTable", of_t, table},
      {"GetTableAutoScalingSettings", of_t, table},
      {"RestoreTable", restore, table},
      {"RestoreTable", with(restore, {{"sourceTableName", "there"}, {"targetKeyspaceName", "none"}}), none},
      {"CreateType", with(in_none, {{"typeName", "u"}, {"fieldDefinitions", fields}}), none},
      {"GetType", {{"keyspaceName", "ks"}, {"typeName", "u"}}, account + "ks/"},
      {"DeleteType", {{"keyspaceName", "ks"}, {"typeName", "u"}}, account + "ks/"},
      {"TagResource", {{"resourceArn", none}, {"tags", tags}}, none},
      {"UntagResource", {{"resourceArn", table}, {"tags", tags}}, table},
      {"ListTagsForResource", {{"resourceArn", table}}, table},
      {"ListStreams", in_none, none},
      {"ListStreams", of_t, table},
      {"GetStream", {{"streamArn", table + "/stream/x"}}, table + "/stream/x"},
      {"GetShardIterator",
       {{"streamArn", table + "/stream/x"},
        {"shardId", std::string(28, 's')},
        {"shardIteratorType", "LATEST"}},
       table + "/stream/x"},
  };
  for (const Call& call : calls) {
    INFO(call.operation << " " << call.request.dump());
    const Reply reply = k.call(call.operation, call.request.dump());
    CHECK(reply.status == 400);
    CHECK(reply.json().at("__type") == "ResourceNotFoundException");
    if (!call.operation.ends_with("Streams") || call.operation == "ListStreams")
      CHECK(reply.json().value("resourceArn", call.arn) == call.arn);
    CHECK_FALSE(reply.json().at("message").get<std::string>().empty());
  }
}

TEST_CASE("what exists, or is being changed, is in conflict") {
  Keyspaces k({{.state_delay = 1s}});
  k.session().ok("CREATE TYPE u (a int)");
  const auto refused = [&](std::string_view operation, const Json& request, const std::string& message) {
    const Reply reply = k.call(operation, request.dump());
    CHECK(reply.status == 400);
    CHECK(reply.refusal() == "ConflictException: " + message);
  };
  refused("CreateKeyspace", {{"keyspaceName", "ks"}}, "Cannot add existing keyspace \"ks\"");
  refused("CreateType", {{"keyspaceName", "ks"}, {"typeName", "u"}, {"fieldDefinitions", fields}},
          "A user type of name ks.u already exists");
  k.ok("CreateKeyspace", {{"keyspaceName", "k"}});
  const std::string changing = " is being created, updated or deleted.";
  refused("DeleteKeyspace", {{"keyspaceName", "k"}}, "Keyspace k" + changing);
  refused("UpdateKeyspace",
          {{"keyspaceName", "k"}, {"replicationSpecification", {{"replicationStrategy", "SINGLE_REGION"}}}},
          "Keyspace k" + changing);
  k.ok("CreateTable", with(of_t, {{"schemaDefinition", schema}}));
  refused("CreateTable", with(of_t, {{"schemaDefinition", schema}}),
          "Cannot add already existing table \"t\" to keyspace \"ks\"");
  refused("UpdateTable", with(of_t, {{"defaultTimeToLive", 1}}), "Table ks.t" + changing);
  for (const char* operation : {"TagResource", "UntagResource"}) {
    refused(operation, {{"resourceArn", account + "ks/table/t"}, {"tags", tags}}, "Table ks.t" + changing);
    refused(operation, {{"resourceArn", account + "k/"}, {"tags", tags}}, "Keyspace k" + changing);
  }
  refused("DeleteTable", of_t, "Table ks.t" + changing);
}

TEST_CASE("quotas have an error of their own") {
  dinette::keyspaces::ServiceOptions options;
  options.strict = true;
  Keyspaces k(options);
  const std::string exceeded = "ServiceQuotaExceededException: Maximum number of ";
  for (int i = 1; i < 256; ++i) k.ok("CreateKeyspace", {{"keyspaceName", "k" + std::to_string(i)}});
  CHECK(k.refusal("CreateKeyspace", {{"keyspaceName", "more"}}) == exceeded + "keyspaces (256) exceeded.");
  for (int i = 0; i < 256; ++i)
    k.ok("CreateTable", with(of_t, {{"tableName", "t" + std::to_string(i)}, {"schemaDefinition", schema}}));
  CHECK(k.refusal("CreateTable", with(of_t, {{"schemaDefinition", schema}})) ==
        exceeded + "tables (256) exceeded.");
  for (int i = 0; i < 256; ++i)
    k.ok("CreateType",
         {{"keyspaceName", "ks"}, {"typeName", "u" + std::to_string(i)}, {"fieldDefinitions", fields}});
  CHECK(
      k.refusal("CreateType", {{"keyspaceName", "ks"}, {"typeName", "more"}, {"fieldDefinitions", fields}}) ==
      exceeded + "types (256) exceeded.");
}

TEST_CASE("members that break the constraints of the model are named") {
  Keyspaces k;
  const std::string pattern = "Member must satisfy regular expression pattern: [a-zA-Z0-9][a-zA-Z0-9_]{0,47}";
  const std::string failed = "' failed to satisfy constraint: ";
  CHECK(k.refusal("GetKeyspace", Json::object()) ==
        broken("Value null at 'keyspaceName" + failed + "Member must not be null"));
  CHECK(k.refusal("GetKeyspace", {{"keyspaceName", "a-b"}}) ==
        broken("Value 'a-b' at 'keyspaceName" + failed + pattern));
  CHECK(k.refusal("GetKeyspace", {{"keyspaceName", ""}}).find("length greater than or equal to 1") !=
        std::string::npos);
  CHECK(k.refusal("GetTable", {{"keyspaceName", "ks"}, {"tableName", std::string(49, 'a')}})
            .find("length less than or equal to 48") != std::string::npos);
  CHECK(k.refusal("ListKeyspaces", {{"maxResults", 0}}) ==
        broken("Value '0' at 'maxResults" + failed + "Member must have value greater than or equal to 1"));
  CHECK(k.refusal("ListTables", {{"keyspaceName", "ks"}, {"maxResults", 1001}}) ==
        broken("Value '1001' at 'maxResults" + failed + "Member must have value less than or equal to 1000"));
  CHECK(k.refusal("ListTypes", {{"keyspaceName", "ks"}, {"nextToken", ""}})
            .starts_with("ValidationException: 1 validation error"));
  CHECK(k.refusal("CreateKeyspace",
                  {{"keyspaceName", "k"}, {"replicationSpecification", {{"replicationStrategy", "OTHER"}}}})
            .find("Member must satisfy enum value set: [") != std::string::npos);
  CHECK(k.refusal("CreateKeyspace",
                  {{"keyspaceName", "k"},
                   {"replicationSpecification",
                    {{"replicationStrategy", "SINGLE_REGION"}, {"regionList", {"us-west-2"}}}}})
            .starts_with("ValidationException: "));
  CHECK(k.refusal("CreateTable", of_t) ==
        broken("Value null at 'schemaDefinition" + failed + "Member must not be null"));
  const auto create = [&](const Json& more) {
    return k.refusal("CreateTable", with(with(of_t, {{"schemaDefinition", schema}}), more));
  };
  CHECK(create({{"defaultTimeToLive", 630'720'001}}).find("less than or equal to 630720000") !=
        std::string::npos);
  CHECK(create({{"defaultTimeToLive", -1}}).find("greater than or equal to 0") != std::string::npos);
  CHECK(create({{"capacitySpecification",
                 {{"throughputMode", "PROVISIONED"}, {"readCapacityUnits", 0}, {"writeCapacityUnits", 1}}}})
            .find("greater than or equal to 1") != std::string::npos);
  CHECK(create({{"ttl", {{"status", "DISABLED"}}}}).find("enum value set: [ENABLED]") != std::string::npos);
  CHECK(create({{"clientSideTimestamps", {{"status", "DISABLED"}}}}).find("enum value set: [ENABLED]") !=
        std::string::npos);
  CHECK(create({{"pointInTimeRecovery", Json::object()}}).find("'pointInTimeRecovery.status'") !=
        std::string::npos);
  CHECK(create({{"cdcSpecification", {{"status", "ENABLED"}, {"viewType", "ALL"}}}})
            .find("enum value set: [") != std::string::npos);
  CHECK(create({{"warmThroughputSpecification", {{"readUnitsPerSecond", 0}}}})
            .find("greater than or equal to 1") != std::string::npos);
  CHECK(create({{"tags", Json::array()}}).starts_with("ValidationException: "));
  CHECK(create({{"schemaDefinition", {{"allColumns", Json::array()}, {"partitionKeys", {{{"name", "p"}}}}}}})
            .starts_with("ValidationException: "));
  CHECK(k.refusal("CreateType",
                  {{"keyspaceName", "ks"}, {"typeName", "u"}, {"fieldDefinitions", Json::array()}})
            .starts_with("ValidationException: "));
  CHECK(k.refusal("TagResource", {{"resourceArn", "short"}, {"tags", tags}})
            .starts_with("ValidationException: "));
  CHECK(k.refusal("GetRecords", {{"shardIterator", "x"}, {"maxResults", 1001}})
            .find("less than or equal to 1000") != std::string::npos);
  CHECK(k.call("GetTable", "[").status == 400);
}

TEST_CASE("what CQL refuses of a definition is not valid") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int PRIMARY KEY, v int)");
  k.session().ok("CREATE TYPE u (a int)");
  const std::string name = "ValidationException: ";
  const auto create = [&](const Json& definition) {
    return k.refusal("CreateTable",
                     {{"keyspaceName", "ks"}, {"tableName", "y"}, {"schemaDefinition", definition}});
  };
  CHECK(create(with(schema, {{"partitionKeys", {{{"name", "x"}}}}})) ==
        name + "Unknown definition x referenced in PRIMARY KEY");
  CHECK(create(with(schema, {{"staticColumns", {{{"name", "x"}}}}})) ==
        name + "Unknown definition x referenced in staticColumns");
  CHECK(create(with(schema, {{"staticColumns", {{{"name", "p"}}}}})) ==
        name + "Static column p cannot be part of the PRIMARY KEY");
  CHECK(create(with(schema, {{"allColumns", {{{"name", "p"}, {"type", "nix"}}}}})) ==
        name + "Unknown type ks.nix");
  CHECK(create(with(schema, {{"allColumns", {{{"name", "p"}, {"type", "int, q int"}}}}})) ==
        name + "Unknown type int, q int");
  CHECK(create(with(schema, {{"allColumns", {{{"name", "p"}, {"type", "list<int>"}}}}})) ==
        name + "Invalid non-frozen collection type for PRIMARY KEY component p");
  CHECK(k.refusal("UpdateTable", with(of_t, {{"addColumns", {{{"name", "v"}, {"type", "int"}}}}})) ==
        name + "Invalid column name v because it conflicts with an existing column");
  CHECK(k.refusal("UpdateTable", of_t) ==
        name + "UpdateTable changes exactly one setting of a table per request.");
  CHECK(k.refusal("CreateTable",
                  with(of_t, {{"tableName", "y"},
                              {"schemaDefinition", schema},
                              {"encryptionSpecification", {{"type", "CUSTOMER_MANAGED_KMS_KEY"}}}})) ==
        name + "Invalid value for custom property 'encryption_specification'.");
  const Json restore = {{"sourceKeyspaceName", "ks"},
                        {"sourceTableName", "t"},
                        {"targetKeyspaceName", "ks"},
                        {"targetTableName", "r"}};
  CHECK(k.refusal("RestoreTable", restore) == name + "Point-in-time recovery is not enabled for table ks.t.");
  const Json target = {{"targetValue", 95}};
  CHECK(k.refusal(
             "UpdateTable",
             with(of_t, {{"autoScalingSpecification",
                          {{"readCapacityAutoScaling",
                            {{"scalingPolicy", {{"targetTrackingScalingPolicyConfiguration", target}}}}}}}}))
            .starts_with(name));
  for (const char* operation : {"DeleteKeyspace", "GetKeyspace"}) {
    const std::string refusal = k.refusal(operation, {{"keyspaceName", "system"}});
    CHECK(refusal.starts_with(*operation == 'D' ? name + "system keyspace is not user-modifiable." : "200 "));
  }
  CHECK(k.refusal("CreateKeyspace", {{"keyspaceName", "system"}})
            .starts_with("ValidationException: system keyspace"));
  CHECK(k.refusal("CreateTable",
                  {{"keyspaceName", "system"}, {"tableName", "y"}, {"schemaDefinition", schema}}) ==
        name + "system keyspace is not user-modifiable.");
  CHECK(k.refusal("TagResource", {{"resourceArn", account + "ks/table/t/stream/x"}, {"tags", tags}})
            .starts_with(name + "Invalid resource ARN: "));
  CHECK(k.refusal("TagResource", {{"resourceArn", account + "ks/"},
                                  {"tags", {{{"key", "a?"}, {"value", "b"}}}}}) == name + "Invalid tags.");
  CHECK(k.refusal("ListTables", {{"keyspaceName", "ks"}, {"nextToken", "bad"}}) ==
        name + "Invalid nextToken.");
}

TEST_CASE("operations that do not exist, and bodies that are no JSON, are refused as by other services") {
  Keyspaces k;
  CHECK(k.call("RenameTable", "{}").json().at("__type") == "UnknownOperationException");
  CHECK(k.call("GetTable", "{").json().at("__type") == "SerializationException");
  CHECK(k.call("GetTable", R"({"keyspaceName": 5})").json().at("__type") == "SerializationException");
}

TEST_CASE("requests for streams say what is wrong with their format") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int PRIMARY KEY) WITH cdc = true");
  k.session().ok("INSERT INTO t (p) VALUES (1)");
  const std::string stream = stream_of(k);
  const std::string shard = k.ok("GetStream", {{"streamArn", stream}}).at("shards").at(0).at("shardId");
  const std::string format = "InvalidFormat";
  CHECK(code_of(k, "ListStreams", {{"tableName", "t"}}) == format);
  CHECK(code_of(k, "ListStreams", {{"nextToken", std::string(80, 'x')}}) == format);
  CHECK(code_of(k, "GetStream", {{"streamArn", account + "ks/table/t"}}) == format);
  CHECK(code_of(k, "GetStream", {{"streamArn", stream}, {"nextToken", std::string(80, 'x')}}) == format);
  const Json at_shard = {{"streamArn", stream}, {"shardId", shard}};
  const std::string number(30, '0');
  CHECK(code_of(k, "GetShardIterator", with(at_shard, {{"shardIteratorType", "AT_SEQUENCE_NUMBER"}})) ==
        format);
  CHECK(code_of(k, "GetShardIterator",
                with(at_shard, {{"shardIteratorType", "LATEST"}, {"sequenceNumber", number}})) == format);
  CHECK(code_of(k, "GetShardIterator",
                with(at_shard, {{"shardIteratorType", "AFTER_SEQUENCE_NUMBER"},
                                {"sequenceNumber", std::string(30, 'x')}})) == format);
  CHECK(code_of(k, "GetRecords", {{"shardIterator", "x"}}) == format);
  CHECK(k.refusal("GetShardIterator",
                  {{"streamArn", stream}, {"shardId", std::string(28, 's')}, {"shardIteratorType", "LATEST"}})
            .starts_with("ResourceNotFoundException: Shard "));
  const std::string iterator =
      k.ok("GetShardIterator", with(at_shard, {{"shardIteratorType", "TRIM_HORIZON"}})).at("shardIterator");
  std::string other = iterator;
  other[10] = other[10] == 'A' ? 'B' : 'A';
  CHECK(code_of(k, "GetRecords", {{"shardIterator", other}}) == format);
  k.session().ok("DROP TABLE t");
  CHECK(k.refusal("GetRecords", {{"shardIterator", iterator}})
            .starts_with("ResourceNotFoundException: Stream "));
  CHECK(k.refusal("GetStream", {{"streamArn", stream}}).starts_with("ResourceNotFoundException: Stream "));
}

TEST_CASE("a stream has no children of its shard, and streams are listed page by page") {
  Keyspaces k;
  for (const char* table : {"a", "b", "c"})
    k.session().ok("CREATE TABLE " + std::string(table) + " (p int PRIMARY KEY) WITH cdc = true");
  std::vector<std::string> tables;
  Json request = {{"keyspaceName", "ks"}, {"maxResults", 2}};
  for (;;) {
    const Json page = k.ok("ListStreams", request);
    for (const Json& stream : page.at("streams")) tables.push_back(stream.at("tableName"));
    if (!page.contains("nextToken")) break;
    request["nextToken"] = page.at("nextToken");
  }
  CHECK(tables == std::vector<std::string>{"a", "b", "c"});
  const Json first = k.ok("ListStreams", {{"keyspaceName", "ks"}, {"tableName", "a"}}).at("streams").at(0);
  CHECK(first.at("streamLabel") == "2026-11-21T00:16:51.000");
  const Json described = k.ok("GetStream", {{"streamArn", first.at("streamArn")}});
  const Json& shard = described.at("shards").at(0);
  CHECK(shard.at("parentShardIds").empty());
  CHECK_FALSE(shard.at("sequenceNumberRange").contains("endingSequenceNumber"));
  CHECK(k.ok("GetStream", {{"streamArn", first.at("streamArn")},
                           {"shardFilter", {{"type", "CHILD_SHARDS"}, {"shardId", shard.at("shardId")}}}})
            .at("shards")
            .empty());
}

TEST_CASE("scalars in records have the member of their type, as texts except bytes and truth values") {
  Keyspaces k;
  const std::vector<std::pair<std::string, std::string>> samples = {
      {"ascii", "'a'"},    {"bigint", "1"},
      {"boolean", "true"}, {"date", "'2015-05-03'"},
      {"decimal", "1.50"}, {"double", "1.5"},
      {"float", "1.5"},    {"inet", "'::1'"},
      {"int", "1"},        {"smallint", "1"},
      {"text", "'a'"},     {"time", "'01:02:03'"},
      {"timestamp", "0"},  {"timeuuid", "13814000-1dd2-11b2-8080-808080808080"},
      {"tinyint", "1"},    {"uuid", "550e8400-e29b-41d4-a716-446655440000"},
      {"varint", "1"}};
  std::string columns = "(p int PRIMARY KEY";
  std::string names = "p";
  std::string values = "1";
  for (const auto& [type, literal] : samples) {
    columns += ", c_" + type + " " + type;
    names += ", c_" + type;
    values += ", " + literal;
  }
  k.session().ok("CREATE TABLE t " + columns + ") WITH cdc = true");
  k.session().ok("INSERT INTO t (" + names + ") VALUES (" + values + ") USING TTL 100");
  const std::string stream = stream_of(k);
  const std::string shard = k.ok("GetStream", {{"streamArn", stream}}).at("shards").at(0).at("shardId");
  const Json iterator = k.ok(
      "GetShardIterator", {{"streamArn", stream}, {"shardId", shard}, {"shardIteratorType", "TRIM_HORIZON"}});
  const Json record =
      k.ok("GetRecords", {{"shardIterator", iterator.at("shardIterator")}}).at("changeRecords").at(0);
  const Json& cells = record.at("newImage").at("valueCells");
  for (const auto& [type, literal] : samples) {
    INFO(type);
    const Json& value = cells.at("c_" + type).at("value");
    const std::string member = type == "boolean" ? "boolT" : type + "T";
    REQUIRE(value.contains(member));
    CHECK(value.at(member).is_string() == (type != "boolean"));
    CHECK(cells.at("c_" + type).at("metadata").at("expirationTime") == "1795220311");
  }
  CHECK(cells.at("c_decimal").at("value") == Json({{"decimalT", "1.50"}}));
  CHECK(cells.at("c_date").at("value") == Json({{"dateT", "2015-05-03"}}));
  CHECK(record.at("eventVersion") == "1.0");
  CHECK(record.at("createdAt") == 1'795'220'211.0);
}

}  // namespace test::keyspaces::errors_test
