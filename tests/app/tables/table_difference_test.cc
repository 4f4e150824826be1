#include "app/tables/table_difference.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "app/tables/applying_tables.h"
#include "app/tables/compare_tables.h"
#include "app/tables/normal_form.h"

namespace dinette::app::table_difference_test {
namespace {

using test::node;
using test::table;
using Words = std::vector<std::string>;

Words found(std::string_view left, std::string_view right) {
  Words texts;
  for (const Difference& one :
       differences(normal_form(table("plants", left)), normal_form(table("plants", right))))
    texts.push_back(text_of(one, "a", "b"));
  return texts;
}

TEST_CASE("what the service supposes is the same as what is said") {
  const auto same = [](std::string_view left, std::string_view right) {
    INFO(left << " and " << right);
    CHECK(found(left, right) == Words{});
  };
  same(R"({"TableClass":"STANDARD","DeletionProtectionEnabled":false,"Tags":[]})", "{}");
  same(R"({"StreamSpecification":{"StreamEnabled":false},"SSESpecification":{"Enabled":false}})", "{}");
  same(R"({"OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":-1}})", "{}");
  same(
      R"({"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}})",
      R"({"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":1}})");
  same(
      R"({"BillingMode":"PAY_PER_REQUEST","ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0}})",
      "{}");
  same(
      R"({"SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"12"}})",
      R"({"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"arn:aws:kms:us-east-1:000000000000:key/12"}})");
  same(
      R"({"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"alias/mine"}})",
      R"({"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"arn:aws:kms:us-east-1:000000000000:key/12"}})");
  same(
      R"({"SSESpecification":{"Enabled":true}})",
      R"({"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"arn:aws:kms:us-east-1:000000000000:key/12"}})");
  same(
      R"({"Tags":[{"Key":"b","Value":"2"},{"Key":"a","Value":"1"}]})",
      R"({"Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":"2"},{"Key":"aws:cloudformation:stack-name","Value":"x"}]})");
}

TEST_CASE("tables that differ in the order of their parts have one normal form") {
  const std::string tags = R"("Tags":[{"Key":"a","Value":"1"},{"Key":"b","Value":"2"}])";
  const std::string turned = R"("Tags":[{"Key":"b","Value":"2"},{"Key":"a","Value":"1"}])";
  CHECK(normal_form(table("plants", '{' + tags + '}')) == normal_form(table("plants", '{' + turned + '}')));
}

TEST_CASE("each difference names its member and both values, and says if it needs a new table") {
  CHECK(
      found(
          "{}",
          R"({"KeySchema":[{"AttributeName":"id","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}]})") ==
      Words{"KeySchema: id HASH in a, id HASH, n RANGE in b (needs a new table)"});
  CHECK(found("{}", R"({"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"N"}]})") ==
        Words{"AttributeDefinitions.id: S in a, N in b (needs a new table)"});
  CHECK(found("{}", R"({"ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}})") ==
        Words{"BillingMode: PAY_PER_REQUEST in a, PROVISIONED in b",
              "ProvisionedThroughput: none in a, ReadCapacityUnits 1, WriteCapacityUnits 2 in b"});
  CHECK(found(R"({"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"12"}})", "{}") ==
        Words{"SSESpecification: Enabled true, SSEType KMS, KMSMasterKeyId 12 in a, none in b"});
  CHECK(found(R"({"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"12"}})",
              R"({"SSESpecification":{"Enabled":true,"KMSMasterKeyId":"key/13"}})")
            .size() == 1);
  CHECK(found(R"({"Tags":[{"Key":"a","Value":""}]})", R"({"Tags":[{"Key":"a","Value":"1"}]})") ==
        Words{"Tags.a: an empty text in a, 1 in b"});
}

TEST_CASE("indexes are compared by name and part by part; local ones need a new table") {
  const std::string index = R"({"IndexName":"by-n","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],)";
  const std::string keys = index + R"("Projection":{"ProjectionType":"KEYS_ONLY"}})";
  const std::string some =
      index + R"("Projection":{"NonKeyAttributes":["b","a"],"ProjectionType":"INCLUDE"}})";
  const auto with = [](const std::string& kind, const std::string& one) {
    return "{\"" + kind + "\":[" + one + "]}";
  };
  CHECK(found(with("GlobalSecondaryIndexes", keys), with("GlobalSecondaryIndexes", some)) ==
        Words{"GlobalSecondaryIndexes.by-n.Projection: ProjectionType KEYS_ONLY in a, "
              "ProjectionType INCLUDE, NonKeyAttributes (a, b) in b"});
  CHECK(found("{}", with("LocalSecondaryIndexes", keys)) ==
        Words{"LocalSecondaryIndexes.by-n: none in a, IndexName by-n, KeySchema (n HASH), "
              "Projection (ProjectionType KEYS_ONLY) in b (needs a new table)"});
}

TEST_CASE("the type of an attribute that only global indexes use needs no new table") {
  const auto typed = [](const std::string& type) {
    return R"({"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},{"AttributeName":"n","AttributeType":")" +
           type +
           R"("}],"GlobalSecondaryIndexes":[{"IndexName":"by-n","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],
             "Projection":{"ProjectionType":"ALL"}}]})";
  };
  CHECK(found(typed("S"), typed("N")) == Words{"AttributeDefinitions.n: S in a, N in b"});
}

TEST_CASE("a comparison of files counts tables of both, one with a server those of the file") {
  Comparison files{"a", "b", {}, true};
  compare_with_tables({table("beds"), table("plants")}, {table("plants"), table("zones")}, files);
  CHECK(files.text == "beds: only in a\nplants: the same\nzones: only in b\n");
  CHECK(!files.is_same);

  Comparison other{"a", "b", {}, true};
  compare_with_tables({table("plants")}, {table("plants", R"({"Tags":[{"Key":"a","Value":"1"}]})")}, other);
  CHECK(!other.is_same);

  test::ApplyingTables to;
  to.applied(test::definitions_of({table("plants"), table("zones")}));
  Comparison server{"a", "b", {}, true};
  REQUIRE(compare_with_server(to.transfer(to.operations), {table("plants")}, true, server));
  CHECK(server.text == "plants: the same\nzones: in b, defined by no file\n");
  CHECK(server.is_same);
  Comparison missing{"a", "b", {}, true};
  REQUIRE(compare_with_server(to.transfer(to.operations), {table("beds")}, false, missing));
  CHECK(missing.text == "beds: only in a\n");
  CHECK(!missing.is_same);
}

}  // namespace
}  // namespace dinette::app::table_difference_test
