#include <catch2/catch.hpp>

#include "statements.h"

// docs/service/partiql.md section 8.
namespace test::partiql::transaction_test {
namespace {

struct MemberOfTransaction {
  std::string text;
  std::string members;

  MemberOfTransaction(std::string statement_text, std::string more = "")
      : text(std::move(statement_text)), members(std::move(more)) {}
  MemberOfTransaction(const char* statement_text, std::string more = "")
      : text(statement_text), members(std::move(more)) {}
};

Reply transact(DynamoDb& db, const std::vector<MemberOfTransaction>& statements,
               std::string_view members = "") {
  std::string body = R"({"TransactStatements": [)";
  for (const MemberOfTransaction& one : statements)
    body.append(&one == &statements.front() ? "" : ", ").append(statement(one.text, one.members));
  body += "]";
  if (!members.empty()) body.append(", ").append(members);
  return db.call("ExecuteTransaction", body + "}");
}

void check_cancelled(const Reply& reply, const std::string& codes, const Json& reasons) {
  INFO(reply.body);
  CHECK(reply.error() == "TransactionCanceledException");
  CHECK(reply.json().at("Message") ==
        "Transaction cancelled, please refer cancellation reasons for specific reasons [" + codes + "]");
  CHECK(reply.json().at("CancellationReasons") == reasons);
}

Json reason(const std::string& code, const std::string& message) {
  return {{"Code", code}, {"Message", message}};
}

std::string of_first(const std::string& message) {
  return "Validation failed in TransactStatements[0]: " + message;
}

const Json none = {{"Code", "None"}};
const Json mismatch = reason("ValidationError", "The provided key element does not match the schema");
const Json failed = reason("ConditionalCheckFailed", "The conditional request failed");
const std::string no_key =
    "Select statements within ExecuteTransaction must specify the primary key in the where clause.";

std::string insert(const std::string& pk) {
  return "INSERT INTO Tab VALUE {'pk': '" + pk + "', 'x': 1}";
}

std::string stored_keys(DynamoDb& db) {
  return column(selected(db, "SELECT * FROM Tab WHERE pk IN ['a', 'b', 'c']"), "pk");
}

}  // namespace

TEST_CASE("writes happen together, or none does") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(transact(db, {insert("a"), insert("b")}).body == R"({"Responses":[]})");
  CHECK(stored_keys(db) == "a b");
  CHECK(transact(db, {insert("c"), "UPDATE Tab SET x = x + 1 WHERE pk = 'a' AND x = 1",
                      "DELETE FROM Tab WHERE pk = 'b'"})
            .status == 200);
  CHECK(stored_keys(db) == "a c");
  CHECK(stored_attributes(db)["x"]["N"] == "2");
  check_cancelled(transact(db, {insert("b"), insert("a"), "UPDATE Tab SET x = 1 WHERE pk = 'c' AND x = 7"}),
                  "None, DuplicateItem, ConditionalCheckFailed",
                  listed(none, reason("DuplicateItem", "Duplicate primary key exists in table"), failed));
  CHECK(stored_keys(db) == "a c");
}

TEST_CASE("reads are answered in order") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("x": {"N": "1"})");
  CHECK(transact(db, {"SELECT * FROM Tab WHERE pk = 'none'", "SELECT x FROM Tab WHERE pk IN ['a']"}).body ==
        R"({"Responses":[{},{"Item":{"x":{"N":"1"}}}]})");
}

TEST_CASE("a statement with a fault is named") {
  DynamoDb db;
  db.create_table(the_table);
  const auto refusal = [&](const std::string& text) { return transact(db, {text}).refusal(); };
  CHECK(refusal("SELECT") == of_first(ill_formed("Unexpected term")));
  CHECK(transact(db, {insert("a"), "DELETE"}).refusal() ==
        "Validation failed in TransactStatements[1]: " + ill_formed("Expected FROM after DELETE"));
  CHECK(refusal("INSERT INTO Tab VALUE {'pk': <<>>}") == of_first("Empty bags are not supported"));
  CHECK(refusal("SELECT COUNT(*) FROM Tab") == of_first("Unexpected path component at 1:8:5"));
  CHECK(refusal("DELETE FROM Tab WHERE pk = 'a' RETURNING ALL OLD *") ==
        of_first("RETURNING clause is not supported in ExecuteTransaction."));
  CHECK(refusal("SELECT * FROM Tab.idx WHERE pk = 'a'") ==
        of_first("Reads on indices are not supported within transactions."));
  for (const std::string text : {"SELECT * FROM Tab", "SELECT * FROM Tab WHERE pk = 'a' AND x = 1",
                                 "SELECT * FROM Tab WHERE pk = 'a' AND pk = 'b'",
                                 "SELECT * FROM Tab WHERE pk = 'a' AND attribute_exists(pk)",
                                 "SELECT * FROM Tab WHERE pk IN ['a', 'b']"})
    CHECK(refusal(text) == of_first(no_key));
  CHECK(refusal("INSERT INTO Tab VALUE ?") ==
        of_first("Unsupported format in item expression. Please use struct format {...} to express item "
                 "values for insert statement. at 1:23:1"));
  std::string list = "'0'";
  for (int i = 1; i < 101; ++i) list += ", '" + std::to_string(i) + "'";
  CHECK(refusal("SELECT * FROM Tab WHERE pk IN [" + list + "]") ==
        of_first("The IN operator is provided with too many operands; number of operands: 101"));
  CHECK(refusal("SELECT * FROM Tab WHERE pk = 'a' OR pk = 'a'") ==
        of_first("Overlapping conditions with range keys are not supported in where clause"));
  for (const std::string where : {"pk = 'a'", "x = 1", "pk IN ['a'] AND x = 1"}) {
    CHECK(refusal("EXISTS(SELECT * FROM Tab WHERE " + where + ")") ==
          of_first("EXISTS() must contain a single item read with additional condition"));
  }
}

TEST_CASE("faulty parameters come first and are not put down to a statement") {
  DynamoDb db;
  CHECK(transact(db, {"SELECT", MemberOfTransaction("DELETE", parameters(R"({"N": "x"})"))}).refusal() ==
        "The parameter cannot be converted to a numeric value: x");
}

TEST_CASE("reads and writes do not mix, and EXISTS is a write") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string message =
      "ExecuteTransaction API does not support both read and write operations in the same request.";
  const std::string exists = "EXISTS(SELECT * FROM Tab WHERE pk = 'b' AND attribute_not_exists(x))";
  CHECK(transact(db, {insert("a"), "SELECT * FROM Tab WHERE pk = 'b'"}).refusal() == message);
  CHECK(transact(db, {exists, "SELECT * FROM Tab WHERE pk = 'a'"}).refusal() == message);
  CHECK(transact(db, {insert("a"), "SELECT * FROM Tab WHERE pk = 1", "DELETE FROM none"}).refusal() ==
        message);
  CHECK(transact(db, {insert("a"), exists}).status == 200);
}

TEST_CASE("one item is named once") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string message = "Transaction request cannot include multiple operations on one item";
  CHECK(transact(db, {insert("a"), "DELETE FROM Tab WHERE pk = 'a'"}).refusal() == message);
  CHECK(transact(db, {insert("a"), "EXISTS(SELECT * FROM Tab WHERE pk = 'a' AND x = 1)"}).refusal() ==
        message);
  CHECK(transact(db, {"SELECT * FROM Tab WHERE pk = 'a'", "SELECT x FROM Tab WHERE pk = 'a'"}).refusal() ==
        message);
}

TEST_CASE("EXISTS holds a condition to an item, whether or not it exists") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("x": {"N": "1"})");
  const auto holds = [&](const std::string& where) {
    const Reply reply = transact(db, {"EXISTS(SELECT * FROM Tab WHERE " + where + ")"});
    if (reply.status != 200) check_cancelled(reply, "ConditionalCheckFailed", listed(failed));
    return reply.status == 200;
  };
  CHECK(holds("pk = 'a' AND x = 1"));
  CHECK_FALSE(holds("pk = 'a' AND x = 2"));
  CHECK(holds("pk = 'none' AND attribute_not_exists(x)"));
  CHECK(holds("pk = 'none' AND NOT x = 1"));
  CHECK_FALSE(holds("pk = 'none' AND x = 1"));
  CHECK_FALSE(holds("pk = 'a' AND pk = 'b'"));
}

TEST_CASE("unknown tables and unfit keys cancel, each with its reason") {
  DynamoDb db;
  db.create_table(the_table);
  const Json unknown = reason("ResourceNotFound", "Requested resource not found");
  check_cancelled(
      transact(db, {insert("a"), "DELETE FROM none WHERE pk = 'a' RETURNING ALL OLD *",
                    "INSERT INTO Tab VALUE {'x': 1}", "DELETE FROM Tab WHERE pk = 1", "UPDATE Tab SET x = 1",
                    "DELETE FROM Tab WHERE pk IN ['a']", "DELETE FROM Tab WHERE pk = 'a' AND pk = 'b'"}),
      "None, ResourceNotFound, ValidationError, ValidationError, ValidationError, ValidationError, "
      "ValidationError",
      listed(none, unknown, reason("ValidationError", invalid("Missing the key pk in the item")), mismatch,
             mismatch, mismatch, mismatch));
  check_cancelled(transact(db, {"SELECT * FROM none", "SELECT * FROM Tab WHERE pk = 1"}),
                  "ResourceNotFound, ValidationError", listed(unknown, mismatch));
  check_cancelled(transact(db, {insert("a"), insert("a"), "DELETE FROM Tab WHERE pk = 1"}),
                  "None, None, ValidationError", listed(none, none, mismatch));
}

TEST_CASE("a failed condition has the item in its reason if that is asked for") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("x": {"N": "1"})");
  Json with_item = failed;
  with_item["Item"] = Json::parse(R"({"pk": {"S": "a"}, "x": {"N": "1"}})");
  check_cancelled(transact(db, {MemberOfTransaction("UPDATE Tab SET x = 2 WHERE pk = 'a' AND x = 7",
                                                    R"("ReturnValuesOnConditionCheckFailure": "ALL_OLD")")}),
                  "ConditionalCheckFailed", listed(with_item));
}

TEST_CASE("what is written too deep is a reason") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("m": {"M": {"l": {"L": []}}})");
  std::string deep = R"({"S": "x"})";
  for (int i = 0; i < 31; ++i) deep = R"({"L": [)" + deep + "]}";
  check_cancelled(
      transact(db, {MemberOfTransaction("UPDATE Tab SET m.l[0] = ? WHERE pk = 'a'", parameters(deep))}),
      "ValidationError", listed(reason("ValidationError", "Nesting Levels have exceeded supported limits")));
}

TEST_CASE("a token runs a request once") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("x": {"N": "1"})");
  const std::string update = "UPDATE Tab SET x = x + ? WHERE pk = 'a'";
  const std::string one = parameters(R"({"N": "1"})");
  const std::string wishes = R"("ClientRequestToken": "token", "ReturnConsumedCapacity": "TOTAL")";
  const auto capacity = [&](const std::string& text) {
    const Reply reply = transact(db, {MemberOfTransaction(text, one)}, wishes);
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    CHECK(reply.json().at("Responses") == Json::array());
    return reply.json().at("ConsumedCapacity").at(0);
  };
  CHECK(capacity(update) ==
        Json::parse(R"({"TableName": "Tab", "CapacityUnits": 2.0, "WriteCapacityUnits": 2.0})"));
  CHECK(capacity(update + "  \n") ==
        Json::parse(R"({"TableName": "Tab", "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0})"));
  CHECK(stored_attributes(db)["x"]["N"] == "2");
  const Reply other = transact(db, {MemberOfTransaction(update, parameters(R"({"N": "2"})"))}, wishes);
  CHECK(other.error() == "IdempotentParameterMismatchException");
}

TEST_CASE("reads of a transaction cost twice") {
  DynamoDb db;
  db.create_table(the_table);
  executed(db, insert("a"));
  const Reply reply = transact(db, {"SELECT * FROM Tab WHERE pk = 'a'", "SELECT * FROM Tab WHERE pk = 'b'"},
                               R"("ReturnConsumedCapacity": "TOTAL")");
  CHECK(reply.json().at("ConsumedCapacity") ==
        Json::parse(R"([{"TableName": "Tab", "CapacityUnits": 4.0, "ReadCapacityUnits": 4.0}])"));
}

// docs/service/capacity.md section 5.
TEST_CASE("the recorded figures of transactions") {
  DynamoDb db;
  db.create_table(the_table);
  const auto item = [](const std::string& pk, std::size_t bytes) {  // 4 bytes are names and key
    return "INSERT INTO Tab VALUE {'pk': '" + pk + "', 'x': '" + std::string(bytes - 4, 'x') + "'}";
  };
  const auto consumed = [&](const std::vector<MemberOfTransaction>& statements) {
    const Reply reply = transact(db, statements, R"("ReturnConsumedCapacity": "INDEXES")");
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return reply.json().at("ConsumedCapacity");
  };
  const auto of = [](const std::string& axis, double units) {
    const Json arm = {{"CapacityUnits", units}, {axis, units}};
    Json all = arm;
    all["TableName"] = the_table;
    all["Table"] = arm;
    return listed(all);
  };
  CHECK(consumed({item("a", 1024), item("b", 1025)}) == of("WriteCapacityUnits", 6));
  CHECK(consumed({"DELETE FROM Tab WHERE pk = 'a'",
                  "EXISTS(SELECT * FROM Tab WHERE pk = 'b' AND attribute_exists(x))"}) ==
        of("WriteCapacityUnits", 6));
  consumed({item("r", 1023), item("s", 4097)});
  CHECK(consumed({"SELECT * FROM Tab WHERE pk = 'r'", "SELECT * FROM Tab WHERE pk = 's'",
                  "SELECT * FROM Tab WHERE pk = 'none'"}) == of("ReadCapacityUnits", 8));
}

TEST_CASE("an unknown value of ReturnConsumedCapacity refuses the transaction") {
  DynamoDb db;
  CHECK(
      transact(db, {"SELECT"}, R"("ReturnConsumedCapacity": "none")").refusal() ==
      enveloped("Value 'none' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy "
                "enum value set: [INDEXES, TOTAL, NONE]"));
}

TEST_CASE("a transaction has 1 to 100 statements") {
  DynamoDb db;
  CHECK(transact(db, {}).refusal() == enveloped("Value '[]' at 'transactStatements' failed to satisfy "
                                                "constraint: Member must have length greater than "
                                                "or equal to 1"));
  CHECK(transact(db, std::vector<MemberOfTransaction>(101, "SELECT"))
            .refusal()
            .ends_with("' at 'transactStatements' failed to satisfy constraint: Member must have length less "
                       "than or equal to 100"));
}

}  // namespace test::partiql::transaction_test
