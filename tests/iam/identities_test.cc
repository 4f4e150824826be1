#include "dinette/iam/identities.h"

#include <string>

#include <catch2/catch.hpp>

namespace dinette::iam::identities_test {
namespace {

const std::string everything =
    R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]})";

/// An account as the CLI prints it, with keys and a session.
std::string account() {
  return R"({
  "UserDetailList": [{
    "Path": "/", "UserName": "alice", "UserId": "AIDA1", "Arn": "arn:aws:iam::111122223333:user/alice",
    "UserPolicyList": [{"PolicyName": "own", "PolicyDocument": )" +
         everything + R"(}],
    "GroupList": ["readers"],
    "AttachedManagedPolicies": [{"PolicyName": "Managed", "PolicyArn": "arn:aws:iam::aws:policy/Managed"}],
    "PermissionsBoundary": {"PermissionsBoundaryType": "Policy", "PermissionsBoundaryArn": "arn:aws:iam::aws:policy/Managed"},
    "Tags": [{"Key": "team", "Value": "red"}]
  }],
  "GroupDetailList": [{"GroupName": "readers", "Arn": "arn:aws:iam::111122223333:group/readers",
    "GroupPolicyList": [{"PolicyName": "of the group", "PolicyDocument": )" +
         everything + R"(}], "AttachedManagedPolicies": []}],
  "RoleDetailList": [{"RoleName": "reader", "RoleId": "AROA1", "Arn": "arn:aws:iam::111122223333:role/app/reader",
    "AssumeRolePolicyDocument": {}, "RolePolicyList": [], "AttachedManagedPolicies": [],
    "Tags": [{"Key": "team", "Value": "blue"}]}],
  "Policies": [{"PolicyName": "Managed", "Arn": "arn:aws:iam::aws:policy/Managed", "DefaultVersionId": "v2",
    "PolicyVersionList": [{"VersionId": "v1", "IsDefaultVersion": false, "Document": "unreadable"},
                          {"VersionId": "v2", "IsDefaultVersion": true,
                           "Document": "%7B%22Statement%22%3A%7B%22Effect%22%3A%22Allow%22%2C%22Action%22%3A%22dynamodb%3AGet%2A%22%2C%22Resource%22%3A%22%2A%22%7D%7D"}]}],
  "AccessKeyMetadata": [{"UserName": "alice", "AccessKeyId": "AKIAALICE", "Status": "Active"}],
  "AssumedRoles": [{"Credentials": {"AccessKeyId": "ASIASESSION"},
    "AssumedRoleUser": {"AssumedRoleId": "AROA1:s1", "Arn": "arn:aws:sts::111122223333:assumed-role/reader/s1"},
    "Policy": )" +
         everything + R"(}]
})";
}

std::string error_of(std::string text, const std::string& from, const std::string& to) {
  text.replace(text.find(from), from.size(), to);
  const auto identities = Identities::read(text);
  return identities.ok() ? "" : identities.error();
}

}  // namespace

TEST_CASE("a user has its own policies, those attached, and those of its groups") {
  const auto identities = Identities::read(account());
  REQUIRE(identities.ok());
  const Identity* const alice = identities->of_key("AKIAALICE");
  REQUIRE(alice != nullptr);
  CHECK(alice->arn == "arn:aws:iam::111122223333:user/alice");
  CHECK(alice->account == "111122223333");
  CHECK(alice->role_arn.empty());
  REQUIRE(alice->policies.size() == 3);
  CHECK(alice->policies[0]->name == "own");
  CHECK(alice->policies[1]->name == "arn:aws:iam::aws:policy/Managed");
  CHECK(alice->policies[2]->name == "of the group");
  REQUIRE(alice->boundary);
  CHECK(alice->boundary->size() == 1);
  CHECK(alice->context.find("aws:username")->front() == "alice");
  CHECK(alice->context.find("aws:userid")->front() == "AIDA1");
  CHECK(alice->context.find("aws:principaltag/team")->front() == "red");
  CHECK(alice->context.find("aws:PrincipalType")->front() == "User");
  CHECK(identities->named("alice") == alice);
  CHECK(identities->named(alice->arn) == alice);
}

TEST_CASE("a session has the policies of its role, and its own limit them") {
  const auto identities = Identities::read(account());
  REQUIRE(identities.ok());
  const Identity* const session = identities->of_key("ASIASESSION");
  REQUIRE(session != nullptr);
  CHECK(session->arn == "arn:aws:sts::111122223333:assumed-role/reader/s1");
  CHECK(session->role_arn == "arn:aws:iam::111122223333:role/app/reader");
  CHECK(session->policies.empty());
  REQUIRE(session->session_policies);
  CHECK(session->session_policies->size() == 1);
  CHECK(session->context.find("aws:userid")->front() == "AROA1:s1");
  CHECK(session->context.find("aws:PrincipalArn")->front() == session->role_arn);
  CHECK(session->context.find("aws:PrincipalTag/team")->front() == "blue");
  CHECK(session->context.find("aws:username") == nullptr);
}

TEST_CASE("principals that exist") {
  const auto identities = Identities::read(account());
  REQUIRE(identities.ok());
  CHECK(identities->knows_principal("arn:aws:iam::111122223333:user/alice"));
  CHECK(identities->knows_principal("arn:aws:iam::111122223333:role/app/reader"));
  CHECK(identities->knows_principal("111122223333"));
  CHECK(identities->knows_principal("arn:aws:iam::111122223333:root"));
  CHECK_FALSE(identities->knows_principal("arn:aws:iam::111122223333:user/bob"));
  CHECK_FALSE(identities->knows_principal("444455556666"));
}

TEST_CASE("what is wrong with a file is named") {
  CHECK(Identities::read("[]").error() == "it is not a JSON object");
  CHECK(error_of(account(), R"("GroupList": ["readers"])", R"("GroupList": ["writers"])") ==
        "user alice is in the unknown group writers");
  CHECK(error_of(account(), R"("IsDefaultVersion": true)", R"("IsDefaultVersion": false)") ==
        "Policies does not have the attached policy arn:aws:iam::aws:policy/Managed");
  CHECK(error_of(account(), R"("IsDefaultVersion": false)", R"("IsDefaultVersion": true)") ==
        "policy arn:aws:iam::aws:policy/Managed: This text appears not to be a policy");
  CHECK(error_of(account(), R"([{"UserName": "alice")", R"([{"UserName": "bob")") ==
        "AccessKeyMetadata names the unknown user bob");
  CHECK(error_of(account(), "ASIASESSION", "AKIAALICE") == "two have the key AKIAALICE");
  CHECK(error_of(account(), "assumed-role/reader", "assumed-role/writer") ==
        "session arn:aws:sts::111122223333:assumed-role/writer/s1 is of an unknown role");
  CHECK(error_of(account(), R"("Arn": "arn:aws:iam::111122223333:user/alice")", R"("Arn": "alice")") ==
        "user alice has no Arn");
  CHECK(error_of(account(), R"("Effect":"Allow")", R"("Effect":"Maybe")") ==
        "policy own: Invalid effect: Maybe");
}

}  // namespace dinette::iam::identities_test
