#include "app/policy/verdict_text.h"

#include <memory>
#include <string>

#include <catch2/catch.hpp>

namespace dinette::app::verdict_text_test {
namespace {

/// The text of what alice gets for this action, by the policy "own" and that of the table.
std::string text_for(const std::string& action, const iam::Policy* of_table = nullptr) {
  const auto own = iam::read_policy(R"({"Statement":[
      {"Sid":"Read","Effect":"Allow","Action":"dynamodb:Get*","Resource":"*"},
      {"Effect":"Deny","Action":"dynamodb:Delete*","Resource":"*"}]})",
                                    iam::PolicyUse::identity);
  iam::Identity alice;
  alice.arn = "arn:aws:iam::111122223333:user/alice";
  alice.account = "111122223333";
  alice.policies.push_back(std::make_shared<const iam::NamedPolicy>(iam::NamedPolicy{"own", *own}));
  const iam::RequestContext context;
  const iam::Request request{action, "arn:t", "111122223333", context};
  return verdict_text(iam::evaluate(alice, request, of_table), alice, request);
}

}  // namespace

TEST_CASE("a verdict names the statement and its policy") {
  CHECK(text_for("dynamodb:GetItem") ==
        "allowed: dynamodb:GetItem on arn:t\n  by statement 1 (Read) of the policy own of the identity\n");
  CHECK(text_for("dynamodb:DeleteItem") ==
        "refused: dynamodb:DeleteItem on arn:t\n"
        "  by statement 2 of the policy own of the identity\n"
        "  User: arn:aws:iam::111122223333:user/alice is not authorized to perform: dynamodb:DeleteItem on "
        "resource: arn:t with an explicit deny in an identity-based policy\n");
}

TEST_CASE("a verdict without a statement says which kind of policy does not allow") {
  CHECK(text_for("dynamodb:PutItem") ==
        "refused: dynamodb:PutItem on arn:t\n"
        "  User: arn:aws:iam::111122223333:user/alice is not authorized to perform: dynamodb:PutItem on "
        "resource: arn:t because no identity-based policy allows the dynamodb:PutItem action\n");
}

TEST_CASE("the policy of the resource may decide") {
  const auto of_table = iam::read_policy(
      R"({"Statement":{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:user/alice"},)"
      R"("Action":"dynamodb:PutItem","Resource":"*"}})",
      iam::PolicyUse::resource);
  CHECK(text_for("dynamodb:PutItem", &*of_table) ==
        "allowed: dynamodb:PutItem on arn:t\n  by statement 1 of the policy of the resource\n");
}

}  // namespace dinette::app::verdict_text_test
