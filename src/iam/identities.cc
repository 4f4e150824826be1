#include "dinette/iam/identities.h"

#include <algorithm>
#include <utility>

#include "dinette/aws/arn.h"
#include "dinette/aws/json_tree.h"
#include "dinette/http/query_string.h"

#include "iam/policy_reader.h"
#include "iam/principals.h"

namespace dinette::iam {

using aws::JsonTree;
using base::Failure;
using Kind = JsonTree::Kind;

namespace {

/// Levels of the file: the list of users, a user, its policies, a policy, and the document.
constexpr std::size_t file_levels = policy_levels + 8;

using Read = base::Result<void, std::string>;
using SharedPolicy = std::shared_ptr<const NamedPolicy>;

std::string_view text_of(const JsonTree& json, std::string_view name) {
  const JsonTree* const member = json.member(name);
  return member && member->kind == Kind::string ? std::string_view(member->text) : std::string_view();
}

/// Calls `visit` for each element of a list member. Returns its first failure.
template <class Visit>
Read each(const JsonTree& json, std::string_view name, Visit visit) {
  const JsonTree* const list = json.member(name);
  if (list == nullptr || list->kind == Kind::null) return {};
  if (list->kind != Kind::list) return Failure{std::string(name) + " is not a list"};
  for (const JsonTree& one : list->values) {
    if (one.kind != Kind::object && one.kind != Kind::string)
      return Failure{std::string(name) + " has an element that is neither an object nor a text"};
    DINETTE_CHECK(visit(one));
  }
  return {};
}

/// A document may be JSON, or text that is JSON, perhaps in percent encoding.
base::Result<SharedPolicy, std::string> read_document(const JsonTree* document, std::string name) {
  if (document == nullptr) return Failure{"policy " + name + " has no document"};
  auto policy = [&] {
    if (document->kind != Kind::string) return policy_of(*document, PolicyUse::identity);
    const bool is_encoded = document->text.starts_with('%');
    return read_policy(is_encoded ? http::percent_decode(document->text) : document->text,
                       PolicyUse::identity);
  }();
  if (!policy.ok()) return Failure{"policy " + name + ": " + policy.error()};
  return SharedPolicy(
      std::make_shared<const NamedPolicy>(NamedPolicy{std::move(name), std::move(policy).value()}));
}

std::string_view after_last(std::string_view text, char separator) {
  return text.substr(text.rfind(separator) + 1);
}

void add_tags(const JsonTree& json, RequestContext& out) {
  const JsonTree* const tags = json.member("Tags");
  if (tags == nullptr) return;
  for (const JsonTree& tag : tags->values) {
    out.add("aws:PrincipalTag/" + std::string(text_of(tag, "Key")), std::string(text_of(tag, "Value")));
  }
}

void add_common_keys(std::string_view type, std::string_view principal_arn, Identity& out) {
  out.context.add("aws:PrincipalArn", std::string(principal_arn));
  out.context.add("aws:PrincipalAccount", out.account);
  out.context.add("aws:PrincipalType", std::string(type));
}

}  // namespace

class IdentityReader {
 public:
  explicit IdentityReader(Identities& out) : out_(out) {}

  Read read(const JsonTree& file) {
    DINETTE_CHECK(each(file, "Policies", [&](const JsonTree& one) { return read_managed(one); }));
    DINETTE_CHECK(each(file, "GroupDetailList", [&](const JsonTree& one) { return read_group(one); }));
    DINETTE_CHECK(each(file, "UserDetailList", [&](const JsonTree& one) { return read_user(one); }));
    DINETTE_CHECK(each(file, "RoleDetailList", [&](const JsonTree& one) { return read_role(one); }));
    DINETTE_CHECK(each(file, "AccessKeyMetadata", [&](const JsonTree& one) { return read_key(one); }));
    return each(file, "AssumedRoles", [&](const JsonTree& one) { return read_session(one); });
  }

 private:
  struct Role {
    Identity identity;
    std::string id;
  };

  Read read_managed(const JsonTree& json) {
    std::string arn(text_of(json, "Arn"));
    return each(json, "PolicyVersionList", [&](const JsonTree& version) -> Read {
      const JsonTree* const is_default = version.member("IsDefaultVersion");
      if (is_default == nullptr || !is_default->truth) return {};
      DINETTE_TRY(managed_[arn], read_document(version.member("Document"), arn));
      return {};
    });
  }

  Read attach(std::string_view arn, PolicyList& out) const {
    const auto found = managed_.find(std::string(arn));
    if (found == managed_.end())
      return Failure{"Policies does not have the attached policy " + std::string(arn)};
    out.push_back(found->second);
    return {};
  }

  Read read_policies(const JsonTree& json, std::string_view inline_list, PolicyList& out) const {
    DINETTE_CHECK(each(json, inline_list, [&](const JsonTree& one) -> Read {
      DINETTE_TRY(SharedPolicy policy,
                  read_document(one.member("PolicyDocument"), std::string(text_of(one, "PolicyName"))));
      out.push_back(std::move(policy));
      return {};
    }));
    return each(json, "AttachedManagedPolicies",
                [&](const JsonTree& one) { return attach(text_of(one, "PolicyArn"), out); });
  }

  Read read_boundary(const JsonTree& json, Identity& out) const {
    const JsonTree* const boundary = json.member("PermissionsBoundary");
    if (boundary == nullptr || boundary->kind != Kind::object) return {};
    return attach(text_of(*boundary, "PermissionsBoundaryArn"), out.boundary.emplace());
  }

  Read read_group(const JsonTree& json) {
    return read_policies(json, "GroupPolicyList", groups_[std::string(text_of(json, "GroupName"))]);
  }

  Read read_user(const JsonTree& json) {
    const std::string name(text_of(json, "UserName"));
    DINETTE_TRY(Identity user, identity_of(json, "user " + name));
    DINETTE_CHECK(read_policies(json, "UserPolicyList", user.policies));
    DINETTE_CHECK(each(json, "GroupList", [&](const JsonTree& group) -> Read {
      const auto found = groups_.find(group.text);
      if (found == groups_.end()) return Failure{"user " + name + " is in the unknown group " + group.text};
      user.policies.insert(user.policies.end(), found->second.begin(), found->second.end());
      return {};
    }));
    user.context.add("aws:username", name);
    user.context.add("aws:userid", std::string(text_of(json, "UserId")));
    add_common_keys("User", user.arn, user);
    out_.by_name_[name] = keep(std::move(user));
    return {};
  }

  Read read_role(const JsonTree& json) {
    const std::string name(text_of(json, "RoleName"));
    DINETTE_TRY(Identity role, identity_of(json, "role " + name));
    role.role_arn = role.arn;
    DINETTE_CHECK(read_policies(json, "RolePolicyList", role.policies));
    out_.account_of_arn_[role.arn] = role.account;
    roles_[name] = {std::move(role), std::string(text_of(json, "RoleId"))};
    return {};
  }

  base::Result<Identity, std::string> identity_of(const JsonTree& json, const std::string& what) const {
    Identity out;
    out.arn = text_of(json, "Arn");
    const auto arn = aws::parse_arn(out.arn);
    if (!arn || arn->account.empty()) return Failure{what + " has no Arn"};
    out.account = arn->account;
    DINETTE_CHECK(read_boundary(json, out));
    add_tags(json, out.context);
    return out;
  }

  /// A session has the permissions of its role. Its `aws:userid` is the id of the role and its own name.
  Read read_session(const JsonTree& json) {
    const JsonTree* const user = json.member("AssumedRoleUser");
    const JsonTree* const credentials = json.member("Credentials");
    if (user == nullptr || credentials == nullptr)
      return Failure{std::string("AssumedRoles has an element without AssumedRoleUser or Credentials")};
    const std::string arn(text_of(*user, "Arn"));
    const std::string_view resource = std::string_view(arn).substr(0, arn.rfind('/'));
    const auto role = roles_.find(std::string(after_last(resource, '/')));
    if (role == roles_.end()) return Failure{"session " + arn + " is of an unknown role"};
    Identity session = role->second.identity;
    session.arn = arn;
    session.context.add("aws:userid", role->second.id + ":" + std::string(after_last(arn, '/')));
    add_common_keys("AssumedRole", session.role_arn, session);
    if (const JsonTree* const policy = json.member("Policy")) {
      DINETTE_TRY(SharedPolicy read, read_document(policy, "of the session " + arn));
      session.session_policies.emplace().push_back(std::move(read));
    }
    const Identity* const kept = keep(std::move(session));
    return give_key(text_of(*credentials, "AccessKeyId"), kept);
  }

  Read read_key(const JsonTree& json) {
    const std::string user(text_of(json, "UserName"));
    const auto found = out_.by_name_.find(user);
    if (found == out_.by_name_.end()) return Failure{"AccessKeyMetadata names the unknown user " + user};
    return give_key(text_of(json, "AccessKeyId"), found->second);
  }

  Read give_key(std::string_view key, const Identity* identity) {
    if (key.empty()) return Failure{identity->arn + " has an empty AccessKeyId"};
    if (!out_.by_key_.emplace(key, identity).second) return Failure{"two have the key " + std::string(key)};
    return {};
  }

  const Identity* keep(Identity identity) {
    auto kept = std::make_shared<const Identity>(std::move(identity));
    out_.account_of_arn_[kept->arn] = kept->account;
    out_.by_name_[kept->arn] = kept.get();
    return out_.identities_.emplace_back(std::move(kept)).get();
  }

  Identities& out_;
  std::unordered_map<std::string, SharedPolicy> managed_;  // by ARN
  std::unordered_map<std::string, PolicyList> groups_;
  std::unordered_map<std::string, Role> roles_;
};

base::Result<Identities, std::string> Identities::read(std::string_view json) {
  const auto file = aws::read_json_tree(json, file_levels);
  if (!file) return Failure{std::string("it is not a JSON object")};
  Identities identities;
  DINETTE_CHECK(IdentityReader(identities).read(*file));
  return identities;
}

const Identity* Identities::of_key(std::string_view access_key) const {
  const auto found = by_key_.find(std::string(access_key));
  return found == by_key_.end() ? nullptr : found->second;
}

const Identity* Identities::named(std::string_view name_or_arn) const {
  const auto found = by_name_.find(std::string(name_or_arn));
  return found == by_name_.end() ? nullptr : found->second;
}

bool Identities::knows_principal(std::string_view principal) const {
  if (account_of_arn_.contains(std::string(principal))) return true;
  const std::string_view account = account_of_principal(principal);
  return !account.empty() &&
         std::ranges::any_of(account_of_arn_, [&](const auto& known) { return known.second == account; });
}

}  // namespace dinette::iam
