#include "dinette/iam/policy.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::iam::policy_test {
namespace {

const std::string statement =
    R"({"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::111122223333:user/alice"},"Action":"dynamodb:GetItem","Resource":"*"})";

std::string error_of(const std::string& text, PolicyUse use = PolicyUse::resource) {
  const auto policy = read_policy(text, use);
  return policy.ok() ? "" : policy.error();
}

std::string with_statement(const std::string& members) {
  return R"({"Version":"2012-10-17","Statement":[{)" + members + "}]}";
}

std::string canonical(const std::string& text) {
  const auto policy = read_policy(text, PolicyUse::resource);
  REQUIRE(policy.ok());
  return canonical_text(*policy);
}

}  // namespace

// docs/service/insights-policies-account.md section 2.
TEST_CASE("the errors of documents that the service names") {
  CHECK(error_of("{\"Version\"") == "This policy contains invalid Json");
  CHECK(error_of("[]") == "This text appears not to be a policy");
  CHECK(error_of("") == "This text appears not to be a policy");
  CHECK(error_of(R"({"Version":"2012-10-17","Statement":[]})") ==
        "Could not parse the policy: Statement is empty!");
  CHECK(error_of(with_statement(R"("Effect":"Allow","Principal":"*","Action":"dynamodb:GetItem")")) ==
        "Missing required field Resource");
  CHECK(error_of(with_statement(R"("Principal":"*","Action":"dynamodb:GetItem","Resource":"*")")) ==
        "Missing required field Effect");
  CHECK(error_of(with_statement(
            R"("Effect":"Allow","Principal":"*","Action":["get","dynamodb:Get Item"],"Resource":"*")")) ==
        "The following action names are invalid: get, dynamodb:Get Item");
  CHECK(error_of(with_statement(
            R"("Effect":"Allow","Principal":"111122223333","Action":"dynamodb:GetItem","Resource":"*")")) ==
        "Invalid principal in policy document.");
  const std::string named = R"({"Sid":"A",)" + statement.substr(1);
  CHECK(error_of(R"({"Statement":[)" + named + "," + named + "]}") ==
        "The Statement Ids in the policy are not unique");
}

TEST_CASE("a document over 20,480 bytes is refused, of a resource with its white space") {
  const std::string document = R"({"Statement":[)" + statement + "]}";
  const std::string spaces(longest_policy - document.size(), ' ');
  CHECK(error_of(document + spaces).empty());
  CHECK(error_of(document + spaces + " ") == "Maximum policy size of 20480 bytes exceeded");
  CHECK(read_policy(document + spaces + " ", PolicyUse::resource, any_length).ok());
  const std::string own = with_statement(R"("Effect":"Allow","Action":"*","Resource":"*")");
  CHECK(error_of(own + spaces + spaces, PolicyUse::identity).empty());
}

TEST_CASE("elements that a document must not have") {
  const auto refused = [](const std::string& members, PolicyUse use = PolicyUse::resource) {
    return !error_of(with_statement(members), use).empty();
  };
  const std::string common = R"("Effect":"Allow","Principal":"*","Action":"*","Resource":"*")";
  CHECK_FALSE(refused(common));
  CHECK(refused(common, PolicyUse::identity));
  CHECK(refused(common + R"(,"NotAction":"*")"));
  CHECK(refused(common + R"(,"NotResource":"*")"));
  CHECK(refused(common + R"(,"NotPrincipal":{"AWS":"*"})"));
  CHECK(refused(common + R"(,"Effect":"Allow")"));
  CHECK(refused(common + R"(,"Conditions":{})"));
  CHECK(refused(common + R"(,"Condition":{"StringIs":{"k":"v"}})"));
  CHECK(refused(common + R"(,"Condition":{"NullIfExists":{"k":"true"}})"));
  CHECK(refused(common + R"(,"Condition":{"StringEquals":{"k":{"a":"b"}}})"));
  CHECK(refused(R"("Effect":"Allow","Principal":"*","Action":[],"Resource":"*")"));
  CHECK(refused(R"("Effect":"Allow","Principal":"*","Action":"*","Resource":"Books")"));
  CHECK(refused(R"("Effect":"Perhaps","Principal":"*","Action":"*","Resource":"*")"));
  CHECK(refused(R"("Effect":"Allow","Principal":{"User":"alice"},"Action":"*","Resource":"*")"));
  CHECK_FALSE(error_of(R"({"Version":"2020-01-01","Statement":[)" + statement + "]}").empty());
  CHECK_FALSE(error_of(R"({"Statements":[)" + statement + "]}").empty());
}

TEST_CASE("a resource may begin with a wildcard or a variable") {
  for (const std::string resource : {"*:table/Books", "${aws:PrincipalTag/table}", "arn:aws:dynamodb:*"}) {
    CHECK(error_of(with_statement(R"("Effect":"Allow","Principal":"*","Action":"*","Resource":")" + resource +
                                  R"(")"))
              .empty());
  }
}

TEST_CASE("a document that nests too deeply is refused") {
  const std::string deep = std::string(1000, '[') + std::string(1000, ']');
  CHECK(error_of(R"({"Statement":)" + deep + "}") == "This policy contains invalid Json");
}

// docs/service/insights-policies-account.md section 2.
TEST_CASE("a document is returned in one order, with its version") {
  CHECK(
      canonical(R"({
    "Statement": {"Resource": ["*"], "Action": ["dynamodb:GetItem"], "Effect": "allow",
                  "Principal": {"AWS": ["111122223333", "arn:aws:iam::111122223333:root"]}, "Sid": "A"},
    "Id": "P"})") ==
      R"({"Version":"2008-10-17","Id":"P","Statement":[{"Sid":"A","Effect":"Allow",)"
      R"("Principal":{"AWS":"arn:aws:iam::111122223333:root"},"Action":"dynamodb:GetItem","Resource":"*"}]})");
}

// docs/service/insights-policies-account.md section 2.
TEST_CASE("documents with and without a version are shown alike, and are not the same") {
  const auto compared = [](const std::string& text) {
    const auto policy = read_policy(text, PolicyUse::resource);
    REQUIRE(policy.ok());
    return compared_text(*policy);
  };
  const std::string without = R"({"Statement":[)" + statement + "]}";
  const std::string first = R"({"Version":"2008-10-17","Statement":[)" + statement + "]}";
  CHECK(canonical(without) == first);
  CHECK(canonical(first) == first);
  CHECK(compared(without) == without);
  CHECK(compared(first) == first);
}

TEST_CASE("a document keeps what it says") {
  const std::string text =
      R"({"Version":"2012-10-17","Statement":[{"Effect":"Deny","NotPrincipal":{"AWS":["arn:aws:iam::111122223333:root","arn:aws:iam::111122223333:user/\"a\""],"Service":"lambda.amazonaws.com"},)"
      R"("NotAction":["dynamodb:GetItem","dynamodb:Query"],"NotResource":["arn:aws:dynamodb:*:*:table/a","arn:aws:dynamodb:*:*:table/b"],)"
      R"("Condition":{"StringEquals":{"a":"1","b":["2","3"]},"ForAnyValue:StringLike":{"c":"4*"}}},)"
      R"({"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"}]})";
  CHECK(canonical(text) == text);
}

TEST_CASE("numbers and booleans of conditions become text") {
  const std::string text = canonical(with_statement(
      R"("Effect":"Allow","Principal":"*","Action":"*","Resource":"*","Condition":{"NumericLessThan":{"n":10},"Bool":{"b":[true,false]}})"));
  CHECK(text.find(R"("Condition":{"NumericLessThan":{"n":"10"},"Bool":{"b":["true","false"]}})") !=
        std::string::npos);
}

}  // namespace dinette::iam::policy_test
