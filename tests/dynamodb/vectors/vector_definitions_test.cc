#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "dynamodb/vectors/vectors.h"

// docs/service/vector-search.md, "Model" and "CreateTable rejections".
namespace test::vector_definitions_test {
namespace {

void create_refused(const Json& request, const std::string& message) {
  INFO(request.dump());
  DynamoDb db;
  CHECK(db.call("CreateTable", request).refusal() == message);
}

void index_refused(const Json& changes, const std::string& message) {
  create_refused(with_vectors({vector_index("plain", changes)}), message);
}

std::string model_fault(const std::string& rest) {
  return enveloped("Value " + rest);
}

}  // namespace

TEST_CASE("vector indexes: a table is described with them") {
  DynamoDb db;
  const Json index = vector_index("plain", {{"SearchSchema", search_schema("color:INLINE_FILTER pk:HASH")},
                                            {"Projection", including({"title", "pk"})},
                                            {"Dimensions", 6.7}});
  const Json created = db.ok("CreateTable", with_vectors({index}, "color")).at("TableDescription");
  Json expected = with(index, {{"Dimensions", 6},
                               {"IndexStatus", "CREATING"},
                               {"IndexSizeBytes", 0},
                               {"ItemCount", 0},
                               {"IndexArn", created.at("TableArn").get<std::string>() + "/index/plain"}});
  CHECK(created.at("VectorIndexes") == Json::array({expected}));
  db.jobs().run_due();
  expected["IndexStatus"] = "ACTIVE";
  CHECK(describe(db).at("VectorIndexes") == Json::array({expected}));
  DynamoDb other;
  create_with_vectors(other, {vector_index("plain")});
  CHECK_FALSE(describe(other).at("VectorIndexes").at(0).contains("SearchSchema"));
}

TEST_CASE("vector indexes: several may share an attribute, and be equal") {
  DynamoDb db;
  db.ok("CreateTable", with_vectors({vector_index("one"), vector_index("two"),
                                     vector_index("three", {{"DistanceFunction", "DOT_PRODUCT"}})}));
  CHECK(describe(db).at("VectorIndexes").size() == 3);
  DynamoDb().ok("CreateTable",
                with_vectors({vector_index("one"),
                              vector_index("two", {{"VectorAttribute", {{"AttributeName", "image"}}},
                                                   {"Dimensions", 4}})}));
}

TEST_CASE("vector indexes: an attribute may have any name") {
  DynamoDb db;
  const std::string name = std::string("a \"\0b", 5);
  db.ok("CreateTable",
        with_vectors({vector_index("plain", {{"VectorAttribute", {{"AttributeName", name}}}})}));
  db.put("Music", {{"pk", {{"S", "a"}}}, {name, vector_of({"1", "2", "3"})}});
  CHECK(found_keys(db.ok("SearchVectors", search_request("plain", {"1", "2", "3"}))) ==
        std::vector<std::string>{"a"});
}

TEST_CASE("vector indexes: only of on-demand tables") {
  create_refused(with(provisioned(), {{"VectorIndexes", Json::array({vector_index("plain")})}}),
                 invalid("Vector indexes are only supported for PAY_PER_REQUEST tables"));
}

TEST_CASE("vector indexes: numbers of indexes and dimensions") {
  create_refused(with_vectors({}), invalid("List of VectorIndexes is empty"));
  std::vector<Json> six;
  for (const char* name : {"ix1", "ix2", "ix3", "ix4", "ix5", "ix6"}) six.push_back(vector_index(name));
  create_refused(with_vectors(six), invalid("VectorIndex count exceeds the per-table limit of 5"));
  for (const std::int64_t dimensions : {std::int64_t{4097}, std::int64_t{1} << 40}) {
    index_refused({{"Dimensions", dimensions}},
                  invalid("Number of dimensions must be between 1 and 4096 inclusive."));
  }
  DynamoDb().ok("CreateTable", with_vectors({vector_index("most", {{"Dimensions", 4096}})}));
  DynamoDb().ok("CreateTable", with_vectors({vector_index("least", {{"Dimensions", 1}})}));
  const std::string least =
      " at 'vectorIndexes.1.member.dimensions' failed to satisfy constraint: Member must "
      "have value greater than or equal to 1";
  index_refused({{"Dimensions", 0}}, model_fault("'0'" + least));
  index_refused({{"Dimensions", -3.5}}, model_fault("'-3'" + least));
  CHECK(
      DynamoDb().call("CreateTable", with_vectors({vector_index("plain", {{"Dimensions", "3"}})})).error() ==
      "SerializationException");
}

TEST_CASE("vector indexes: what the model refuses") {
  const std::string first = " at 'vectorIndexes.1.member.";
  const std::string fault = "' failed to satisfy constraint: ";
  index_refused({{"IndexName", "vx"}}, model_fault("'vx'" + first + "indexName" + fault +
                                                   "Member must have length greater than or equal to 3"));
  for (const std::string member :
       {"IndexName", "VectorAttribute", "Projection", "Dimensions", "DistanceFunction"}) {
    std::string path = member;
    path.front() = static_cast<char>(path.front() + ('a' - 'A'));
    index_refused({{member, nullptr}},
                  model_fault("null" + first + path + fault + "Member must not be null"));
  }
  create_refused(
      with_vectors({vector_index("plain"), vector_index("other", {{"Projection", nullptr}})}),
      model_fault("null at 'vectorIndexes.2.member.projection" + fault + "Member must not be null"));
  index_refused({{"DistanceFunction", "MANHATTAN"}},
                model_fault("'MANHATTAN'" + first + "distanceFunction" + fault +
                            "Member must satisfy enum value set: [DOT_PRODUCT, COSINE, EUCLIDEAN]"));
  create_refused(
      with_vectors({vector_index("plain", {{"SearchSchema", search_schema("color:HASH pk:FILTER")}})},
                   "color"),
      model_fault("'FILTER'" + first + "searchSchema.2.member.searchSchemaElementType" + fault +
                  "Member must satisfy enum value set: [HASH, INLINE_FILTER]"));
  const auto names = [](const Json& changes, const std::string& word) {
    INFO(changes.dump());
    DynamoDb db;
    const Reply reply = db.call("CreateTable", with_vectors({vector_index("plain", changes)}));
    CHECK(reply.error() == "ValidationException");
    CHECK(reply.message().find(word) != std::string::npos);
  };
  names({{"IndexName", std::string(256, 'a')}}, "indexName");
  names({{"IndexName", "not/good"}}, "indexName");
  names({{"VectorAttribute", {{"AttributeName", ""}}}}, "attributeName");
  names({{"VectorAttribute", {{"AttributeName", std::string(65'536, 'a')}}}}, "attributeName");
  names({{"VectorAttribute", {{"AttributeName", std::string(256, 'a')}}}}, "attributeName");
  names({{"Projection", {{"ProjectionType", "SOME"}}}}, "projectionType");
  names({{"Projection", {{"ProjectionType", "all"}}}}, "projectionType");
  names({{"DistanceFunction", "cosine"}}, "distanceFunction");
  names({{"SearchSchema", search_schema("pk:hash")}}, "searchSchemaElementType");
  names({{"Projection", {{"ProjectionType", nullptr}}}}, "Projection");
  names({{"SearchSchema", Json::array()}}, "searchSchema");
  names({{"Projection", including({})}}, "nonKeyAttributes");
  names({{"Projection", including({""})}}, "nonKeyAttributes");
  DynamoDb().ok("CreateTable",
                with_vectors({vector_index(
                    "plain", {{"VectorAttribute", {{"AttributeName", std::string(255, 'a')}}}})}));
}

TEST_CASE("vector indexes: projections") {
  index_refused({{"Projection", {{"ProjectionType", "INCLUDE"}}}},
                invalid("ProjectionType is INCLUDE, but NonKeyAttributes is not specified"));
  index_refused({{"Projection", {{"ProjectionType", "ALL"}, {"NonKeyAttributes", {"a"}}}}},
                invalid("ProjectionType is ALL, but NonKeyAttributes is specified"));
  index_refused({{"Projection", {{"ProjectionType", "KEYS_ONLY"}, {"NonKeyAttributes", {"a"}}}}},
                invalid("ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified"));
  index_refused({{"Projection", {{"ProjectionType", nullptr}, {"NonKeyAttributes", {"a"}}}}},
                invalid("Unknown ProjectionType: null"));
  index_refused({{"Projection", including({"a", "a"})}}, invalid("Duplicate element in NonKeyAttributes: a"));
  Json names = Json::array();
  for (int i = 0; i < 20; ++i) names.push_back("a" + std::to_string(i));
  index_refused({{"Projection", {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", names}}}},
                invalid("Number of projected attributes for index plain exceeds the limit of 19"));
  names.erase(names.begin());
  DynamoDb().ok(
      "CreateTable",
      with_vectors({vector_index(
          "plain", {{"Projection", {{"ProjectionType", "INCLUDE"}, {"NonKeyAttributes", names}}}})}));
}

TEST_CASE("vector indexes: search schemas") {
  const auto refused = [](std::string_view schema, std::string_view others, const std::string& message) {
    create_refused(with_vectors({vector_index("plain", {{"SearchSchema", search_schema(schema)}})}, others),
                   invalid(message));
  };
  refused("color:HASH", "", "One element in SearchSchema is not defined in attribute definitions");
  refused(
      "a:HASH b:HASH", "a b",
      "Value '2' at 'SearchSchema' failed to satisfy constraint: Member must have HASH count less than or "
      "equal to 1");
  for (const std::string twice : {"a:HASH a:INLINE_FILTER", "a:INLINE_FILTER a:INLINE_FILTER"})
    refused(twice, "a", "SearchSchema contains a duplicate AttributeName");
  std::string schema;
  std::string others;
  for (int i = 0; i < 19; ++i) {
    schema += "f" + std::to_string(i) + ":INLINE_FILTER ";
    others += "f" + std::to_string(i) + " ";
  }
  refused(
      schema, others,
      "Value '19' at 'SearchSchema' failed to satisfy constraint: Member must have INLINE_FILTER count less "
      "than or equal to 18");
  schema.replace(schema.rfind("INLINE_FILTER"), std::string::npos, "HASH");  // as many as there may be
  DynamoDb().ok("CreateTable",
                with_vectors({vector_index("plain", {{"SearchSchema", search_schema(schema)}})}, others));
  DynamoDb().ok(
      "CreateTable",
      with_vectors({vector_index("plain", {{"SearchSchema", search_schema("n:INLINE_FILTER b:HASH")}})},
                   "n:N b:B"));
  CHECK(DynamoDb()
            .call("CreateTable",
                  with_vectors({vector_index("plain", {{"SearchSchema", search_schema("l:HASH")}})}, "l:L"))
            .refusal()
            .starts_with(enveloped("Value 'L' at 'attributeDefinitions.2.member.attributeType' failed")));
  Json nameless = with_vectors({vector_index("plain", {{"SearchSchema", search_schema(":HASH")}})});
  nameless["AttributeDefinitions"].push_back(attribute("", "S"));
  create_refused(nameless,
                 model_fault("'' at 'attributeDefinitions.2.member.attributeName' failed to satisfy "
                             "constraint: Member must have length greater than or equal to 1"));
}

TEST_CASE("vector indexes: a search schema may have keys of the table and of other indexes") {
  for (const std::string schema : {"pk:HASH g:INLINE_FILTER", "g:HASH pk:INLINE_FILTER"}) {
    DynamoDb db;
    const Json index = vector_index("plain", {{"SearchSchema", search_schema(schema)}});
    db.ok("CreateTable", with(table_request("Music", "pk", "g", {global_index("byG", "g")}),
                              {{"VectorIndexes", Json::array({index})}}));
    db.jobs().run_due();
    db.put("Music", item_with("a", {"1", "2", "3"}, {{"g", {{"S", "x"}}}}));
    db.put("Music", item_with("b", {"1", "2", "3"}, {{"g", {{"S", "x"}}}}));
    const Json search =
        search_request("plain", {"1", "2", "3"},
                       {{"SearchConditionExpression", "pk = :a AND g = :x"},
                        {"ExpressionAttributeValues", {{":a", {{"S", "a"}}}, {":x", {{"S", "x"}}}}}});
    CHECK(found_keys(db.ok("SearchVectors", search)) == std::vector<std::string>{"a"});
  }
}

TEST_CASE("vector indexes: an attribute is no key, and has one number of dimensions") {
  const std::string conflicting = "Conflicting attribute definition for ";
  const std::string not_defined =
      "An attribute cannot be defined in AttributeDefinitions when used as a VectorAttribute.";
  create_refused(with_vectors({vector_index("plain")}, "embedding"),
                 invalid(conflicting + "'embedding'. " + not_defined));
  index_refused({{"VectorAttribute", {{"AttributeName", "pk"}}}},
                invalid(conflicting + "'pk'. " + not_defined));
  create_refused(
      with(table_request("Music", "pk", "g", {global_index("byG", "g")}),
           {{"VectorIndexes",
             Json::array({vector_index("plain", {{"VectorAttribute", {{"AttributeName", "g"}}}})})}}),
      invalid(conflicting + "'g'. " + not_defined));
  create_refused(
      with_vectors({vector_index("one"), vector_index("two", {{"Dimensions", 4}})}),
      invalid(conflicting + "'embedding'. All VectorIndexes on the same vector attribute must use the same "
                            "dimensions."));
}

TEST_CASE("vector indexes: names are those of all indexes of a table, attributes are all used") {
  create_refused(with_vectors({vector_index("vix"), vector_index("vix")}),
                 invalid("Duplicate index name: vix"));
  create_refused(with(table_request("Music", "pk", "g", {global_index("vix", "g")}),
                      {{"VectorIndexes", Json::array({vector_index("vix")})}}),
                 invalid("Duplicate index name: vix"));
  create_refused(with(table_request("Music", "pk sk", "b", {local_index("vix", "b")}),
                      {{"VectorIndexes", Json::array({vector_index("vix")})}}),
                 invalid("Duplicate index name: vix"));
  create_refused(
      with_vectors({vector_index("vix")}, "other"),
      invalid("Some AttributeDefinitions are not used. AttributeDefinitions: [other, pk], keys used: "
              "[pk]"));
}

TEST_CASE("vector indexes: backups record them, and restores build them") {
  DynamoDb db;
  const Json index = vector_index("plain", {{"SearchSchema", search_schema("color:INLINE_FILTER")}});
  create_with_vectors(db, {index, vector_index("other")}, "color");
  db.put("Music", item_with("a", {"1", "2", "3"}, {{"color", {{"S", "red"}}}}));
  const Json backup =
      db.ok("CreateBackup", {{"TableName", "Music"}, {"BackupName", "first"}}).at("BackupDetails");
  db.jobs().run_due();
  const std::string arn = backup.at("BackupArn");
  const Json described = db.ok("DescribeBackup", {{"BackupArn", arn}}).at("BackupDescription");
  CHECK(described.at("SourceTableFeatureDetails").at("VectorIndexes") ==
        Json::array({index, vector_index("other")}));
  const auto restore = [&](const std::string& name, const Json& changes) {
    const Json request = with({{"TargetTableName", name}, {"BackupArn", arn}}, changes);
    const Reply reply = db.call("RestoreTableFromBackup", request);
    db.jobs().run_due();  // one restore of a backup at a time
    return reply;
  };
  CHECK(restore("All", Json::object()).error().empty());
  CHECK(restore("Some", {{"VectorIndexOverride", Json::array({index})}}).error().empty());
  CHECK(restore("None", {{"VectorIndexOverride", Json::array()}}).error().empty());
  CHECK(restore("Other", {{"VectorIndexOverride", Json::array({vector_index("plain", {{"Dimensions", 4}})})}})
            .refusal() ==
        "Invalid Request: Index plain does not match a secondary index that existed in the source table and "
        "cannot be created during the restore operation");
  db.jobs().run_due();
  CHECK(describe(db, "All").at("VectorIndexes").size() == 2);
  CHECK(describe(db, "Some").at("VectorIndexes").size() == 1);
  CHECK_FALSE(describe(db, "None").contains("VectorIndexes"));
  const Json request = search_request("plain", {"1", "2", "3"},
                                      {{"TableName", "Some"},
                                       {"SearchConditionExpression", "color = :c"},
                                       {"ExpressionAttributeValues", {{":c", {{"S", "red"}}}}}});
  CHECK(found_keys(db.ok("SearchVectors", request)) == std::vector<std::string>{"a"});
}

TEST_CASE("vector indexes: a replica has them, and answers by itself") {
  DynamoDb db;
  create_with_vectors(db, {vector_index("plain")});
  db.put("Music", item_with("a", {"1", "2", "3"}));
  db.ok("UpdateTable", {{"TableName", "Music"},
                        {"ReplicaUpdates", Json::array({{{"Create", {{"RegionName", "eu-west-1"}}}}})}});
  db.jobs().run_due();
  CHECK(describe(db).at("VectorIndexes").size() == 1);
}

}  // namespace test::vector_definitions_test
