#include <chrono>
#include <string>
#include <string_view>

#include <catch2/catch.hpp>

#include "dynamodb/batch.h"
#include "support/tables.h"

// docs/service/insights-policies-account.md section 2. Nothing is refused here, as no identities are known.
namespace test::resource_policy_test {
namespace {

const std::string alice = "arn:aws:iam::000000000000:user/alice";

Json statement(const std::string& effect, const Json& principal, const Json& action) {
  return {{"Effect", effect}, {"Principal", principal}, {"Action", action}, {"Resource", arn_of("Tab")}};
}

Json policy_with(const Json& statements) {
  return {{"Version", "2012-10-17"}, {"Statement", statements}};
}

std::string reading() {
  return policy_with(Json::array({statement("Allow", {{"AWS", alice}}, "dynamodb:GetItem")})).dump();
}

std::string writing() {
  return policy_with(Json::array({statement("Allow", {{"AWS", alice}}, "dynamodb:PutItem")})).dump();
}

Json about_tab(const Json& more = Json::object()) {
  Json request = {{"ResourceArn", arn_of("Tab")}};
  request.update(more);
  return request;
}

std::string put(DynamoDb& db, const std::string& policy, const Json& more = Json::object()) {
  Json request = about_tab({{"Policy", policy}});
  request.update(more);
  return db.ok("PutResourcePolicy", request).at("RevisionId");
}

void put_refused(DynamoDb& db, const std::string& policy, const std::string& message) {
  check_refused(db, "PutResourcePolicy", about_tab({{"Policy", policy}}), message);
}

std::string not_found(const std::string& sentence) {
  return "Resource-based policy not found for the provided ResourceArn: " + sentence;
}

void refused_all(DynamoDb& db, const std::string& arn, const std::string& message,
                 std::string_view error = "ValidationException") {
  check_refused(db, "GetResourcePolicy", {{"ResourceArn", arn}}, message, error);
  check_refused(db, "PutResourcePolicy", {{"ResourceArn", arn}, {"Policy", reading()}}, message, error);
  check_refused(db, "DeleteResourcePolicy", {{"ResourceArn", arn}}, message, error);
}

}  // namespace

TEST_CASE("a policy is put, returned with its revision, and deleted") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string revision = put(db, reading());
  CHECK(revision.size() == 13);
  const Json got = db.ok("GetResourcePolicy", about_tab());
  CHECK(got.at("RevisionId") == revision);
  CHECK(Json::parse(got.at("Policy").get<std::string>()) ==
        Json::parse(R"({"Version":"2012-10-17","Statement":[{
      "Effect":"Allow","Principal":{"AWS":"arn:aws:iam::000000000000:user/alice"},"Action":"dynamodb:GetItem",
      "Resource":"arn:aws:dynamodb:us-east-1:000000000000:table/Tab"}]})"));
  CHECK(db.ok("DeleteResourcePolicy", about_tab()) == Json{{"RevisionId", revision}});
  check_refused(db, "GetResourcePolicy", about_tab(), not_found(arn_of("Tab")), "PolicyNotFoundException");
  CHECK(db.ok("DeleteResourcePolicy", about_tab()) == Json::object());
}

TEST_CASE("a table that never had a policy has none to delete") {
  DynamoDb db;
  db.create_table("Tab");
  CHECK(db.ok("DeleteResourcePolicy", about_tab()) == Json::object());
  check_refused(db, "GetResourcePolicy", about_tab(), not_found(arn_of("Tab")), "PolicyNotFoundException");
}

TEST_CASE("revisions rise with each change, and only then") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string first = put(db, reading());
  CHECK(put(db, reading()) == first);
  Json spaced = Json::parse(reading());
  spaced["Statement"][0]["Action"] = Json::array({"dynamodb:GetItem"});
  CHECK(put(db, spaced.dump(4)) == first);
  CHECK(put(db, R"({"Statement":{"Resource":")" + arn_of("Tab") + R"(","Principal":{"AWS":")" + alice +
                    R"("},"Action":"dynamodb:GetItem","Effect":"allow"},"Version":"2012-10-17"})") == first);
  const std::string second = put(db, writing());
  CHECK(second > first);
  db.ok("DeleteResourcePolicy", about_tab());
  CHECK(put(db, writing()) > second);
}

TEST_CASE("a policy without a version is shown with the first one, and is another one than with it") {
  DynamoDb db;
  db.create_table("Tab");
  Json old = Json::parse(reading());
  old.erase("Version");
  const auto shown = [&] { return db.ok("GetResourcePolicy", about_tab()).at("Policy").get<std::string>(); };
  const std::string first = put(db, old.dump());
  const std::string text = shown();
  CHECK(Json::parse(text).at("Version") == "2008-10-17");
  CHECK(put(db, old.dump()) == first);
  const std::string second = put(db, text);
  CHECK(second != first);
  CHECK(shown() == text);
  CHECK(put(db, text) == second);
  CHECK(put(db, old.dump()) != second);
  CHECK(shown() == text);
}

TEST_CASE("an account and its root user are one principal") {
  DynamoDb db;
  db.create_table("Tab");
  const auto of = [](const Json& principal) {
    return policy_with(statement("Allow", {{"AWS", principal}}, "dynamodb:GetItem")).dump();
  };
  const std::string first = put(db, of("111122223333"));
  CHECK(put(db, of("arn:aws:iam::111122223333:root")) == first);
  CHECK(put(db, of(Json::array({"111122223333", "arn:aws:iam::111122223333:root"}))) == first);
}

TEST_CASE("a policy may be longer as it is shown than as it is sent") {
  DynamoDb db;
  db.create_table("Tab");
  Json accounts = Json::array();
  for (int i = 0; i < 1300; ++i) accounts.push_back(std::to_string(111'122'220'000 + i));
  const Json denial = statement("Deny", {{"AWS", accounts}}, "dynamodb:GetItem");
  const std::string sent = policy_with(denial).dump();
  REQUIRE(sent.size() <= 20'480);
  const std::string revision = put(db, sent);
  const std::string text = db.ok("GetResourcePolicy", about_tab()).at("Policy");
  CHECK(text.size() > 20'480);
  CHECK(Json::parse(text).at("Statement").at(0).at("Principal").at("AWS").size() == 1300);
  CHECK(put(db, sent) == revision);
}

TEST_CASE("the resource of a statement may be another table, an index or all") {
  DynamoDb db;
  db.create_table("Tab");
  for (const std::string& resource : {arn_of("Other"), arn_of("Tab") + "/index/byA", std::string("*")}) {
    Json of_resource = statement("Allow", {{"AWS", alice}}, "dynamodb:GetItem");
    of_resource["Resource"] = resource;
    put(db, policy_with(of_resource).dump());
    CHECK(Json::parse(db.ok("GetResourcePolicy", about_tab()).at("Policy").get<std::string>())
              .at("Statement")
              .at(0)
              .at("Resource") == resource);
  }
}

TEST_CASE("a table that is being created has no policy yet") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::seconds(2);
  DynamoDb db(options);
  db.ok("CreateTable", with(on_demand("Tab"), {{"ResourcePolicy", reading()}}));
  refused_all(db, arn_of("Tab"), "Requested resource not found: Table: Tab not found",
              "ResourceNotFoundException");
  db.clock().advance(std::chrono::seconds(2));
  CHECK(db.ok("GetResourcePolicy", about_tab()).contains("Policy"));
}

TEST_CASE("the policy of a table that is being deleted does not change") {
  dinette::dynamodb::ServiceOptions options;
  options.state_delay = std::chrono::seconds(2);
  DynamoDb db(options);
  db.create_table("Tab");
  db.clock().advance(std::chrono::seconds(2));
  const std::string revision = put(db, reading());
  db.ok("DeleteTable", {{"TableName", "Tab"}});
  const std::string in_use =
      "Attempt to change a resource which is still in use: Table is being deleted: Tab";
  CHECK(put(db, reading()) == revision);
  check_refused(db, "PutResourcePolicy", about_tab({{"Policy", writing()}}), in_use,
                "ResourceInUseException");
  check_refused(db, "DeleteResourcePolicy", about_tab(), in_use, "ResourceInUseException");
  CHECK(db.ok("GetResourcePolicy", about_tab()).at("RevisionId") == revision);
}

TEST_CASE("an expected revision that is not the one there is") {
  DynamoDb db;
  db.create_table("Tab");
  const auto refused = [&](const std::string& operation, const std::string& expected,
                           const std::string& sentence) {
    Json request = about_tab({{"ExpectedRevisionId", expected}});
    if (operation == "PutResourcePolicy") request["Policy"] = writing();
    check_refused(db, operation, request, not_found(sentence), "PolicyNotFoundException");
  };
  for (const std::string operation : {"PutResourcePolicy", "DeleteResourcePolicy"}) {
    refused(operation, "1",
            "Requested update for policy with revision id 1, but table Tab has no associated policy.");
  }
  const std::string revision = put(db, reading(), {{"ExpectedRevisionId", "NO_POLICY"}});
  for (const std::string operation : {"PutResourcePolicy", "DeleteResourcePolicy"}) {
    refused(
        operation, "1",
        "Requested update for policy with revision id 1, but the policy associated to target table Tab has "
        "revision id " +
            revision + ".");
    refused(operation, "NO_POLICY",
            "Requested policy update expecting none to be present for table Tab, but a policy exists with "
            "revision id " +
                revision + ".");
  }
  const std::string next = put(db, writing(), {{"ExpectedRevisionId", revision}});
  CHECK(db.ok("DeleteResourcePolicy", about_tab({{"ExpectedRevisionId", next}})) ==
        Json{{"RevisionId", next}});
}

TEST_CASE("resources that have no policy") {
  DynamoDb db;
  db.create_table("Tab");
  refused_all(db, arn_of("Nope"), "Requested resource not found: Table: Nope not found",
              "ResourceNotFoundException");
  refused_all(db, arn_of("tab"), "Requested resource not found: Table: tab not found",
              "ResourceNotFoundException");
  refused_all(db, arn_of("Tab") + "/stream/2026-01-01T00:00:00.000",
              "Requested resource not found: Stream: 2026-01-01T00:00:00.000 not found for Table: Tab",
              "ResourceNotFoundException");
  refused_all(db, "Tab", invalid("ARNs must start with 'arn:': Tab"));
  refused_all(
      db, arn_of("Tab") + "/index/i",
      invalid("Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " +
              arn_of("Tab") + "/index/i"));
  const std::string backup = arn_of("Tab") + "/backup/01234567890123-12345678";
  refused_all(db, backup, invalid("Provided Arn is not a DynamoDB resource arn: " + backup));
  const std::string elsewhere = "arn:aws:dynamodb:eu-west-1:000000000000:table/Tab";
  refused_all(db, elsewhere, invalid("Invalid resource Arn: " + elsewhere));
  const std::string in_china = "arn:aws-cn:dynamodb:us-east-1:000000000000:table/Tab";
  refused_all(db, in_china, invalid("Invalid resource Arn: " + in_china));
  refused_all(db, "arn:aws:dynamodb:us-east-1:111122223333:table/Tab",
              "This action is only supported by accounts that match the resource owner\u2019s account.");
}

TEST_CASE("documents that are refused") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string malformed = "Invalid policy document: ";
  put_refused(db, "{", invalid(malformed + "This policy contains invalid Json"));
  put_refused(db, "[]", invalid(malformed + "This text appears not to be a policy"));
  put_refused(db, policy_with(Json::array()).dump(),
              invalid(malformed + "Could not parse the policy: Statement is empty!"));
  Json without = statement("Allow", {{"AWS", alice}}, "dynamodb:GetItem");
  without.erase("Resource");
  put_refused(db, policy_with(without).dump(), invalid(malformed + "Missing required field Resource"));
  without = statement("Allow", {{"AWS", alice}}, "dynamodb:GetItem");
  without.erase("Effect");
  put_refused(db, policy_with(without).dump(), invalid(malformed + "Missing required field Effect"));
  Json named = statement("Allow", {{"AWS", alice}}, "dynamodb:GetItem");
  named["Sid"] = "one";
  put_refused(db, policy_with(Json::array({named, named})).dump(),
              invalid(malformed + "The Statement Ids in the policy are not unique"));
  put_refused(db, policy_with(statement("Allow", {{"AWS", alice}}, "GetItem")).dump(),
              invalid(malformed + "The following action names are invalid: GetItem"));
  Json elsewhere = statement("Allow", {{"AWS", alice}}, "dynamodb:GetItem");
  elsewhere["Resource"] = "arn:aws:dynamodb:us-east-1:000000000000:stream/Tab";
  CHECK(db.call("PutResourcePolicy", about_tab({{"Policy", policy_with(elsewhere).dump()}}))
            .refusal()
            .starts_with(invalid(malformed + "The relative-id \"stream/Tab\" is invalid for ARN "
                                             "\"arn:aws:dynamodb:us-east-1:000000000000:stream/Tab\"")));
  put_refused(db, reading() + std::string(20'481 - reading().size(), ' '),
              invalid("Maximum policy size of 20480 bytes exceeded"));
  put(db, reading() + std::string(20'480 - reading().size(), ' '));
  const std::string principal = invalid("Invalid principal in policy document.");
  put_refused(db, policy_with(statement("Allow", "000000000000", "dynamodb:GetItem")).dump(), principal);
  put_refused(db, policy_with(statement("Allow", {{"AWS", "alice"}}, "dynamodb:GetItem")).dump(), principal);
  const std::string all_users = "arn:aws:iam::000000000000:user/*";
  put_refused(db, policy_with(statement("Allow", {{"AWS", all_users}}, "dynamodb:GetItem")).dump(),
              principal);
  for (const Json& everyone : {Json("*"), Json{{"AWS", "*"}}}) {
    put_refused(
        db, policy_with(statement("Allow", everyone, "dynamodb:GetItem")).dump(),
        "Resource-based policy grants unbounded access in one or more elements. Please revise the policy "
        "to ensure least-privilege form of access");
  }
  Json all_but_one = statement("Allow", nullptr, "dynamodb:GetItem");
  all_but_one.erase("Principal");
  all_but_one["NotPrincipal"] = {{"AWS", alice}};
  put_refused(
      db, policy_with(all_but_one).dump(),
      "Resource-based policy grants unbounded access in one or more elements. Please revise the policy "
      "to ensure least-privilege form of access");
  // docs/differences.md, "Policies".
  Json bounded = statement("Allow", "*", "dynamodb:GetItem");
  bounded["Condition"] = {{"IpAddress", {{"aws:SourceIp", "192.0.2.0/24"}}}};
  put(db, policy_with(bounded).dump());
}

TEST_CASE("an account may be named by its number alone") {
  DynamoDb db;
  db.create_table("Tab");
  put(db, policy_with(statement("Allow", {{"AWS", "111122223333"}}, "dynamodb:GetItem")).dump());
  const std::string text = db.ok("GetResourcePolicy", about_tab()).at("Policy");
  CHECK(Json::parse(text).at("Statement").at(0).at("Principal") ==
        Json{{"AWS", "arn:aws:iam::111122223333:root"}});
}

TEST_CASE("a policy that locks its author out needs a confirmation") {
  DynamoDb db;
  db.create_table("Tab");
  const std::string locks = policy_with(statement("Deny", "*", "dynamodb:PutResourcePolicy")).dump();
  const std::string message =
      "The new resource policy will not allow you to update the resource policy in the future.";
  check_refused(db, "PutResourcePolicy", about_tab({{"Policy", locks}}), message, "AccessDeniedException");
  check_refused(db, "PutResourcePolicy",
                about_tab({{"Policy", locks}, {"ConfirmRemoveSelfResourceAccess", false}}), message,
                "AccessDeniedException");
  put(db, locks, {{"ConfirmRemoveSelfResourceAccess", true}});
  put(db, policy_with(statement("Deny", "*", "dynamodb:DeleteResourcePolicy")).dump());
}

TEST_CASE("CreateTable sets a policy, which is not echoed") {
  DynamoDb db;
  const Json made = db.ok("CreateTable", with(on_demand("Tab"), {{"ResourcePolicy", reading()}}));
  CHECK_FALSE(made.at("TableDescription").contains("ResourcePolicy"));
  CHECK(db.ok("GetResourcePolicy", about_tab()).at("RevisionId").get<std::string>().size() == 13);
  check_refused(db, "CreateTable", with(on_demand("Tab2"), {{"ResourcePolicy", "{"}}),
                invalid("Invalid policy document: This policy contains invalid Json"));
}

TEST_CASE("a stream has a policy of its own, until it ends") {
  DynamoDb db;
  const Json stream = {{"StreamEnabled", true}, {"StreamViewType", "KEYS_ONLY"}};
  const Json made = db.ok("CreateTable", with(on_demand("Tab"), {{"StreamSpecification", stream}}));
  const std::string arn = made.at("TableDescription").at("LatestStreamArn");
  const Json request = {{"ResourceArn", arn}};
  db.ok("PutResourcePolicy", with(request, {{"Policy", reading()}}));
  CHECK(db.ok("GetResourcePolicy", request).contains("Policy"));
  check_refused(db, "GetResourcePolicy", about_tab(), not_found(arn_of("Tab")), "PolicyNotFoundException");
  db.ok("UpdateTable", {{"TableName", "Tab"}, {"StreamSpecification", {{"StreamEnabled", false}}}});
  CHECK(db.call("GetResourcePolicy", request).error() == "ResourceNotFoundException");
}

TEST_CASE("a table that is made again has no policy") {
  DynamoDb db;
  db.create_table("Tab");
  put(db, reading());
  db.ok("DeleteTable", {{"TableName", "Tab"}});
  db.create_table("Tab");
  check_refused(db, "GetResourcePolicy", about_tab(), not_found(arn_of("Tab")), "PolicyNotFoundException");
}

}  // namespace test::resource_policy_test
