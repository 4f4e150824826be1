#include <string>
#include <string_view>
#include <vector>

#include "dynamodb/deep_values.h"
#include "dynamodb/writes/transactions.h"

// Deep values in transactions: docs/service/values.md section 5, transactions.md sections 3 and 5.
namespace test::transaction_nesting_test {
namespace {

const std::string too_deep =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
    "supported limit";

std::string about_a(std::string_view kind, const std::string& members, const std::string& deep) {
  const std::string item = kind == "Put" ? "Item" : "Key";
  return "{\"" + std::string(kind) + R"(": {"TableName": "Tab", ")" + item + R"(": {"pk": {"S": "a"}}, )" +
         members + R"(, "ExpressionAttributeValues": {":deep": )" + deep + "}}}";
}

const std::string put_new = R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "new"}}}})";

struct Tab {
  DynamoDb db;

  Tab() {
    db.create_table("Tab");
    db.put("Tab", Json::parse(R"({"pk": {"S": "a"}, "m": {"M": {}}})"));
  }
  /// The answer to a transaction of a put and `action`.
  Reply write(const std::string& action) {
    return db.call("TransactWriteItems", R"({"TransactItems": [)" + put_new + ", " + action + "]}");
  }
  bool wrote() { return !db.get("Tab", key_of("new")).is_null(); }
};

const std::vector<std::string> kinds_with_condition = {"Put", "Update", "Delete", "ConditionCheck"};

std::string condition_of(std::string_view kind, std::string_view text) {
  return std::string(kind == "Update" ? R"("UpdateExpression": "REMOVE z", )" : "") +
         R"("ConditionExpression": ")" + std::string(text) + "\"";
}

}  // namespace

TEST_CASE("a value that an update writes too deep is a reason") {
  for (const int wraps : {32, 39}) {
    for (const std::string& deep : {in_lists(wraps), in_maps(wraps)}) {
      for (const std::string_view expression :
           {"SET x = :deep", "SET x = if_not_exists(y, :deep)", "SET m.x = :deep"}) {
        Tab tab;
        const std::string set = R"("UpdateExpression": ")" + std::string(expression) + "\"";
        CHECK(cancellation(tab.write(about_a("Update", set, deep))) ==
              cancelled({"None", "ValidationError: " + too_deep}));
        CHECK_FALSE(tab.wrote());
      }
    }
  }
  Tab tab;
  const std::string set = R"("UpdateExpression": "SET x = :deep")";
  CHECK(tab.write(about_a("Update", set, in_lists(31))).status == 200);
}

TEST_CASE("a value that an update writes too deep into the item is a reason") {
  Tab tab;
  const std::string set = R"("UpdateExpression": "SET m.x = :deep")";
  CHECK(cancellation(tab.write(about_a("Update", set, in_maps(31)))) ==
        cancelled({"None", "ValidationError: " + too_deep}));
  CHECK(tab.write(about_a("Update", set, in_maps(30))).status == 200);
}

TEST_CASE("a deep value that an update does not come to write is not checked") {
  Tab tab;
  const std::string set = R"~("UpdateExpression": "SET m = if_not_exists(m, :deep)")~";
  CHECK(tab.write(about_a("Update", set, in_lists(39))).status == 200);
  const std::string condition = R"~(, "ConditionExpression": "attribute_not_exists(pk)")~";
  CHECK(cancellation(tab.write(about_a("Update", R"("UpdateExpression": "SET x = :deep")" + condition,
                                       in_lists(39)))) == cancelled({"None", condition_failed_reason}));
}

TEST_CASE("a deep value of a condition is not checked, and the condition runs") {
  for (const int wraps : {32, 39}) {
    for (const std::string& kind : kinds_with_condition) {
      INFO(kind);
      for (const std::string& deep : {in_lists(wraps), in_maps(wraps)}) {
        Tab tab;
        CHECK(cancellation(tab.write(about_a(kind, condition_of(kind, "m = :deep"), deep))) ==
              cancelled({"None", condition_failed_reason}));
        CHECK(tab.write(about_a(kind, condition_of(kind, "m <> :deep"), deep)).status == 200);
        CHECK(tab.wrote());
      }
    }
  }
}

TEST_CASE("what is wrong within a deep value nevertheless refuses the request") {
  Tab tab;
  const std::string bad = repeat(R"({"L":[)", 35) + R"({"N":"x"})" + repeat("]}", 35);
  CHECK(tab.write(about_a("ConditionCheck", condition_of("ConditionCheck", "m = :deep"), bad)).refusal() ==
        "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric "
        "value: x for key :deep");
}

TEST_CASE("a value within 40 lists or maps refuses the request wherever it is") {
  for (const int wraps : {40, 60}) {
    for (const std::string& deep : {in_lists(wraps), in_maps(wraps)}) {
      const std::string message =
          "ExpressionAttributeValues contains invalid value: " + too_deep + " for key :deep";
      for (const std::string& kind : kinds_with_condition) {
        Tab tab;
        CHECK(tab.write(about_a(kind, condition_of(kind, "m = :deep"), deep)).refusal() == message);
        CHECK_FALSE(tab.wrote());
      }
      Tab tab;
      CHECK(tab.write(about_a("Update", R"("UpdateExpression": "SET x = :deep")", deep)).refusal() ==
            message);
    }
  }
}

TEST_CASE("a put item or a key within 32 lists refuses the request, before the table is looked up") {
  DynamoDb db;
  const auto refusal = [&](const std::string& action) {
    return db.call("TransactWriteItems", R"({"TransactItems": [)" + action + "]}").refusal();
  };
  for (const int wraps : {32, 40}) {
    CHECK(refusal(R"({"Put": {"TableName": "None", "Item": {"pk": {"S": "a"}, "x": )" + in_lists(wraps) +
                  "}}}") == too_deep);
    CHECK(refusal(R"({"Delete": {"TableName": "None", "Key": {"pk": )" + in_lists(wraps) + "}}}") ==
          too_deep);
    CHECK(db.call("TransactGetItems", R"({"TransactItems": [{"Get": {"TableName": "None", "Key": {"pk": )" +
                                          in_lists(wraps) + "}}}]}")
              .refusal() == too_deep);
  }
}

}  // namespace test::transaction_nesting_test
