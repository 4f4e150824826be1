#include <catch2/catch.hpp>

#include "statements.h"
#include "support/tables.h"

// docs/service/partiql.md section 7.
namespace test::partiql::batch_test {
namespace {

struct MemberOfBatch {
  std::string text;
  std::string members;

  MemberOfBatch(std::string statement_text, std::string more = "")
      : text(std::move(statement_text)), members(std::move(more)) {}
  MemberOfBatch(const char* statement_text, std::string more = "")
      : text(statement_text), members(std::move(more)) {}
};

Reply batch_of(DynamoDb& db, const std::vector<MemberOfBatch>& statements, std::string_view members = "") {
  std::string body = R"({"Statements": [)";
  for (const MemberOfBatch& one : statements)
    body.append(&one == &statements.front() ? "" : ", ").append(statement(one.text, one.members));
  body += "]";
  if (!members.empty()) body.append(", ").append(members);
  return db.call("BatchExecuteStatement", body + "}");
}

Json responses(DynamoDb& db, const std::vector<MemberOfBatch>& statements) {
  const Reply reply = batch_of(db, statements);
  INFO(reply.body);
  REQUIRE(reply.status == 200);
  return reply.json().at("Responses");
}

Json failed(const std::string& code, const std::string& message) {
  return {{"Error", {{"Code", code}, {"Message", message}}}};
}

Json failed_there(const std::string& code, const std::string& message) {
  Json response = failed(code, message);
  response["TableName"] = the_table;
  return response;
}

const Json nothing = {{"TableName", the_table}};
const std::string no_key =
    "Select statements within BatchExecuteStatement must specify the primary key in the where clause.";

std::string insert(const std::string& pk, const std::string& x = "x") {
  return "INSERT INTO Tab VALUE {'pk': '" + pk + "', 'x': '" + x + "'}";
}

}  // namespace

TEST_CASE("members are answered one by one") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(responses(db, {insert("a"), insert("b"), "DELETE FROM Tab WHERE pk = 'none'"}) ==
        listed(nothing, nothing, nothing));
  CHECK(responses(db, {"SELECT x FROM Tab WHERE pk = 'a'", "SELECT * FROM Tab WHERE pk = 'none'"}) ==
        Json::parse(R"([{"TableName": "Tab", "Item": {"x": {"S": "x"}}}, {"TableName": "Tab"}])"));
  CHECK(responses(db, {insert("a"), "UPDATE Tab SET x = 'z' WHERE pk = 'b' AND x = 'y'", insert("c"),
                       "nonsense here", "UPDATE none SET x = 1 WHERE pk = 'a'", "DELETE FROM Tab",
                       MemberOfBatch("DELETE FROM Tab WHERE pk = ?", parameters(R"({"N": "x"})"))}) ==
        listed(failed_there("DuplicateItem", "Duplicate primary key exists in table"),
               failed_there("ConditionalCheckFailed", "The conditional request failed"), nothing,
               failed("ValidationError", ill_formed("Unexpected token after expression")),
               failed("ResourceNotFound", "Requested resource not found"),
               failed("ValidationError",
                      "Where clause does not contain a mandatory equality on all key attributes"),
               failed("ValidationError", "The parameter cannot be converted to a numeric value: x")));
  CHECK(responses(db, {MemberOfBatch("INSERT INTO Tab VALUE ?", parameters(R"({"M": {}})"))}) ==
        listed(failed("ValidationError",
                      "Unsupported format in item expression. Please use struct format {...} to express item "
                      "values for insert statement. at 1:23:1")));
  CHECK(db.get(the_table, {{"pk", {{"S", "c"}}}}).is_object());
  CHECK(responses(db, {"SELECT * FROM none WHERE pk = 'a'"}) ==
        listed(failed("ResourceNotFound", "Requested resource not found")));
}

TEST_CASE("what fails while it runs names its table") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("m": {"M": {"l": {"L": []}}}, "s": {"S": "x"})");
  std::string deep = R"({"S": "x"})";
  for (int i = 0; i < 31; ++i) deep = R"({"L": [)" + deep + "]}";
  CHECK(responses(db, {MemberOfBatch("UPDATE Tab SET m.l[0] = ? WHERE pk = 'a'", parameters(deep))}) ==
        listed(failed_there("ValidationError", "Nesting Levels have exceeded supported limits")));
  CHECK(responses(db, {"UPDATE Tab SET x = s + 1 WHERE pk = 'a'"}) ==
        listed(failed_there("ValidationError",
                            "An operand in the update expression has an incorrect data type")));
}

TEST_CASE("a failed condition returns the item if that is asked for, a duplicate does not") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("x": {"S": "x"})");
  const std::string all_old = R"("ReturnValuesOnConditionCheckFailure": "ALL_OLD")";
  const Json answer =
      responses(db, {MemberOfBatch("UPDATE Tab SET x = 'y' WHERE pk = 'a' AND x = 'z'", all_old),
                     MemberOfBatch("UPDATE Tab SET x = 'y' WHERE pk = 'b'", all_old)});
  CHECK(answer[0].at("Error").at("Item") == Json::parse(R"({"pk": {"S": "a"}, "x": {"S": "x"}})"));
  CHECK(answer[1] == failed_there("ConditionalCheckFailed", "The conditional request failed"));
  CHECK(responses(db, {MemberOfBatch(insert("a"), all_old)}) ==
        listed(failed_there("DuplicateItem", "Duplicate primary key exists in table")));
}

TEST_CASE("RETURNING in a batch") {
  DynamoDb db;
  db.create_table(the_table);
  store_item(db, R"("x": {"S": "x"}, "y": {"S": "y"})");
  CHECK(responses(db, {"UPDATE Tab SET x = 'z' WHERE pk = 'a' RETURNING MODIFIED NEW *"}) ==
        Json::parse(R"([{"TableName": "Tab", "Item": {"x": {"S": "z"}}}])"));
  CHECK(responses(db, {"UPDATE Tab REMOVE x WHERE pk = 'a' RETURNING MODIFIED NEW *"}) == listed(nothing));
  CHECK(responses(db, {"DELETE FROM Tab WHERE pk = 'a' RETURNING ALL OLD *"})[0].at("Item").size() == 2);
}

TEST_CASE("a select of a batch names one item, and says nothing more") {
  DynamoDb db;
  db.ok("CreateTable", table_request("Tab", "pk sk:N", "", {global_index("idx", "pk", "sk")}));
  executed(db, "INSERT INTO Tab VALUE {'pk': 'a', 'sk': 1, 'x': 'x'}");
  for (const std::string text : {"SELECT * FROM Tab", "SELECT * FROM Tab WHERE pk = 'a'",
                                 "SELECT * FROM Tab WHERE pk = 'a' AND sk > 1",
                                 "SELECT * FROM Tab WHERE pk = 'a' AND sk = 1 AND x = 'x'",
                                 "SELECT * FROM Tab WHERE pk = 'a' AND sk = 1 AND sk = 2",
                                 "SELECT * FROM Tab WHERE pk = 'a' AND sk IN [1, 2]",
                                 "SELECT * FROM Tab.idx WHERE pk = 'a' AND sk = 1",
                                 "SELECT * FROM Tab WHERE pk = 'a' AND sk = 1 AND attribute_exists(pk)",
                                 "SELECT * FROM Tab WHERE NOT pk = 'a'"}) {
    INFO(text);
    CHECK(responses(db, {text}) == listed(failed("ValidationError", no_key)));
  }
  for (const std::string text : {"SELECT x FROM Tab WHERE sk = 1 AND pk IN ['a']",
                                 "SELECT x FROM Tab WHERE pk = 'a' AND sk = 1 AND sk = 1.0 AND pk = 'a'"})
    CHECK(responses(db, {text})[0].contains("Item"));
  std::string list = "0";
  for (int i = 1; i < 101; ++i) list += ", " + std::to_string(i);
  CHECK(responses(db, {"SELECT * FROM Tab WHERE pk = 'a' AND sk IN [" + list + "]"}) ==
        listed(failed("ValidationError",
                      "The IN operator is provided with too many operands; number of operands: 101")));
  CHECK(responses(db, {"SELECT * FROM Tab WHERE pk = 'a' AND sk IN [" + list.substr(3) + "]"}) ==
        listed(failed("ValidationError", "Too many decomposed read operations for a given query.")));
  CHECK(responses(db, {"SELECT COUNT(*) FROM Tab"}) ==
        listed(failed("ValidationError", "Unexpected path component at 1:8:5")));
}

TEST_CASE("reads and writes do not mix") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(batch_of(db, {insert("a"), "SELECT * FROM Tab WHERE pk = 'b'"}).refusal() ==
        "Read and write requests together in the same batch is not supported.");
  CHECK(batch_of(db, {insert("a"), "SELECT * FROM none"}).refusal() ==
        "Read and write requests together in the same batch is not supported.");
  CHECK(db.get(the_table, key_a).is_null());
  CHECK(batch_of(db, {insert("a"), "SELECT * FROM"}).status == 200);
}

TEST_CASE("two members are not about one item") {
  DynamoDb db;
  db.create_table(the_table);
  const std::string message = "Provided list of item keys contains duplicates";
  CHECK(batch_of(db, {insert("a"), insert("b"), insert("a")}).refusal() == message);
  CHECK(batch_of(db, {"DELETE FROM Tab WHERE pk = 'a'", insert("a")}).refusal() == message);
  CHECK(batch_of(db, {"UPDATE Tab SET x = 1 WHERE pk = 'a'", "UPDATE Tab SET y = 1 WHERE pk = 'a'"})
            .refusal() == message);
  CHECK(batch_of(db, {"SELECT * FROM Tab WHERE pk = 'a'", "SELECT * FROM Tab WHERE pk IN ['a']"}).refusal() ==
        message);
  CHECK(db.get(the_table, key_a).is_null());
}

TEST_CASE("EXISTS is not for batches") {
  DynamoDb db;
  db.create_table(the_table);
  CHECK(responses(db, {"EXISTS(SELECT * FROM Tab WHERE pk = 'a' AND x = 1)", insert("a")}) ==
        listed(failed("ValidationError", "EXISTS can only be used in ExecuteTransaction write requests."),
               nothing));
}

TEST_CASE("a batch has 1 to 25 statements") {
  DynamoDb db;
  CHECK(batch_of(db, {}).refusal() == enveloped("Value '[]' at 'statements' failed to satisfy constraint: "
                                                "Member must have length greater than or equal "
                                                "to 1"));
  CHECK(batch_of(db, std::vector<MemberOfBatch>(25, "SELECT * FROM")).status == 200);
  const std::string message = batch_of(db, std::vector<MemberOfBatch>(26, "SELECT * FROM")).refusal();
  CHECK(message.starts_with(enveloped("Value '[")));
  CHECK(message.ends_with(
      "' at 'statements' failed to satisfy constraint: Member must have length less than or equal to 25"));
}

TEST_CASE("what a batch costs") {
  DynamoDb db;
  db.create_table(the_table);
  db.create_table("Other");
  const auto capacity = [&](const std::vector<MemberOfBatch>& statements) {
    const Reply reply = batch_of(db, statements, R"("ReturnConsumedCapacity": "INDEXES")");
    INFO(reply.body);
    REQUIRE(reply.status == 200);
    return reply.json().value("ConsumedCapacity", Json());
  };
  const auto of = [](std::string_view table, double units, double arm) {
    return Json{{"TableName", table}, {"CapacityUnits", units}, {"Table", {{"CapacityUnits", arm}}}};
  };
  CHECK(capacity({insert("small"), insert("four", std::string(4080, 'x')),
                  "INSERT INTO Other VALUE {'pk': 'a'}"}) == listed(of(the_table, 5, 5), of("Other", 1, 1)));
  const std::string consistent = R"("ConsistentRead": true)";
  const std::vector<MemberOfBatch> reads = {"SELECT * FROM Tab WHERE pk = 'small'",
                                            "SELECT * FROM Tab WHERE pk = 'four'",
                                            "SELECT * FROM Tab WHERE pk = 'none'"};
  CHECK(capacity(reads) == listed(of(the_table, 1.5, 1.5)));
  CHECK(capacity({MemberOfBatch(reads[0].text, consistent), reads[1],
                  MemberOfBatch(reads[2].text, consistent)}) == listed(of(the_table, 2.5, 2.5)));
  capacity({insert("1023", std::string(1016, 'x')), insert("4097", std::string(4090, 'x'))});
  for (const bool strongly : {false, true}) {
    std::vector<MemberOfBatch> recorded;
    for (const std::string pk : {"1023", "4097", "none"})
      recorded.emplace_back("SELECT * FROM Tab WHERE pk = '" + pk + "'", strongly ? consistent : "");
    CHECK(capacity(recorded) == listed(of(the_table, strongly ? 4 : 2, strongly ? 4 : 2)));
  }
  db.put(the_table, {{"pk", {{"S", "large"}}}, {"x", {{"S", std::string(8400, 'x')}}}});
  CHECK(capacity({insert("large"), insert("new")}) == listed(of(the_table, 10, 1)));
  CHECK(capacity({"UPDATE Tab SET x = 1 WHERE pk = 'large' AND x = 1", insert("newer")}) ==
        listed(of(the_table, 10, 1)));
  CHECK(capacity({"UPDATE Tab SET x = 1 WHERE pk = 'none'", "DELETE FROM Tab WHERE pk = 'nothing'"}) ==
        listed(of(the_table, 2, 1)));
  CHECK(capacity({insert("large")}).is_null());
  // An item that is not stored, however large, costs nothing.
  CHECK(capacity({insert("small", std::string(5000, 'x')), insert("newest")}) == listed(of(the_table, 2, 1)));
  CHECK(capacity({insert("large"), "DELETE FROM Other WHERE pk = 'x'"}) == listed(of("Other", 1, 1)));
  CHECK(capacity({"SELECT * FROM Tab", reads[0]}) == listed(of(the_table, 0.5, 0.5)));
}

TEST_CASE("an unknown value of ReturnConsumedCapacity refuses the request") {
  DynamoDb db;
  const std::string wish = R"("ReturnConsumedCapacity": "none")";
  const std::string message = enveloped(
      "Value 'none' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value "
      "set: "
      "[INDEXES, TOTAL, NONE]");
  CHECK(batch_of(db, {"SELECT"}, wish).refusal() == message);
  check_refused_statement(db, "SELECT", message, wish);
}

}  // namespace test::partiql::batch_test
