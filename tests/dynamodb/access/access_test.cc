#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/iam/identities.h"

#include "dynamodb/batch.h"
#include "support/tables.h"

// docs/service/insights-policies-account.md section 5. Who calls is known by the access key.
namespace test::access_test {
namespace {

constexpr std::string_view table_arn = "arn:aws:dynamodb:us-east-1:000000000000:table/Tab";

Json allow(const Json& action, const Json& condition = Json::object(), const Json& resource = "*") {
  Json statement = {{"Effect", "Allow"}, {"Action", action}, {"Resource", resource}};
  if (!condition.empty()) statement["Condition"] = condition;
  return statement;
}

Json deny(const Json& action, const Json& condition = Json::object()) {
  Json statement = allow(action, condition);
  statement["Effect"] = "Deny";
  return statement;
}

/// The user alice, who has the key AKIAALICE and one policy if there are statements, and the session s1 of
/// the role reader, which has the key ASIASESSION and none.
std::shared_ptr<const dinette::iam::Identities> identities(const Json& statements) {
  const Json policy = {{"PolicyName", "own"},
                       {"PolicyDocument", {{"Version", "2012-10-17"}, {"Statement", statements}}}};
  Json user = {{"UserName", "alice"}, {"UserId", "AIDA1"}, {"Arn", "arn:aws:iam::000000000000:user/alice"}};
  if (!statements.empty()) user["UserPolicyList"] = Json::array({policy});
  const Json role = {
      {"RoleName", "reader"}, {"RoleId", "AROA1"}, {"Arn", "arn:aws:iam::000000000000:role/reader"}};
  const Json session = {{"Credentials", {{"AccessKeyId", "ASIASESSION"}}},
                        {"AssumedRoleUser", {{"Arn", "arn:aws:sts::000000000000:assumed-role/reader/s1"}}}};
  const Json file = {
      {"UserDetailList", Json::array({user})},
      {"RoleDetailList", Json::array({role})},
      {"AccessKeyMetadata", Json::array({{{"UserName", "alice"}, {"AccessKeyId", "AKIAALICE"}}})},
      {"AssumedRoles", Json::array({session})}};
  auto read = dinette::iam::Identities::read(file.dump());
  REQUIRE(read.ok());
  return std::make_shared<const dinette::iam::Identities>(std::move(read).value());
}

dinette::dynamodb::ServiceOptions options_with(const Json& statements) {
  dinette::dynamodb::ServiceOptions options;
  options.identities = identities(statements);
  return options;
}

/// A server with the table Tab (pk), which the root user has made, where alice has these rights.
struct Guarded {
  explicit Guarded(const Json& statements) : db(options_with(statements)) { db.create_table("Tab"); }

  Reply as(std::string_view key, std::string_view operation, const Json& body) {
    return db.call(operation, body,
                   {{"Authorization", "AWS4-HMAC-SHA256 Credential=" + std::string(key) +
                                          "/20261010/us-east-1/dynamodb/aws4_request, "
                                          "SignedHeaders=host;x-amz-date, Signature=0"},
                    {"X-Amz-Date", "20261010T120000Z"}});
  }
  Reply as_alice(std::string_view operation, const Json& body) { return as("AKIAALICE", operation, body); }

  bool may(std::string_view operation, const Json& body) {
    return as_alice(operation, body).error() != "AccessDeniedException";
  }

  void give(const Json& statements) {
    db.ok("PutResourcePolicy",
          {{"ResourceArn", table_arn},
           {"Policy", Json{{"Version", "2012-10-17"}, {"Statement", statements}}.dump()}});
  }

  DynamoDb db;
};

Json key_of(std::string_view value) {
  return {{"pk", {{"S", value}}}};
}

Json item_request(std::string_view value, const Json& more = Json::object()) {
  Json request = {{"TableName", "Tab"}, {"Key", key_of(value)}};
  request.update(more);
  return request;
}

Json put_of(std::string_view value, const Json& more = Json::object()) {
  Json item = key_of(value);
  item.update(more);
  return {{"TableName", "Tab"}, {"Item", item}};
}

std::string refusal_of(std::string_view action, std::string_view resource = table_arn) {
  return "User: arn:aws:iam::000000000000:user/alice is not authorized to perform: dynamodb:" +
         std::string(action) + " on resource: " + std::string(resource) +
         " because no identity-based policy allows the dynamodb:" + std::string(action) + " action";
}

std::string denial_of(std::string_view action) {
  return "User: arn:aws:iam::000000000000:user/alice is not authorized to perform: dynamodb:" +
         std::string(action) + " on resource: " + std::string(table_arn) +
         " with an explicit deny in an identity-based policy";
}

const Json for_alice = {{"ForAllValues:StringEquals", {{"dynamodb:LeadingKeys", Json::array({"alice"})}}}};

}  // namespace

TEST_CASE("a user may do what its policy allows, and gets the service's text for the rest") {
  Guarded server(Json::array({allow("dynamodb:GetItem")}));
  CHECK(server.as_alice("GetItem", item_request("a")).status == 200);
  const Reply refused = server.as_alice("PutItem", put_of("a"));
  CHECK(refused.status == 400);
  CHECK(refused.error() == "AccessDeniedException");
  CHECK(refused.json().at("Message") == refusal_of("PutItem"));
  CHECK(server.as_alice("ListTables", Json::object()).json().at("Message") == refusal_of("ListTables", "*"));
}

TEST_CASE("a key that no identity has is the root user's") {
  Guarded server(Json::array());
  CHECK(server.as("AKIAROOT", "PutItem", put_of("a")).status == 200);
  CHECK(server.as_alice("PutItem", put_of("a")).status == 400);
}

TEST_CASE("an explicit deny") {
  Guarded server(Json::array({allow("*"), deny("dynamodb:DeleteTable")}));
  CHECK(server.as_alice("DeleteTable", {{"TableName", "Tab"}}).json().at("Message") ==
        denial_of("DeleteTable"));
  CHECK(server.as_alice("DescribeTable", {{"TableName", "Tab"}}).status == 200);
}

TEST_CASE("a table that does not exist is refused like one that does") {
  Guarded server(Json::array());
  CHECK(server.as_alice("DescribeTable", {{"TableName", "Nope"}}).json().at("Message") ==
        refusal_of("DescribeTable", "arn:aws:dynamodb:us-east-1:000000000000:table/Nope"));
}

TEST_CASE("an index is a resource of its own") {
  Guarded server(Json::array({allow("dynamodb:Query", Json::object(), table_arn)}));
  const Json on_table = {{"TableName", "Tab"},
                         {"KeyConditionExpression", "pk = :a"},
                         {"ExpressionAttributeValues", {{":a", {{"S", "a"}}}}}};
  CHECK(server.may("Query", on_table));
  CHECK(server.as_alice("Query", with(on_table, {{"IndexName", "byA"}})).json().at("Message") ==
        refusal_of("Query", std::string(table_arn) + "/index/byA"));
}

TEST_CASE("the policy of a table is enough for the user that it names") {
  Guarded server(Json::array());
  CHECK_FALSE(server.may("GetItem", item_request("a")));
  server.give(Json::array({{{"Effect", "Allow"},
                            {"Principal", {{"AWS", "arn:aws:iam::000000000000:user/alice"}}},
                            {"Action", "dynamodb:GetItem"},
                            {"Resource", table_arn}}}));
  CHECK(server.may("GetItem", item_request("a")));
  CHECK_FALSE(server.may("PutItem", put_of("a")));
  server.db.ok("DeleteResourcePolicy", {{"ResourceArn", table_arn}});
  CHECK_FALSE(server.may("GetItem", item_request("a")));
}

TEST_CASE("the policy that a table is made with is in force at once") {
  Guarded server(Json::array());
  const Json statement = {{"Effect", "Allow"},
                          {"Principal", {{"AWS", "arn:aws:iam::000000000000:user/alice"}}},
                          {"Action", "dynamodb:GetItem"},
                          {"Resource", "*"}};
  server.db.ok("CreateTable",
               with(on_demand("New"), {{"ResourcePolicy", Json{{"Statement", statement}}.dump()}}));
  CHECK(server.may("GetItem", {{"TableName", "New"}, {"Key", key_of("a")}}));
  CHECK_FALSE(server.may("GetItem", item_request("a")));
}

TEST_CASE("a policy that is longer as it is kept than as it was sent is in force") {
  Guarded server(Json::array({allow("*")}));
  Json principals = Json::array({"arn:aws:iam::000000000000:user/alice"});
  for (int i = 0; i < 1300; ++i) principals.push_back(std::to_string(111'122'220'000 + i));
  server.give(Json::array({{{"Effect", "Deny"},
                            {"Principal", {{"AWS", principals}}},
                            {"Action", "dynamodb:DeleteTable"},
                            {"Resource", table_arn}}}));
  CHECK_FALSE(server.may("DeleteTable", {{"TableName", "Tab"}}));
}

TEST_CASE("the policy of a table may bind those who would delete it") {
  Guarded server(Json::array());
  server.give(Json::array({{{"Effect", "Deny"},
                            {"Principal", "*"},
                            {"Action", "dynamodb:DeleteResourcePolicy"},
                            {"Resource", table_arn}}}));
  CHECK(server.db.call("DeleteResourcePolicy", Json{{"ResourceArn", table_arn}}).error() ==
        "AccessDeniedException");
}

TEST_CASE("the policy of a table binds the root user") {
  Guarded server(Json::array());
  server.give(Json::array({{{"Effect", "Deny"},
                            {"Principal", "*"},
                            {"Action", "dynamodb:DeleteTable"},
                            {"Resource", table_arn}}}));
  CHECK(server.db.call("DeleteTable", Json{{"TableName", "Tab"}}).json().at("Message") ==
        "User: arn:aws:iam::000000000000:root is not authorized to perform: dynamodb:DeleteTable on "
        "resource: " +
            std::string(table_arn) + " with an explicit deny in a resource-based policy");
}

TEST_CASE("the session of a role has the rights that a table gives to the role") {
  Guarded server(Json::array());
  CHECK(server.as("ASIASESSION", "GetItem", item_request("a")).status == 400);
  server.give(Json::array({{{"Effect", "Allow"},
                            {"Principal", {{"AWS", "arn:aws:iam::000000000000:role/reader"}}},
                            {"Action", "dynamodb:GetItem"},
                            {"Resource", table_arn}}}));
  CHECK(server.as("ASIASESSION", "GetItem", item_request("a")).status == 200);
}

TEST_CASE("a policy may only name users that are there") {
  Guarded server(Json::array());
  const Json statement = {{"Effect", "Allow"},
                          {"Principal", {{"AWS", "arn:aws:iam::000000000000:user/bob"}}},
                          {"Action", "dynamodb:GetItem"},
                          {"Resource", table_arn}};
  check_refused(server.db, "PutResourcePolicy",
                {{"ResourceArn", table_arn}, {"Policy", Json{{"Statement", statement}}.dump()}},
                invalid("Invalid principal in policy document."));
  // Those of other accounts are not known.
  server.give(
      Json::array({with(statement, {{"Principal", {{"AWS", "arn:aws:iam::444455556666:user/bob"}}}})}));
}

TEST_CASE("a user whose only right comes from the policy needs a confirmation to give it up") {
  Guarded server(Json::array());
  const auto giving = [](const Json& action) {
    const Json statement = {{"Effect", "Allow"},
                            {"Principal", {{"AWS", "arn:aws:iam::000000000000:user/alice"}}},
                            {"Action", action},
                            {"Resource", table_arn}};
    return Json{{"ResourceArn", table_arn}, {"Policy", Json{{"Statement", statement}}.dump()}};
  };
  server.db.ok("PutResourcePolicy", giving("dynamodb:*"));
  CHECK(server.as_alice("PutResourcePolicy", giving("dynamodb:GetItem")).message() ==
        "The new resource policy will not allow you to update the resource policy in the future.");
  CHECK(server
            .as_alice("PutResourcePolicy",
                      with(giving("dynamodb:GetItem"), {{"ConfirmRemoveSelfResourceAccess", true}}))
            .status == 200);
}

TEST_CASE("LeadingKeys are the partition keys of a request") {
  Guarded server(Json::array({allow("dynamodb:*", for_alice)}));
  const auto query = [](const std::string& expression, const Json& names = Json::object()) {
    Json request = {{"TableName", "Tab"},
                    {"KeyConditionExpression", expression},
                    {"ExpressionAttributeValues", {{":a", {{"S", "alice"}}}, {":b", {{"S", "bob"}}}}}};
    if (!names.empty()) request["ExpressionAttributeNames"] = names;
    return request;
  };
  CHECK(server.may("GetItem", item_request("alice")));
  CHECK_FALSE(server.may("GetItem", item_request("bob")));
  CHECK(server.may("PutItem", put_of("alice")));
  CHECK_FALSE(server.may("PutItem", put_of("bob")));
  CHECK(server.may("Query", query("pk = :a")));
  CHECK_FALSE(server.may("Query", query("pk = :b")));
  CHECK_FALSE(server.may("Query", query("#p = :b", {{"#p", "pk"}})));
  CHECK_FALSE(server.may("Query", query(":b = pk")));
  CHECK_FALSE(server.may(
      "Query",
      {{"TableName", "Tab"},
       {"KeyConditions",
        {{"pk", {{"ComparisonOperator", "EQ"}, {"AttributeValueList", Json::array({{{"S", "bob"}}})}}}}}}));
  CHECK(
      server.may("BatchGetItem", {{"RequestItems", {{"Tab", {{"Keys", Json::array({key_of("alice")})}}}}}}));
  CHECK_FALSE(
      server.may("BatchGetItem",
                 {{"RequestItems", {{"Tab", {{"Keys", Json::array({key_of("alice"), key_of("bob")})}}}}}}));
  CHECK_FALSE(
      server.may("BatchWriteItem",
                 {{"RequestItems", {{"Tab", Json::array({{{"PutRequest", {{"Item", key_of("bob")}}}}})}}}}));
  CHECK(server.may(
      "BatchWriteItem",
      {{"RequestItems", {{"Tab", Json::array({{{"DeleteRequest", {{"Key", key_of("alice")}}}}})}}}}));
}

TEST_CASE("a read of an index has the keys and the Select of the index") {
  Json condition = for_alice;
  condition["StringEquals"] = {{"dynamodb:Select", "ALL_PROJECTED_ATTRIBUTES"}};
  Guarded server(Json::array({allow("dynamodb:Query", condition)}));
  server.db.ok("CreateTable", table_request("Idx", "pk", "a", {global_index("byA", "a")}));
  const auto query = [](const std::string& attribute, const std::string& value) {
    Json request = {{"TableName", "Idx"},
                    {"KeyConditionExpression", attribute + " = :v"},
                    {"ExpressionAttributeValues", {{":v", {{"S", value}}}}}};
    if (attribute == "a") request["IndexName"] = "byA";
    return request;
  };
  CHECK(server.may("Query", query("a", "alice")));
  CHECK_FALSE(server.may("Query", query("a", "bob")));
  CHECK_FALSE(server.may("Query", query("pk", "alice")));
}

TEST_CASE("keys that every request has") {
  const auto may = [](const Json& condition) {
    Guarded server(Json::array({allow("dynamodb:*", condition)}));
    return server.may("GetItem", item_request("a"));
  };
  CHECK(may({{"StringEquals", {{"aws:RequestedRegion", "us-east-1"}}}}));
  CHECK_FALSE(may({{"StringEquals", {{"aws:RequestedRegion", "eu-west-1"}}}}));
  CHECK(may({{"StringEquals", {{"aws:ResourceAccount", "000000000000"}}}}));
  CHECK_FALSE(may({{"StringEquals", {{"aws:ResourceAccount", "111122223333"}}}}));
  CHECK(may({{"NumericGreaterThan", {{"aws:EpochTime", "1"}}}}));
  CHECK_FALSE(may({{"NumericLessThan", {{"aws:EpochTime", "1"}}}}));
  CHECK(may({{"DateGreaterThan", {{"aws:CurrentTime", "1971-01-01T00:00:00Z"}}}}));
  CHECK_FALSE(may({{"DateLessThan", {{"aws:CurrentTime", "1971-01-01T00:00:00Z"}}}}));
}

TEST_CASE("Attributes are all that a request names") {
  const Json only = {{"ForAllValues:StringEquals", {{"dynamodb:Attributes", Json::array({"pk", "title"})}}}};
  Guarded server(Json::array({allow("dynamodb:*", only)}));
  const auto projected = [](const std::string& projection, const Json& names = Json::object()) {
    Json request = item_request("a", {{"ProjectionExpression", projection}});
    if (!names.empty()) request["ExpressionAttributeNames"] = names;
    return request;
  };
  CHECK(server.may("GetItem", projected("pk, title.first[0].salary")));
  CHECK_FALSE(server.may("GetItem", projected("pk, salary")));
  CHECK_FALSE(server.may("GetItem", projected("#s", {{"#s", "salary"}})));
  CHECK_FALSE(server.may("GetItem", item_request("a", {{"AttributesToGet", Json::array({"salary"})}})));
  CHECK(server.may("PutItem", put_of("a", {{"title", {{"S", "t"}}}})));
  CHECK_FALSE(server.may("PutItem", put_of("a", {{"salary", {{"N", "1"}}}})));
  const auto update = [](const std::string& expression, const std::string& condition) {
    return item_request("a", {{"UpdateExpression", expression},
                              {"ConditionExpression", condition},
                              {"ExpressionAttributeValues", {{":v", {{"S", "v"}}}}}});
  };
  CHECK(server.may("UpdateItem", update("SET title = :v", "attribute_not_exists(title)")));
  CHECK_FALSE(server.may("UpdateItem", update("SET salary = :v", "attribute_not_exists(title)")));
  CHECK_FALSE(server.may("UpdateItem", update("SET title = :v", "attribute_not_exists(salary)")));
}

// docs/service/vector-search.md, "Elsewhere".
TEST_CASE("a search is a right on the index, and has none of the keys of items") {
  for (const std::string key : {"dynamodb:Attributes", "dynamodb:Select", "dynamodb:LeadingKeys"}) {
    const Json condition = {{"Null", {{key, "false"}}}};
    Guarded server(
        Json::array({allow("dynamodb:SearchVectors", Json::object(), std::string(table_arn) + "/index/byV"),
                     deny("dynamodb:*", condition)}));
    const Json search = {{"TableName", "Tab"},
                         {"IndexName", "byV"},
                         {"SearchVector", Json::array({{{"N", "1"}}})},
                         {"TopK", 1},
                         {"ProjectionExpression", "pk"},
                         {"SearchConditionExpression", "pk = :a"},
                         {"ExpressionAttributeValues", {{":a", {{"S", "a"}}}}}};
    CHECK(server.may("SearchVectors", search));
    CHECK(server.as_alice("SearchVectors", with(search, {{"IndexName", "other"}})).json().at("Message") ==
          refusal_of("SearchVectors", std::string(table_arn) + "/index/other"));
  }
}

TEST_CASE("a replica needs rights in its region") {
  const auto update = [](const std::string& action) {
    return Json{{"TableName", "Tab"},
                {"ReplicaUpdates", Json::array({{{action, {{"RegionName", "eu-west-1"}}}}})}};
  };
  const std::string there = "arn:aws:dynamodb:eu-west-1:000000000000:table/Tab";
  {
    Guarded server(Json::array({allow("dynamodb:UpdateTable")}));
    CHECK(server.as_alice("UpdateTable", update("Create")).json().at("Message") ==
          refusal_of("CreateTableReplica", there));
    CHECK(server.as_alice("UpdateTable", update("Delete")).json().at("Message") ==
          "'AccessDeniedException':'" + refusal_of("DeleteTableReplica", there) + "'.");
    CHECK(server.may("UpdateTable", {{"TableName", "Tab"}, {"DeletionProtectionEnabled", false}}));
  }
  {
    Guarded server(Json::array({allow("dynamodb:*"), allow("dynamodb:Scan")}));
    CHECK(server.may("UpdateTable", update("Create")));
    CHECK(server.may("UpdateTable", update("Delete")));
  }
  for (const std::string right :
       {"Scan", "Query", "UpdateItem", "PutItem", "GetItem", "DeleteItem", "BatchWriteItem"}) {
    Guarded server(Json::array({allow("dynamodb:*"), deny("dynamodb:" + right)}));
    CHECK(server.as_alice("UpdateTable", update("Create"))
              .message()
              .find("perform: dynamodb:" + right + " on resource: " + there) != std::string::npos);
    CHECK(server.may("UpdateTable", update("Delete")));
  }
}

TEST_CASE("Select, ReturnValues and ReturnConsumedCapacity are what a request says") {
  const Json condition = {{"StringEqualsIfExists",
                           {{"dynamodb:Select", "SPECIFIC_ATTRIBUTES"},
                            {"dynamodb:ReturnValues", Json::array({"NONE", "UPDATED_NEW"})},
                            {"dynamodb:ReturnConsumedCapacity", "NONE"}}}};
  Guarded server(Json::array({allow("dynamodb:*", condition)}));
  CHECK(server.may("Scan", {{"TableName", "Tab"}, {"ProjectionExpression", "pk"}}));
  CHECK_FALSE(server.may("Scan", {{"TableName", "Tab"}}));
  CHECK_FALSE(server.may("Scan", {{"TableName", "Tab"}, {"Select", "COUNT"}}));
  CHECK_FALSE(server.may("GetItem", item_request("a")));
  CHECK_FALSE(
      server.may("BatchGetItem", {{"RequestItems", {{"Tab", {{"Keys", Json::array({key_of("a")})}}}}}}));
  CHECK(server.may("DeleteItem", item_request("a")));
  CHECK_FALSE(server.may("DeleteItem", item_request("a", {{"ReturnValues", "ALL_OLD"}})));
  CHECK_FALSE(server.may("DeleteItem", item_request("a", {{"ReturnConsumedCapacity", "TOTAL"}})));
}

TEST_CASE("a transaction needs the right of each of its actions, and is refused as a whole") {
  Guarded server(Json::array({allow(Json::array({"dynamodb:PutItem", "dynamodb:GetItem"}))}));
  const Json put = {{"Put", put_of("a")}};
  const Json check = {
      {"ConditionCheck", item_request("b", {{"ConditionExpression", "attribute_not_exists(pk)"}})}};
  CHECK(server.may("TransactWriteItems", {{"TransactItems", Json::array({put})}}));
  const Reply refused = server.as_alice("TransactWriteItems", {{"TransactItems", Json::array({put, check})}});
  CHECK(refused.error() == "AccessDeniedException");
  CHECK(refused.json().at("Message") == refusal_of("ConditionCheckItem"));
  CHECK(server.may("TransactGetItems", {{"TransactItems", Json::array({{{"Get", item_request("a")}}})}}));
  const Json remove = {{"Delete", item_request("c")}};
  CHECK(server.as_alice("TransactWriteItems", {{"TransactItems", Json::array({put, remove})}})
            .json()
            .at("Message") == refusal_of("DeleteItem"));
  const Json update = {{"Update", item_request("c", {{"UpdateExpression", "REMOVE a"}})}};
  CHECK(server.as_alice("TransactWriteItems", {{"TransactItems", Json::array({put, update})}})
            .json()
            .at("Message") == refusal_of("UpdateItem"));
  Guarded other(Json::array({allow(Json::array({"dynamodb:PutItem", "dynamodb:PartiQLSelect"}))}));
  CHECK(other.as_alice("TransactGetItems", {{"TransactItems", Json::array({{{"Get", item_request("a")}}})}})
            .json()
            .at("Message") == refusal_of("GetItem"));
}

TEST_CASE("EnclosingOperation is the transaction around an action") {
  const Json inside = {{"StringEquals", {{"dynamodb:EnclosingOperation", "TransactWriteItems"}}}};
  Guarded server(Json::array({allow("dynamodb:PutItem", inside)}));
  CHECK_FALSE(server.may("PutItem", put_of("a")));
  CHECK(server.may("TransactWriteItems", {{"TransactItems", Json::array({{{"Put", put_of("a")}}})}}));
}

TEST_CASE("statements have actions of their own") {
  Guarded server(Json::array({allow(Json::array({"dynamodb:PartiQLSelect", "dynamodb:PartiQLInsert"}))}));
  CHECK(server.may("ExecuteStatement", {{"Statement", R"(INSERT INTO "Tab" VALUE {'pk': 'a'})"}}));
  CHECK(server.may("ExecuteStatement", {{"Statement", R"(SELECT * FROM "Tab" WHERE pk = 'a')"}}));
  const Reply refused =
      server.as_alice("ExecuteStatement", {{"Statement", R"(DELETE FROM "Tab" WHERE pk = 'a')"}});
  CHECK(refused.json().at("Message") == refusal_of("PartiQLDelete"));
  CHECK_FALSE(server.may("ExecuteStatement", {{"Statement", R"(UPDATE "Tab" SET a = 1 WHERE pk = 'a')"}}));
  CHECK_FALSE(server.may("GetItem", item_request("a")));
}

TEST_CASE("a statement of a batch is refused alone, one of a transaction cancels it") {
  Guarded server(
      Json::array({allow("dynamodb:PartiQLInsert"),
                   deny("dynamodb:PartiQLInsert", {{"StringEquals", {{"dynamodb:LeadingKeys", "b"}}}})}));
  const Json statements = Json::array({{{"Statement", R"(INSERT INTO "Tab" VALUE {'pk': 'a'})"}},
                                       {{"Statement", R"(INSERT INTO "Tab" VALUE {'pk': 'b'})"}}});
  const Json responses =
      server.as_alice("BatchExecuteStatement", {{"Statements", statements}}).json().at("Responses");
  CHECK(responses.at(0) == Json{{"TableName", "Tab"}});
  CHECK(responses.at(1).at("TableName") == "Tab");
  CHECK(responses.at(1).at("Error") ==
        Json{{"Code", "AccessDenied"}, {"Message", denial_of("PartiQLInsert")}});

  const Reply cancelled = server.as_alice(
      "ExecuteTransaction",
      {{"TransactStatements",
        Json::array({{{"Statement", R"(INSERT INTO "Tab" VALUE {'pk': 'c'})"}}, statements.at(1)})}});
  CHECK(cancelled.error() == "TransactionCanceledException");
  const Json reasons = cancelled.json().at("CancellationReasons");
  CHECK(reasons.at(0) == Json{{"Code", "None"}});
  CHECK(reasons.at(1) == Json{{"Code", "AccessDenied"}, {"Message", denial_of("PartiQLInsert")}});
}

TEST_CASE("conditions on statements: keys, attributes, scans and what is around them") {
  const auto denied_by = [](const Json& condition) {
    return Json::array({allow("dynamodb:*"), deny("dynamodb:PartiQL*", condition)});
  };
  const auto may = [](Guarded& server, const std::string& statement) {
    return server.may("ExecuteStatement", {{"Statement", statement}});
  };
  {
    Guarded server(denied_by({{"Bool", {{"dynamodb:FullTableScan", "true"}}}}));
    CHECK(may(server, R"(SELECT * FROM "Tab" WHERE pk = 'a')"));
    CHECK_FALSE(may(server, R"(SELECT * FROM "Tab")"));
    CHECK_FALSE(may(server, R"(SELECT * FROM "Tab" WHERE a = 'a')"));
    CHECK(may(server, R"(INSERT INTO "Tab" VALUE {'pk': 'a'})"));
  }
  {
    Guarded server(denied_by({{"ForAnyValue:StringEquals", {{"dynamodb:LeadingKeys", "b"}}}}));
    CHECK_FALSE(may(server, R"(SELECT * FROM "Tab" WHERE pk IN ['a', 'b'])"));
    CHECK(may(server, R"(SELECT * FROM "Tab" WHERE pk = 'a')"));
    CHECK(may(server, R"(SELECT * FROM "Tab")"));
    CHECK_FALSE(may(server, R"(DELETE FROM "Tab" WHERE pk = 'b')"));
  }
  {
    Guarded server(denied_by({{"ForAnyValue:StringEquals", {{"dynamodb:Attributes", "salary"}}}}));
    CHECK_FALSE(may(server, R"(SELECT salary FROM "Tab" WHERE pk = 'a')"));
    CHECK_FALSE(may(server, R"(SELECT pk FROM "Tab" WHERE pk = 'a' AND salary > 1)"));
    CHECK_FALSE(may(server, R"(UPDATE "Tab" SET salary = 1 WHERE pk = 'a')"));
    CHECK_FALSE(may(server, R"(UPDATE "Tab" SET a = salary WHERE pk = 'a')"));
    CHECK(may(server, R"(SELECT * FROM "Tab" WHERE pk = 'a')"));
  }
  {
    Guarded server(denied_by({{"Null", {{"dynamodb:EnclosingOperation", "false"}}}}));
    CHECK(may(server, R"(INSERT INTO "Tab" VALUE {'pk': 'a'})"));
    const Json statements = Json::array({{{"Statement", R"(INSERT INTO "Tab" VALUE {'pk': 'b'})"}}});
    CHECK(server.as_alice("BatchExecuteStatement", {{"Statements", statements}})
              .json()
              .at("Responses")
              .at(0)
              .contains("Error"));
  }
  for (const std::string around : {"BatchExecuteStatement", "ExecuteTransaction"}) {
    Guarded server(denied_by({{"StringEquals", {{"dynamodb:EnclosingOperation", around}}}}));
    const Json statements = Json::array({{{"Statement", R"(INSERT INTO "Tab" VALUE {'pk': 'b'})"}}});
    const bool in_batch = server.as_alice("BatchExecuteStatement", {{"Statements", statements}})
                              .json()
                              .at("Responses")
                              .at(0)
                              .contains("Error");
    CHECK(in_batch == (around == "BatchExecuteStatement"));
    const Json others = Json::array({{{"Statement", R"(INSERT INTO "Tab" VALUE {'pk': 'c'})"}}});
    const bool in_transaction =
        server.as_alice("ExecuteTransaction", {{"TransactStatements", others}}).status == 400;
    CHECK(in_transaction == (around == "ExecuteTransaction"));
  }
  {
    // Every SELECT says if it scans.
    Guarded server(denied_by({{"Null", {{"dynamodb:FullTableScan", "false"}}}}));
    CHECK_FALSE(may(server, R"(SELECT * FROM "Tab" WHERE pk = 'a')"));
    CHECK_FALSE(may(server, R"(SELECT * FROM "Tab" WHERE pk = 'a' AND pk = 'b')"));
    CHECK(may(server, R"(DELETE FROM "Tab" WHERE pk = 'a')"));
  }
  {
    // What looks like keys, and scans, has none.
    Guarded server(denied_by({{"Null", {{"dynamodb:LeadingKeys", "false"}}}}));
    CHECK_FALSE(may(server, R"(SELECT * FROM "Tab" WHERE pk = 'a')"));
    CHECK(may(server, R"(SELECT * FROM "Tab" WHERE pk = 'a' AND pk = 'b')"));
  }
}

TEST_CASE("what is wrong with a statement comes before or after its rights") {
  Guarded server(
      Json::array({allow("dynamodb:*"),
                   deny("dynamodb:PartiQL*", {{"ForAnyValue:StringEquals", {{"dynamodb:LeadingKeys", "b"}}}}),
                   deny("dynamodb:PartiQL*", {{"Bool", {{"dynamodb:FullTableScan", "true"}}}})}));
  const auto error = [&](const std::string& statement) {
    return server.as_alice("ExecuteStatement", {{"Statement", statement}}).error();
  };
  CHECK(error(R"(SELECT * FROM "Tab" WHERE pk = 'b' ORDER BY a)") == "AccessDeniedException");
  CHECK(error(R"(SELECT * FROM "Tab" WHERE pk = 'a' ORDER BY a)") == "ValidationException");
  CHECK(error(R"(SELECT * FROM "Tab" WHERE a = 'b' ORDER BY pk)") == "ValidationException");
  CHECK(error(R"(SELECT * FROM "Tab" WHERE a = 'b')") == "AccessDeniedException");
  CHECK(error(R"(SELECT * FROM "Tab" WHERE pk = 'b' AND)") == "ValidationException");

  Guarded none(Json::array());
  const auto first_of_batch = [&](const std::string& statement) {
    const Json statements = Json::array({{{"Statement", statement}}});
    return none.as_alice("BatchExecuteStatement", {{"Statements", statements}})
        .json()
        .at("Responses")
        .at(0)
        .at("Error")
        .at("Code");
  };
  CHECK(first_of_batch(R"(SELECT * FROM "Tab" WHERE pk = 'a')") == "AccessDenied");
  CHECK(first_of_batch(R"(SELECT * FROM "Tab" WHERE a = 'a')") == "ValidationError");
  const auto transacted = [&](const std::string& statement) {
    const Json statements = Json::array({{{"Statement", statement}}});
    const Reply reply = none.as_alice("ExecuteTransaction", {{"TransactStatements", statements}});
    const bool cancelled = reply.error() == "TransactionCanceledException";
    return cancelled ? reply.json().at("CancellationReasons").at(0).at("Code").get<std::string>()
                     : reply.error();
  };
  CHECK(transacted(R"(SELECT * FROM "Tab" WHERE pk = 'a')") == "AccessDenied");
  CHECK(transacted(R"(SELECT * FROM "Tab" WHERE a = 'a')") == "ValidationException");
  CHECK(transacted(R"(DELETE FROM "Tab" WHERE pk = 'a')") == "AccessDenied");
  CHECK(transacted(R"(DELETE FROM "Tab" WHERE pk = 'a' RETURNING ALL OLD *)") == "ValidationException");
}

TEST_CASE("the stream of a table is a resource, also by its iterators") {
  Guarded server(Json::array({allow("dynamodb:GetShardIterator"), allow("dynamodb:DescribeStream")}));
  const Json stream = {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}};
  const std::string arn = server.db.ok("UpdateTable", {{"TableName", "Tab"}, {"StreamSpecification", stream}})
                              .at("TableDescription")
                              .at("LatestStreamArn");
  const auto streams = [&](std::string_view operation, const Json& body) {
    return server.db.send("POST", "/",
                          {{"X-Amz-Target", "DynamoDBStreams_20120810." + std::string(operation)},
                           {"Authorization",
                            "AWS4-HMAC-SHA256 Credential=AKIAALICE/20261010/us-east-1/dynamodb/aws4_request, "
                            "SignedHeaders=host;x-amz-date, Signature=0"},
                           {"X-Amz-Date", "20261010T120000Z"}},
                          body.dump());
  };
  const Json described = streams("DescribeStream", {{"StreamArn", arn}}).json().at("StreamDescription");
  const Json iterator = streams("GetShardIterator", {{"StreamArn", arn},
                                                     {"ShardId", described.at("Shards").at(0).at("ShardId")},
                                                     {"ShardIteratorType", "TRIM_HORIZON"}})
                            .json()
                            .at("ShardIterator");
  CHECK(streams("GetRecords", {{"ShardIterator", iterator}}).message() == refusal_of("GetRecords", arn));
  const Json statement = {{"Effect", "Allow"},
                          {"Principal", {{"AWS", "arn:aws:iam::000000000000:user/alice"}}},
                          {"Action", "dynamodb:*"},
                          {"Resource", "*"}};
  server.give(Json::array({statement}));
  CHECK(streams("GetRecords", {{"ShardIterator", iterator}}).status == 400);
  server.db.ok("PutResourcePolicy",
               {{"ResourceArn", arn}, {"Policy", Json{{"Statement", statement}}.dump()}});
  CHECK(streams("GetRecords", {{"ShardIterator", iterator}}).status == 200);
}

}  // namespace test::access_test
