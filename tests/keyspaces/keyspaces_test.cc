#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "keyspaces/fixture.h"

// docs/service-keyspaces/control-plane.md sections 1 to 3; docs/service-keyspaces/ddl.md section 8
namespace test::keyspaces::keyspaces_test {
namespace {

const std::string arn_of_ks = "arn:aws:cassandra:us-east-1:000000000000:/keyspace/ks/";

std::vector<std::string> names(const Json& list, const std::string& member) {
  std::vector<std::string> names;
  for (const Json& one : list) names.push_back(one.at(member));
  return names;
}

}  // namespace

TEST_CASE("a keyspace that the API creates is there for CQL, and one of CQL for the API") {
  Keyspaces k;
  const Json tags = {{{"key", "team"}, {"value", "shop"}}};
  CHECK(k.ok("CreateKeyspace", {{"keyspaceName", "Made"}, {"tags", tags}}).at("resourceArn") ==
        "arn:aws:cassandra:us-east-1:000000000000:/keyspace/Made/");
  CHECK(k.session().one("SELECT durable_writes FROM system_schema.keyspaces WHERE keyspace_name = 'Made'") ==
        "true");
  CHECK(k.ok("GetKeyspace", {{"keyspaceName", "ks"}}).at("replicationStrategy") == "SINGLE_REGION");
  CHECK(k.ok("ListTagsForResource",
             {{"resourceArn", "arn:aws:cassandra:us-east-1:000000000000:/keyspace/Made/"}})
            .at("tags") == tags);
  k.ok("DeleteKeyspace", {{"keyspaceName", "Made"}});
  CHECK(k.refusal("GetKeyspace", {{"keyspaceName", "Made"}}) ==
        "ResourceNotFoundException: Keyspace Made does not exist");
}

TEST_CASE("a resource that does not exist is named by its ARN") {
  Keyspaces k;
  const Json error = k.call("GetTable", R"({"keyspaceName": "ks", "tableName": "none"})").json();
  CHECK(error.at("resourceArn") == arn_of_ks + "table/none");
}

TEST_CASE("ARNs are of the partition that their region belongs to") {
  const std::pair<std::string, std::string> partitions[] = {{"cn-north-1", "aws-cn"},
                                                            {"us-gov-west-1", "aws-us-gov"}};
  for (const auto& [region, partition] : partitions) {
    INFO(region);
    dinette::keyspaces::ServiceOptions options;
    options.auth.default_region = region;
    Keyspaces k(options);
    k.session().ok("CREATE TABLE t (p int PRIMARY KEY) WITH cdc = true");
    const std::string arn = "arn:" + partition + ":cassandra:" + region + ":000000000000:/keyspace/ks/";
    CHECK(k.ok("GetKeyspace", {{"keyspaceName", "ks"}}).at("resourceArn") == arn);
    const Json table = k.ok("GetTable", {{"keyspaceName", "ks"}, {"tableName", "t"}});
    CHECK(table.at("resourceArn") == arn + "table/t");
    const std::string stream = table.at("latestStreamArn");
    CHECK(stream.starts_with(arn + "table/t/stream/"));
    CHECK(k.ok("GetStream", {{"streamArn", stream}}).at("streamArn") == stream);
    CHECK(k.ok("ListTagsForResource", {{"resourceArn", arn}}).at("tags").empty());
    const Json error = k.call("GetTable", R"({"keyspaceName": "ks", "tableName": "none"})").json();
    CHECK(error.at("resourceArn") == arn + "table/none");
  }
}

TEST_CASE("keyspaces are listed with those of the system first, page by page") {
  Keyspaces k;
  std::vector<std::string> all;
  Json request = {{"maxResults", 2}};
  for (;;) {
    const Json page = k.ok("ListKeyspaces", request);
    for (const std::string& name : names(page.at("keyspaces"), "keyspaceName")) all.push_back(name);
    if (!page.contains("nextToken")) break;
    request["nextToken"] = page.at("nextToken");
  }
  CHECK(all == std::vector<std::string>{"system_schema", "system_schema_mcs", "system",
                                        "system_multiregion_info", "ks"});
  CHECK(k.refusal("ListKeyspaces", {{"nextToken", "none"}}) == "ValidationException: Invalid nextToken.");
}

TEST_CASE("a region is added to a keyspace, which turns into one of several regions") {
  Keyspaces k;
  const Json regions = {{"replicationStrategy", "MULTI_REGION"}, {"regionList", {"us-east-1", "eu-west-1"}}};
  k.ok("UpdateKeyspace", {{"keyspaceName", "ks"},
                          {"replicationSpecification", regions},
                          {"clientSideTimestamps", {{"status", "ENABLED"}}}});
  const Json keyspace = k.ok("GetKeyspace", {{"keyspaceName", "ks"}});
  CHECK(keyspace.at("replicationStrategy") == "MULTI_REGION");
  CHECK(names(keyspace.at("replicationGroupStatuses"), "region") ==
        std::vector<std::string>{"eu-west-1", "us-east-1"});
  CHECK(k.refusal("CreateKeyspace",
                  {{"keyspaceName", "other"},
                   {"replicationSpecification", {{"replicationStrategy", "MULTI_REGION"}}}}) ==
        "ValidationException: A keyspace in several regions needs a regionList of two regions at least.");
}

TEST_CASE("tags are added and removed with their values, of keyspaces and tables") {
  Keyspaces k;
  k.session().ok("CREATE TABLE t (p int PRIMARY KEY)");
  for (const std::string& arn : {arn_of_ks, arn_of_ks + "table/t"}) {
    k.ok("TagResource",
         {{"resourceArn", arn}, {"tags", {{{"key", "a"}, {"value", "1"}}, {{"key", "b"}, {"value", "2"}}}}});
    k.ok("UntagResource", {{"resourceArn", arn},
                           {"tags", {{{"key", "a"}, {"value", "other"}}, {{"key", "b"}, {"value", "2"}}}}});
    CHECK(k.ok("ListTagsForResource", {{"resourceArn", arn}}).at("tags") ==
          Json({{{"key", "a"}, {"value", "1"}}}));
  }
  CHECK(k.session().one("SELECT tags FROM system_schema_mcs.tags WHERE keyspace_name = 'ks' AND "
                        "resource_name = 't'") == R"({"a": "1"})");
  CHECK(k.refusal("TagResource",
                  {{"resourceArn", arn_of_ks}, {"tags", {{{"key", "aws:a"}, {"value", "1"}}}}}) ==
        "ValidationException: Invalid tags.");
}

TEST_CASE("a user type is created, described with what uses it, and deleted when nothing does") {
  Keyspaces k;
  const Json fields = {{{"name", "street"}, {"type", "text"}},
                       {{"name", "codes"}, {"type", "frozen<list<int>>"}}};
  k.ok("CreateType", {{"keyspaceName", "ks"}, {"typeName", "address"}, {"fieldDefinitions", fields}});
  k.session().ok("CREATE TABLE people (p int PRIMARY KEY, home frozen<address>)");
  const Json type = k.ok("GetType", {{"keyspaceName", "ks"}, {"typeName", "address"}});
  CHECK(type.at("fieldDefinitions") == fields);
  CHECK(type.at("directReferringTables") == Json({"people"}));
  CHECK(type.at("maxNestingDepth") == 1);
  k.session().ok("CREATE TYPE person (home list<frozen<address>>)");
  k.session().ok("CREATE TABLE houses (p int PRIMARY KEY, owners frozen<list<frozen<person>>>)");
  const Json inner = k.ok("GetType", {{"keyspaceName", "ks"}, {"typeName", "address"}});
  CHECK(inner.at("directReferringTables") == Json({"people"}));
  CHECK(inner.at("directParentTypes") == Json({"person"}));
  k.session().ok("DROP TABLE houses");
  k.session().ok("DROP TYPE person");
  CHECK(k.ok("ListTypes", {{"keyspaceName", "ks"}}).at("types") == Json({"address"}));
  CHECK(k.refusal("DeleteType", {{"keyspaceName", "ks"}, {"typeName", "address"}}) ==
        "ValidationException: Cannot drop user type ks.address as it is still used by table ks.people");
  k.ok("DeleteTable", {{"keyspaceName", "ks"}, {"tableName", "people"}});
  k.ok("DeleteType", {{"keyspaceName", "ks"}, {"typeName", "address"}});
  CHECK(k.refusal("CreateType", {{"keyspaceName", "ks"},
                                 {"typeName", "bad"},
                                 {"fieldDefinitions", {{{"name", "a"}, {"type", "int) WITH x = (y"}}}}}) ==
        "ValidationException: Unknown type int) WITH x = (y");
}

TEST_CASE("the name of a type is that of CQL, in quotes or not") {
  Keyspaces k;
  const Json fields = {{{"name", "a"}, {"type", "int"}}};
  const auto create = [&](const std::string& name) {
    return Json{{"keyspaceName", "ks"}, {"typeName", name}, {"fieldDefinitions", fields}};
  };
  CHECK(k.ok("CreateType", create("MyType")).at("typeName") == "mytype");
  CHECK(k.ok("CreateType", create(R"("My ""Type""")")).at("typeName") == R"(My "Type")");
  CHECK(k.ok("ListTypes", {{"keyspaceName", "ks"}}).at("types") == Json({R"(My "Type")", "mytype"}));
  CHECK(k.ok("GetType", {{"keyspaceName", "ks"}, {"typeName", R"(My "Type")"}}).at("typeName") ==
        R"(My "Type")");
  k.session().ok(R"(CREATE TABLE t (p int PRIMARY KEY, v frozen<"My ""Type""">))");
  const Json table = k.ok("GetTable", {{"keyspaceName", "ks"}, {"tableName", "t"}});
  CHECK(table.at("schemaDefinition").at("allColumns").at(1).at("type") == R"(frozen<"My ""Type""">)");
  CHECK(k.refusal("CreateType", create("MYTYPE")) ==
        "ConflictException: A user type of name ks.mytype already exists");
  for (const char* name : {"1a", "a b", R"("")", R"("a"b")", R"("a)"})
    CHECK(k.refusal("CreateType", create(name)) ==
          "ValidationException: Invalid name of a type: " + std::string(name));
}

TEST_CASE("system keyspaces cannot be changed by the API") {
  Keyspaces k;
  CHECK(k.refusal("DeleteKeyspace", {{"keyspaceName", "system"}}) ==
        "ValidationException: system keyspace is not user-modifiable.");
  CHECK(k.ok("ListTables", {{"keyspaceName", "system_schema"}}).at("tables").size() > 5);
}

}  // namespace test::keyspaces::keyspaces_test
