#include <array>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "dinette/iam/evaluate.h"

namespace dinette::iam::verdicts_test {
namespace {

using Json = nlohmann::json;

Policy policy_of(const Json& json, PolicyUse use) {
  auto policy = read_policy(json.dump(), use);
  REQUIRE(policy.ok());
  return std::move(policy).value();
}

PolicyList list_of(const Json& json) {
  PolicyList list;
  for (const auto& one : json)
    list.push_back(
        std::make_shared<const NamedPolicy>(NamedPolicy{"p", policy_of(one, PolicyUse::identity)}));
  return list;
}

Identity caller_of(const Json& test) {
  const std::string caller = test["caller"];
  const bool elsewhere = caller == "stranger" || caller == "strange root";
  Identity identity;
  identity.account = elsewhere ? "444455556666" : "111122223333";
  const std::string start = "arn:aws:iam::" + identity.account;
  if (caller == "session") {
    identity.arn = "arn:aws:sts::111122223333:assumed-role/reader/s1";
    identity.role_arn = start + ":role/reader";
  } else if (caller == "root" || caller == "strange root") {
    identity.root = true;
    identity.arn = start + ":root";
  } else {
    const std::string name = elsewhere ? "eve" : "alice";
    identity.arn = start + ":user/" + name;
    identity.context.add("aws:username", name);
  }
  if (test.contains("identity")) identity.policies = list_of(test["identity"]);
  if (test.contains("boundary")) identity.boundary = list_of(test["boundary"]);
  if (test.contains("session")) identity.session_policies = list_of(test["session"]);
  return identity;
}

std::string name_of(PolicyKind kind) {
  constexpr std::array names{"identity", "boundary", "session", "resource"};
  return names.at(static_cast<std::size_t>(kind));
}

/// The verdict in the words of the table.
std::string words_of(const Verdict& verdict) {
  constexpr std::array missing{"identity-based policy", "permissions boundary", "session policy",
                               "resource-based policy"};
  if (verdict.allowed()) return "allowed";
  if (verdict.outcome == Verdict::Outcome::denied) return "denied by " + name_of(verdict.kind);
  return std::string("no ") + missing.at(static_cast<std::size_t>(verdict.kind));
}

Json table() {
  std::ifstream file(DINETTE_VERDICTS);
  return Json::parse(file);
}

}  // namespace

// The pairs of verdicts.json, each with the chapter of the guide that decides it.
TEST_CASE("requests get the verdicts of AWS's evaluation logic") {
  std::size_t pairs = 0;
  for (const Json& test : table()) {
    const Identity identity = caller_of(test);
    std::optional<Policy> resource_policy;
    if (test.contains("resource")) resource_policy = policy_of(test["resource"], PolicyUse::resource);
    for (const Json& sent : test["requests"]) {
      RequestContext context = identity.context;
      for (const auto& [key, values] : sent["context"].items())
        context.add(key, values.get<std::vector<std::string>>());
      const std::string action = sent["action"];
      const std::string resource = sent["resource"];
      const Request request{action, resource, "111122223333", context};
      const Verdict verdict = evaluate(identity, request, resource_policy ? &*resource_policy : nullptr);
      INFO(test["case"] << ": " << sent);
      CHECK(words_of(verdict) == sent["verdict"].get<std::string>());
      ++pairs;
    }
  }
  CHECK(pairs >= 200);
}

TEST_CASE("a verdict names the statement that decides") {
  const auto policy = read_policy(R"({"Version":"2012-10-17","Statement":[
      {"Sid":"Read","Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
      {"Sid":"Keep","Effect":"Deny","Action":"dynamodb:Delete*","Resource":"*"}]})",
                                  PolicyUse::identity);
  Identity identity;
  identity.arn = "arn:aws:iam::111122223333:user/alice";
  identity.account = "111122223333";
  identity.policies.push_back(std::make_shared<const NamedPolicy>(NamedPolicy{"Tables", *policy}));
  const RequestContext context;
  const std::string table = "arn:aws:dynamodb:us-east-1:111122223333:table/T";

  const Verdict allowed = evaluate(identity, {"dynamodb:GetItem", table, "111122223333", context}, nullptr);
  REQUIRE(allowed.allowed());
  CHECK(allowed.policy == "Tables");
  CHECK(allowed.position == 1);
  CHECK(allowed.statement->sid == "Read");

  const Verdict denied = evaluate(identity, {"dynamodb:DeleteItem", table, "111122223333", context}, nullptr);
  CHECK(denied.outcome == Verdict::Outcome::denied);
  CHECK(denied.position == 2);
  CHECK(denied.statement->sid == "Keep");
}

// docs/service/insights-policies-account.md section 5, and the guide's list for the other kinds.
TEST_CASE("refusals have the texts of the service") {
  Identity identity;
  identity.arn = "arn:aws:iam::111122223333:user/alice";
  const RequestContext context;
  const Request request{"dynamodb:GetItem", "arn:aws:dynamodb:us-east-1:111122223333:table/T", "111122223333",
                        context};
  const std::string start =
      "User: arn:aws:iam::111122223333:user/alice is not authorized to perform: dynamodb:GetItem on "
      "resource: "
      "arn:aws:dynamodb:us-east-1:111122223333:table/T ";
  const auto text = [&](Verdict::Outcome outcome, PolicyKind kind) {
    return refusal({outcome, kind, nullptr, {}, 0}, identity, request);
  };
  using enum Verdict::Outcome;
  CHECK(text(not_allowed, PolicyKind::identity) ==
        start + "because no identity-based policy allows the dynamodb:GetItem action");
  CHECK(text(not_allowed, PolicyKind::resource) ==
        start + "because no resource-based policy allows the dynamodb:GetItem action");
  CHECK(text(not_allowed, PolicyKind::session) ==
        start + "because no session policy allows the dynamodb:GetItem action");
  CHECK(text(not_allowed, PolicyKind::boundary) ==
        start + "because no permissions boundary allows the dynamodb:GetItem action");
  CHECK(text(denied, PolicyKind::identity) == start + "with an explicit deny in an identity-based policy");
  CHECK(text(denied, PolicyKind::resource) == start + "with an explicit deny in a resource-based policy");
  CHECK(text(denied, PolicyKind::session) == start + "with an explicit deny in a session policy");
  CHECK(text(denied, PolicyKind::boundary) == start + "with an explicit deny in a permissions boundary");
}

}  // namespace dinette::iam::verdicts_test
