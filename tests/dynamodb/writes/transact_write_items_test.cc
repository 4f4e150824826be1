#include <string>
#include <vector>

#include "dynamodb/deep_values.h"
#include "dynamodb/writes/transactions.h"
#include "support/tables.h"

// docs/service/transactions.md sections 1 to 5.
namespace test::transact_write_items_test {
namespace {

const std::string opi = "One or more parameter values were invalid: ";
const std::string no_match = "The provided key element does not match the schema";

/// Items a (x = 1) and b (x = 2) in Tab, none in Other; Sorted has a sort key, Indexed an index on the string
/// gk.
void make_tables(DynamoDb& db) {
  db.create_table("Tab");
  db.create_table("Other");
  db.create_table("Sorted", "S", "S");
  db.ok("CreateTable", table_request("Indexed", "pk", "gk", {global_index("ggg", "gk")}));
  db.put("Tab", Json::parse(R"({"pk": {"S": "a"}, "x": {"N": "1"}})"));
  db.put("Tab", Json::parse(R"({"pk": {"S": "b"}, "x": {"N": "2"}})"));
}

struct Tables {
  DynamoDb db;
  Tables() { make_tables(db); }

  Reply write(std::initializer_list<std::string_view> actions) {
    return db.call("TransactWriteItems", transaction(actions));
  }
};

const std::string put_new = R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "new"}}}})";
const std::string check_b =
    R"~({"ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "b"}},
           "ConditionExpression": "attribute_exists(pk)"}})~";

}  // namespace

TEST_CASE("a transaction puts, updates, deletes and checks, over tables named or by ARN") {
  Tables t;
  const Reply reply = t.write(
      {R"({"Put": {"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/Other",
             "Item": {"pk": {"S": "p"}, "y": {"N": "1.0"}}}})",
       R"({"Update": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET x = x + :one",
             "ExpressionAttributeValues": {":one": {"N": "1"}}}})",
       R"({"Update": {"TableName": "Tab", "Key": {"pk": {"S": "made"}}, "UpdateExpression": "SET #x = :one",
             "ExpressionAttributeNames": {"#x": "x"}, "ExpressionAttributeValues": {":one": {"N": "1"}}}})",
       R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"S": "never"}}}})", check_b});
  CHECK(reply.status == 200);
  CHECK(reply.body == "{}");
  CHECK(t.db.get("Other", key_of("p")) == Json::parse(R"({"pk": {"S": "p"}, "y": {"N": "1"}})"));
  CHECK(t.db.get("Tab", key_of("a"))["x"]["N"] == "2");
  CHECK(t.db.get("Tab", key_of("made"))["x"]["N"] == "1");
  CHECK(t.db.get("Tab", key_of("b"))["x"]["N"] == "2");
}

TEST_CASE("all failing conditions are reported, in order, and nothing is written") {
  Tables t;
  const std::string reasons =
      cancellation(t.write({put_new,
                            R"~({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "a"}},
              "ConditionExpression": "attribute_not_exists(pk)",
              "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}})~",
                            check_b,
                            R"~({"Delete": {"TableName": "Other", "Key": {"pk": {"S": "none"}},
              "ConditionExpression": "attribute_exists(pk)",
              "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}})~"}));
  CHECK(reasons ==
        cancelled({"None", std::string(condition_failed_reason) + R"( + {"pk":{"S":"a"},"x":{"N":"1"}})",
                   "None", condition_failed_reason}));
  CHECK(t.db.get("Tab", key_of("new")).is_null());
}

TEST_CASE("a failed condition of each kind of action gives the stored item if it is asked for") {
  for (const std::string action :
       {R"("Put": {"TableName": "Tab", "Item": {"pk": {"S": "a"}}, )",
        R"("Delete": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, )",
        R"("ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, )",
        R"("Update": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "REMOVE y", )"}) {
    for (const bool wanted : {false, true}) {
      Tables t;
      const std::string all =
          "{" + action +
          R"~("ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": ")~" +
          (wanted ? "ALL_OLD" : "NONE") + "\"}}";
      const std::string item = wanted ? R"( + {"pk":{"S":"a"},"x":{"N":"1"}})" : "";
      CHECK(cancellation(t.write({put_new, all})) ==
            cancelled({"None", std::string(condition_failed_reason) + item}));
    }
  }
}

TEST_CASE("what an update cannot do to the stored item is a reason") {
  struct Row {
    std::string update;
    std::string reason;
  };
  const std::string bad = "ValidationError: ";
  for (const Row& row : std::vector<Row>{
           {R"("UpdateExpression": "SET m.x = :v")",
            bad + "The document path provided in the update expression is invalid for update"},
           {R"("UpdateExpression": "SET y = z + :v")",
            bad + "The provided expression refers to an attribute that does not exist in the item"},
           {R"("UpdateExpression": "SET y = pk + :v")",
            bad + "An operand in the update expression has an incorrect data type"},
           {R"("UpdateExpression": "SET pk = :v")",
            bad + opi + "Cannot update attribute pk. This attribute is part of the key"}}) {
    Tables t;
    const std::string action = R"({"Update": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, )" + row.update +
                               R"(, "ExpressionAttributeValues": {":v": {"N": "1"}}}})";
    CHECK(cancellation(t.write({put_new, action})) == cancelled({"None", row.reason}));
    CHECK(t.db.get("Tab", key_of("new")).is_null());
  }
}

TEST_CASE("a number that an update cannot keep is a reason") {
  for (const std::string expression : {"ADD big :v", "SET y = big + :v"}) {
    Tables t;
    t.db.put("Tab", Json::parse(R"({"pk": {"S": "c"}, "big": {"N": "9e125"}})"));
    const std::string action =
        R"({"Update": {"TableName": "Tab", "Key": {"pk": {"S": "c"}}, "UpdateExpression": ")" + expression +
        R"(", "ExpressionAttributeValues": {":v": {"N": "9e125"}}}})";
    CHECK(cancellation(t.write({put_new, action})) ==
          cancelled({"None",
                     "ValidationError: Number overflow. Attempting to store a number with magnitude larger "
                     "than supported range"}));
  }
}

TEST_CASE("an index key of a wrong type or length is a reason for an update, an empty one refuses") {
  Tables t;
  const auto set = [&](std::string_view value) {
    return t.write(
        {put_new,
         R"({"Update": {"TableName": "Indexed", "Key": {"pk": {"S": "a"}}, "UpdateExpression": "SET gk = :v",
               "ExpressionAttributeValues": {":v": )" +
             std::string(value) + "}}}"});
  };
  CHECK(cancellation(set(R"({"N": "1"})")) ==
        cancelled({"None", "ValidationError: " + opi +
                               "Type mismatch for Index Key gk Expected: S Actual: N IndexName: ggg"}));
  CHECK(cancellation(set(R"({"S": ")" + std::string(2049, 'x') + "\"}")) ==
        cancelled({"None", "ValidationError: " + opi +
                               "Size limit exceeded for Index Key gk Actual Size: 2049 bytes Max Size: 2048 "
                               "bytes IndexName: ggg"}));
  CHECK(set(R"({"S": ""})").refusal() ==
        "One or more parameter values are not valid. The update expression attempted to update a secondary "
        "index key to a value that is not supported. The AttributeValue for a key attribute cannot contain "
        "an empty string value.");
  CHECK(t.db.get("Tab", key_of("new")).is_null());
}

TEST_CASE("keys that do not fit the table are a reason, of the first such action alone") {
  struct Row {
    std::string action;
    std::string reason;
  };
  const std::string bad = "ValidationError: ";
  for (const Row& row : std::vector<Row>{
           {R"({"Put": {"TableName": "Sorted", "Item": {"pk": {"S": "a"}}}})",
            bad + opi + "Missing the key sk in the item"},
           {R"({"Put": {"TableName": "Tab", "Item": {"pk": {"N": "1"}}}})",
            bad + opi + "Type mismatch for key pk expected: S actual: N"},
           {R"({"Put": {"TableName": "Tab", "Item": {"pk": {"L": []}}}})",
            bad + opi + "Type mismatch for key pk expected: S actual: L"},
           {R"({"Put": {"TableName": "Indexed", "Item": {"pk": {"S": "a"}, "gk": {"N": "1"}}}})",
            bad + opi + "Type mismatch for Index Key gk Expected: S Actual: N IndexName: ggg"},
           {R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"N": "1"}}}})", bad + no_match},
           {R"({"Update": {"TableName": "Tab", "Key": {"sk": {"S": "1"}}, "UpdateExpression": "REMOVE x"}})",
            bad + no_match},
           {R"~({"ConditionCheck": {"TableName": "Tab", "Key": {},
                  "ConditionExpression": "attribute_exists(x)"}})~",
            bad + no_match}}) {
    Tables t;
    const std::string failing =
        R"~({"ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "b"}},
               "ConditionExpression": "attribute_exists(nope)"}})~";
    CHECK(cancellation(
              t.write({put_new, failing, row.action, R"({"Delete": {"TableName": "Tab", "Key": {}}})"})) ==
          cancelled({"None", "None", row.reason, "None"}));
    CHECK(t.db.get("Tab", key_of("new")).is_null());
  }
}

TEST_CASE("a key that does not fit cancels ahead of the refusal of two actions on one item") {
  Tables t;
  CHECK(cancellation(t.write({put_new, put_new, R"({"Delete": {"TableName": "Tab", "Key": {}}})"})) ==
        cancelled({"None", "None", "ValidationError: " + no_match}));
}

TEST_CASE("an empty key refuses the request, ahead of a key that does not fit") {
  const std::string empty =
      "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an "
      "empty ";
  for (const std::string action :
       {R"("Put": {"Item": {"pk": )", R"("Delete": {"Key": {"pk": )",
        R"("Update": {"UpdateExpression": "REMOVE x", "Key": {"pk": )",
        R"~("ConditionCheck": {"ConditionExpression": "attribute_exists(x)", "Key": {"pk": )~"}) {
    Tables t;
    t.db.create_table("Binary", "B");
    const std::string bad = R"({"Delete": {"TableName": "Tab", "Key": {}}})";
    CHECK(t.write({bad, "{" + action + R"({"S": ""}}, "TableName": "Tab"}})"}).refusal() ==
          empty + "string value. Key: pk");
    CHECK(t.write({bad, "{" + action + R"({"B": ""}}, "TableName": "Binary"}})"}).refusal() ==
          empty + "binary value. Key: pk");
  }
}

TEST_CASE("what is wrong with a request whatever is stored refuses it as a whole") {
  struct Row {
    std::vector<std::string> actions;
    std::string message;
  };
  const std::string once = "Transaction request cannot include multiple operations on one item";
  const std::string missing = "Requested resource not found";
  const std::string put = R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "p"})";
  const auto with = [](std::string_view condition, std::string_view more = "") {
    return R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"S": "b"}}, "ConditionExpression": ")" +
           std::string(condition) + "\"" + std::string(more) + "}}";
  };
  for (
      const Row& row : std::vector<Row>{
          {{put + "}}}", put + "}}}"}, once},
          {{put + "}}}", R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"S": "p"}}}})"}, once},
          {{check_b,
            R"({"Put": {"TableName": "arn:aws:dynamodb:us-east-1:000000000000:table/Tab",
                  "Item": {"pk": {"S": "b"}}}})"},
           once},
          {{check_b, check_b}, once},
          {{put + R"(, "": {"S": "x"}}}})"}, "Empty attribute name"},
          {{R"({})"}, "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"},
          {{R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "p"}}}, "Delete": {"TableName": "Tab",
                  "Key": {"pk": {"S": "p"}}}})"},
           "TransactItems can only contain one of Check, Put, Update or Delete"},
          {{with("")}, "Invalid ConditionExpression: The expression can not be empty;"},
          {{with("x = ")}, "Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"=\""},
          {{with("x = :v", R"(, "ExpressionAttributeValues": {})")},
           "ExpressionAttributeValues must not be empty"},
          {{with("x = :v")},
           "Invalid ConditionExpression: An expression attribute value used in expression is not defined; "
           "attribute value: :v"},
          {{with("x = :v", R"(, "ExpressionAttributeValues": {":v": {"N": "1"}, ":w": {"N": "1"}})")},
           "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}"},
          {{with("x = :v", R"(, "ExpressionAttributeValues": {":v": {"N": "x"}})")},
           "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric "
           "value: x for key :v"},
          {{with("x = :v", R"(, "ExpressionAttributeValues": {":v": {"SS": ["a", "a"]}})")},
           "ExpressionAttributeValues contains invalid value: One or more parameter values were invalid: "
           "Input "
           "collection [a, a] contains duplicates. for key :v"},
          {{with("x BETWEEN :w AND :v",
                 R"(, "ExpressionAttributeValues": {":v": {"N": "x"}, ":w": {"N": "1"}})")},
           "ExpressionAttributeValues contains invalid value: The parameter cannot be converted to a numeric "
           "value: x for key :v"},
          {{with("x > :v", R"(, "ExpressionAttributeValues": {":v": {}})")},
           "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain "
           "exactly one of the supported datatypes for key :v"},
          {{put + R"(, "s": {"NS": ["1", "1"]}}}})"}, "Input collection contains duplicates"},
          {{put + R"(, "n": {"N": "x"}}}})"}, "The parameter cannot be converted to a numeric value: x"},
          {{put + R"(, "m": {"M": {"": {"S": "x"}, "n": {"N": "x"}}}}}})"}, "Empty attribute name"},
          {{put + R"(, "m": {"M": {"": {"S": "x"}}}}}})"}, "Empty attribute name"},
          {{with("((x = :v))", R"(, "ExpressionAttributeValues": {":v": {"N": "1"}})")},
           "Invalid ConditionExpression: The expression has redundant parentheses;"},
          // The first action with a problem decides, whatever the problem.
          {{with("x = :v", R"(, "ExpressionAttributeValues": {":v": {"N": "1"}, ":w": {"N": "1"}})"),
            put + R"(, "": {"S": "x"}}}})"},
           "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}"},
          {{put + R"(, "": {"S": "x"}}}})",
            with("x = :v", R"(, "ExpressionAttributeValues": {":v": {"N": "1"}, ":w": {"N": "1"}})")},
           "Empty attribute name"},
          {{put + R"(, "n": {"N": "x"}}, "ConditionExpression": ""}})"},
           "The parameter cannot be converted to a numeric value: x"},
          {{R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"N": "x"}}, "ConditionExpression": ""}})"},
           "Invalid ConditionExpression: The expression can not be empty;"},
          {{R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": ""}}}})"},
           "One or more parameter values are not valid. The AttributeValue for a key attribute cannot "
           "contain an empty string value. Key: pk"},
          {{R"({"Put": {"TableName": "Indexed", "Item": {"pk": {"S": "a"}, "gk": {"S": ""}}}})"},
           "One or more parameter values are not valid. A value specified for a secondary index key is not "
           "supported. The AttributeValue "
           "for a key attribute cannot contain an empty string value. IndexName: ggg, IndexKey: gk"}}) {
    Tables t;
    Json actions = Json::array({Json::parse(put_new)});
    for (const std::string& action : row.actions) actions.push_back(Json::parse(action));
    const Reply reply = t.db.call("TransactWriteItems", {{"TransactItems", actions}});
    CHECK(reply.refusal() == row.message);
    CHECK(t.db.get("Tab", key_of("new")).is_null());
  }
}

// docs/service/transactions.md section 4, step 3: a to d, in either order of the text.
TEST_CASE("of several problems of an item the kind decides, and not its place") {
  const std::string too_deep =
      "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond "
      "supported limit";
  const std::string no_number = "The parameter cannot be converted to a numeric value: x";
  const std::string nameless = R"("": {"S": "x"})";
  const std::string deep = R"("d": )" + in_lists(32);
  const std::string number = R"("n": {"N": "x"})";
  const std::string set = R"("s": {"SS": []})";
  const std::string entry = R"("m": {"M": {"": {"S": "x"}}})";
  const std::string deep_entry = R"("m": {"M": {"d": )" + in_lists(31) + R"(, "": {"S": "x"}}})";
  struct Row {
    std::string first, second, message;
  };
  for (const Row& row :
       {Row{nameless, deep, "Empty attribute name"}, Row{nameless, number, "Empty attribute name"},
        Row{deep, entry, too_deep}, Row{deep, number, too_deep}, Row{deep, set, too_deep},
        Row{deep_entry, number, too_deep}, Row{entry, number, "Empty attribute name"},
        Row{entry, set, "Empty attribute name"}, Row{number, number, no_number}}) {
    for (const bool swapped : {false, true}) {
      Tables t;
      const std::string attributes = swapped ? row.second + ", " + row.first : row.first + ", " + row.second;
      INFO(attributes);
      CHECK(t.write({R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "p"}, )" + attributes + "}}}"})
                .refusal() == row.message);
      CHECK(t.write({R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"S": "p"}, )" + attributes + "}}}"})
                .refusal() == row.message);
    }
  }
  Tables t;
  const auto put = [](const std::string& attribute) {
    return R"({"Put": {"TableName": "Tab", "Item": {"pk": {"S": "p"}, )" + attribute + "}}}";
  };
  CHECK(t.write({put(number), put(nameless)}).refusal() == no_number);
  CHECK(t.write({put(nameless), put(number)}).refusal() == "Empty attribute name");
}

TEST_CASE("an unknown table is not found, after what is wrong with any action and before keys and doubles") {
  Tables t;
  const std::string unknown = R"({"Put": {"TableName": "Unknown", "Item": {}}})";
  const auto error = [&](std::initializer_list<std::string_view> actions) {
    const Reply reply = t.write(actions);
    return reply.error() + ": " + reply.message();
  };
  const std::string missing = "ResourceNotFoundException: Requested resource not found";
  CHECK(error({unknown}) == missing);
  CHECK(error({R"({"Delete": {"TableName": "Tab", "Key": {}}})", unknown}) == missing);
  CHECK(error({check_b, check_b, unknown}) == missing);
  CHECK(
      error(
          {unknown,
           R"({"Delete": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}, "ConditionExpression": "x ="}})"}) ==
      "ValidationException: Invalid ConditionExpression: Syntax error; token: \"<EOF>\", near: \"=\"");
}

TEST_CASE("the model's constraints of TransactWriteItems are those of the older generation") {
  Tables t;
  const auto refusal = [&](const Json& request) {
    return t.db.call("TransactWriteItems", request).refusal();
  };
  CHECK(
      refusal({{"TransactItems", Json::array()}}) ==
      enveloped("Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater "
                "than or equal to 1"));
  Json many = Json::array();
  for (int i = 0; i < 101; ++i)
    many.push_back({{"Put", {{"TableName", "Tab"}, {"Item", key_of(std::to_string(i))}}}});
  const std::string too_many = refusal({{"TransactItems", many}});
  CHECK(too_many.starts_with(enveloped("Value '[")));
  CHECK(
      too_many.ends_with("]' at 'transactItems' failed to satisfy constraint: Member must have length less "
                         "than or equal to 100"));
  many.erase(100);
  CHECK(t.db.call("TransactWriteItems", Json{{"TransactItems", many}}).status == 200);
  Json request = transaction({put_new});
  request["ClientRequestToken"] = "";
  CHECK(refusal(request) == enveloped("Value '' at 'clientRequestToken' failed to satisfy constraint: Member "
                                      "must have length greater than or equal to 1"));
  request["ClientRequestToken"] = std::string(36, 't');
  CHECK(t.db.call("TransactWriteItems", request).status == 200);
  request["ClientRequestToken"] = std::string(37, 't');
  const std::string long_token = "Value '" + std::string(37, 't') +
                                 "' at 'clientRequestToken' failed to satisfy constraint: Member must have "
                                 "length less than or equal to 36";
  CHECK(refusal(request) == enveloped(long_token));
  request["ReturnConsumedCapacity"] = "dog";
  const std::string bad_capacity =
      "Value 'dog' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value "
      "set: [INDEXES, TOTAL, NONE]";
  CHECK(refusal(request) == "2 validation errors detected: " + long_token + "; " + bad_capacity);
  request["ReturnItemCollectionMetrics"] = "cat";
  CHECK(refusal(request) == "3 validation errors detected: " + long_token + "; " + bad_capacity +
                                "; Value 'cat' at 'returnItemCollectionMetrics' failed to satisfy "
                                "constraint: Member must satisfy enum value set: [SIZE, NONE]");
  CHECK(refusal(transaction(
            {put_new,
             R"({"Update": {"TableName": "bad!name", "Key": {}, "UpdateExpression": "REMOVE x"}})"})) ==
        enveloped("Value 'bad!name' at 'transactItems.2.member.update.tableName' failed to satisfy "
                  "constraint: Member must satisfy "
                  "regular expression pattern: [a-zA-Z0-9_.-]+"));
  request = transaction({put_new});
  request["ReturnItemCollectionMetrics"] = "no";
  request["ReturnConsumedCapacity"] = "no";
  CHECK(refusal(request) ==
        "2 validation errors detected: Value 'no' at 'returnConsumedCapacity' failed to satisfy constraint: "
        "Member must satisfy enum value "
        "set: [INDEXES, TOTAL, NONE]; Value 'no' at 'returnItemCollectionMetrics' failed to satisfy "
        "constraint: Member must satisfy enum "
        "value set: [SIZE, NONE]");
  CHECK(refusal(transaction({R"({"Update": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}}})"})) ==
        enveloped("Value null at 'transactItems.1.member.update.updateExpression' failed to satisfy "
                  "constraint: Member must not be null"));
  CHECK(refusal(transaction({R"({"ConditionCheck": {"TableName": "Tab", "Key": {"pk": {"S": "a"}}}})"})) ==
        enveloped("Value null at 'transactItems.1.member.conditionCheck.conditionExpression' failed to "
                  "satisfy constraint: Member must not "
                  "be null"));
}

TEST_CASE("members of every kind of action are constrained") {
  Tables t;
  struct Kind {
    std::string name;
    std::string path;
    std::string members;
  };
  for (const Kind& kind :
       std::vector<Kind>{{"Put", "put", R"("Item": {"pk": {"S": "p"}})"},
                         {"Delete", "delete", R"("Key": {"pk": {"S": "p"}})"},
                         {"Update", "update", R"("Key": {"pk": {"S": "p"}}, "UpdateExpression": "REMOVE x")"},
                         {"ConditionCheck", "conditionCheck",
                          R"~("Key": {"pk": {"S": "p"}}, "ConditionExpression": "attribute_exists(x)")~"}}) {
    const auto action = [&](std::string_view table, std::string_view more) {
      return t.write({put_new, "{\"" + kind.name + "\": {" + kind.members + R"(, "TableName": ")" +
                                   std::string(table) + "\"" + std::string(more) + "}}"});
    };
    const std::string at = "' at 'transactItems.2.member." + kind.path;
    CHECK(action("bad!name", "").refusal() ==
          enveloped("Value 'bad!name" + at +
                    ".tableName' failed to satisfy constraint: Member must satisfy regular expression "
                    "pattern: [a-zA-Z0-9_.-]+"));
    for (const std::string wish : {"none", "dog"}) {
      CHECK_THAT(
          action("Tab", R"(, "ReturnValuesOnConditionCheckFailure": ")" + wish + "\"").refusal(),
          Catch::StartsWith(enveloped(
              "Value '" + wish + at +
              ".returnValuesOnConditionCheckFailure' failed to satisfy constraint: Member must satisfy "
              "enum value set: ")));
    }
    CHECK(action("Tab", R"(, "ExpressionAttributeNames": {"#x": 1})").error() == "SerializationException");
  }
}

TEST_CASE("the data of a request count towards 4 MB, the stored items do not") {
  Tables t;
  const std::string big(100'000, 'x');
  const auto puts = [&](int count) {
    Json actions = Json::array();
    for (int i = 0; i < count; ++i) {
      Json item = key_of(std::to_string(i));
      item["big"] = {{"S", big}};
      actions.push_back({{"Put", {{"TableName", "Tab"}, {"Item", item}}}});
    }
    return Json{{"TransactItems", actions}};
  };
  CHECK(t.db.call("TransactWriteItems", puts(30)).status == 200);
  // Each item has 4 bytes of names, and one or two of its key.
  CHECK(t.db.call("TransactWriteItems", puts(42)).refusal() ==
        "Transaction payload size cannot exceed 4MB. Payload Size: : Transaction payload size cannot exceed "
        "4MB. Payload Size: " +
            std::to_string(42 * (100'000 + 5) + 10 + 32 * 2));
  // Keys of 3 bytes, and values that conditions compare with.
  Json checks = Json::array();
  for (int i = 0; i < 42; ++i) {
    checks.push_back({{"ConditionCheck",
                       {{"TableName", "Tab"},
                        {"Key", key_of(std::to_string(100 + i).substr(2))},
                        {"ConditionExpression", "x <> :big"},
                        {"ExpressionAttributeValues", {{":big", {{"S", big}}}}}}}});
  }
  CHECK_THAT(t.db.call("TransactWriteItems", Json{{"TransactItems", checks}}).refusal(),
             Catch::EndsWith(" " + std::to_string(42 * (100'000 + 3))));
  Json deletes = Json::array();
  for (int i = 0; i < 100; ++i)
    deletes.push_back({{"Delete", {{"TableName", "Tab"}, {"Key", key_of(std::to_string(i))}}}});
  CHECK(t.db.call("TransactWriteItems", Json{{"TransactItems", deletes}}).status == 200);
}

TEST_CASE("an item that is too large refuses the request, one that an update makes too large cancels it") {
  Tables t;
  const std::string large(400 * 1024, 'x');
  Json request = transaction({put_new});
  Json item = key_of("large");
  item["x"] = {{"S", large}};
  request["TransactItems"].push_back({{"Put", {{"TableName", "Tab"}, {"Item", item}}}});
  CHECK(t.db.call("TransactWriteItems", request).refusal() ==
        "Item size has exceeded the maximum allowed size");

  item["x"] = {{"S", large.substr(1000)}};
  t.db.put("Tab", item);
  request = transaction({put_new});
  request["TransactItems"].push_back(
      {{"Update",
        {{"TableName", "Tab"},
         {"Key", key_of("large")},
         {"UpdateExpression", "SET y = :y"},
         {"ExpressionAttributeValues", {{":y", {{"S", std::string(2000, 'y')}}}}}}}});
  CHECK(cancellation(t.db.call("TransactWriteItems", request)) ==
        cancelled({"None", "ValidationError: Item size to update has exceeded the maximum allowed size"}));
  CHECK(t.db.get("Tab", key_of("new")).is_null());
}

// docs/service/values.md section 6, "The 400 KB rule per surface"; README.md, regional split 7: as us-east-1.
TEST_CASE("an update is held to the size of the item alone, whatever the statement counts") {
  Tables t;
  const auto set = [&](std::size_t bytes) {
    Json request = transaction({R"({"Update": {"TableName": "Tab", "UpdateExpression": "SET x = :v"}})"});
    Json& update = request["TransactItems"][0]["Update"];
    update["Key"] = key_of("a");
    update["ExpressionAttributeValues"] = {{":v", {{"S", std::string(bytes, 'v')}}}};
    return t.db.call("TransactWriteItems", request);
  };
  constexpr std::size_t names_and_key = 4;
  CHECK(set(409'600 - names_and_key).status == 200);
  CHECK(cancellation(set(409'601 - names_and_key)) ==
        cancelled({"ValidationError: Item size to update has exceeded the maximum allowed size"}));
}

TEST_CASE("index entries follow a transaction") {
  Tables t;
  CHECK(t.write({R"({"Put": {"TableName": "Indexed", "Item": {"pk": {"S": "a"}, "gk": {"S": "g"}}}})",
                 R"({"Put": {"TableName": "Indexed", "Item": {"pk": {"S": "b"}, "gk": {"S": "g"}}}})"})
            .status == 200);
  const auto entries = [&] {
    return t.db.ok("Scan", {{"TableName", "Indexed"}, {"IndexName", "ggg"}})["Count"];
  };
  CHECK(entries() == 2);
  CHECK(t.write({R"({"Delete": {"TableName": "Indexed", "Key": {"pk": {"S": "a"}}}})",
                 R"({"Update": {"TableName": "Indexed", "Key": {"pk": {"S": "b"}},
                  "UpdateExpression": "REMOVE gk"}})"})
            .status == 200);
  CHECK(entries() == 0);
}

TEST_CASE("ItemCollectionMetrics are given per table and collection, for tables with local indexes") {
  DynamoDb db;
  db.create_table("Tab");
  db.ok("CreateTable", table_request("Local", "pk sk", "", {local_index("lll", "sk", keys_only())}));
  Json request = transaction(
      {R"({"Put": {"TableName": "Local", "Item": {"pk": {"S": "a"}, "sk": {"S": "1"}}}})",
       R"({"Put": {"TableName": "Local", "Item": {"pk": {"S": "a"}, "sk": {"S": "2"}}}})", put_new});
  request["ReturnItemCollectionMetrics"] = "SIZE";
  CHECK(
      db.ok("TransactWriteItems", request) ==
      Json::parse(
          R"({"ItemCollectionMetrics": {"Local": [{"ItemCollectionKey": {"pk": {"S": "a"}}, "SizeEstimateRangeGB": [0.0, 1.0]}]}})"));
}

}  // namespace test::transact_write_items_test
