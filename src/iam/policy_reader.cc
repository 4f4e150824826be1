#include "iam/policy_reader.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

#include "dinette/base/ascii.h"

namespace dinette::iam {
namespace {

using aws::JsonTree;
using base::Failure;
using Kind = JsonTree::Kind;
using Read = base::Result<void, std::string>;

Failure<std::string> unreadable(std::string text) {
  return Failure{std::move(text)};
}

Failure<std::string> missing(std::string_view field) {
  return Failure{"Missing required field " + std::string(field)};
}

Failure<std::string> misplaced(std::string_view field) {
  return Failure{"Syntax error: " + std::string(field)};
}

/// Appends a text, or the texts of a list.
Read read_texts(const JsonTree& json, std::string_view field, std::vector<std::string>& out) {
  if (json.kind == Kind::string) {
    out.push_back(json.text);
    return {};
  }
  if (json.kind != Kind::list) return misplaced(field);
  for (const JsonTree& one : json.values) {
    if (one.kind != Kind::string) return misplaced(field);
    out.push_back(one.text);
  }
  return {};
}

/// The values of conditions may also be numbers and booleans.
Read read_scalars(const JsonTree& json, std::string_view field, std::vector<std::string>& out) {
  const auto append = [&](const JsonTree& one) {
    const bool is_scalar = one.kind == Kind::string || one.kind == Kind::number || one.kind == Kind::boolean;
    if (is_scalar) out.push_back(one.kind == Kind::boolean ? (one.truth ? "true" : "false") : one.text);
    return is_scalar;
  };
  const bool read = json.kind == Kind::list ? std::ranges::all_of(json.values, append) : append(json);
  if (!read) return misplaced(field);
  return {};
}

/// Reads one of two members, "Action" and "NotAction" for example.
Read read_patterns(const JsonTree& statement, std::string_view field, Patterns& out) {
  const JsonTree* const listed = statement.member(field);
  const JsonTree* const excluded = statement.member("Not" + std::string(field));
  if (listed == nullptr && excluded == nullptr) return missing(field);
  if (listed != nullptr && excluded != nullptr) return misplaced(field);
  out.negated = excluded != nullptr;
  DINETTE_CHECK(read_texts(excluded ? *excluded : *listed, field, out.values));
  if (out.values.empty()) return missing(field);
  return {};
}

bool is_action_pattern(std::string_view text) {
  if (text == "*") return true;
  const std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size()) return false;
  const auto is_in_name = [](char c) {
    return base::is_word_character(c) || c == '-' || c == '*' || c == '?';
  };
  return std::ranges::all_of(text.substr(0, colon), is_in_name) &&
         std::ranges::all_of(text.substr(colon + 1), is_in_name);
}

Read read_actions(const JsonTree& statement, Patterns& out) {
  DINETTE_CHECK(read_patterns(statement, "Action", out));
  std::string invalid;
  for (const std::string& action : out.values) {
    if (!is_action_pattern(action)) invalid += (invalid.empty() ? "" : ", ") + action;
  }
  if (!invalid.empty()) return unreadable("The following action names are invalid: " + invalid);
  return {};
}

/// The policy grammar wants "arn:" and five colons, or "*".
Read read_resources(const JsonTree& statement, Patterns& out) {
  DINETTE_CHECK(read_patterns(statement, "Resource", out));
  for (const std::string& resource : out.values) {
    if (resource != "*" && !resource.starts_with("arn:") && !resource.starts_with("${") &&
        !resource.starts_with('*'))
      return unreadable("Resource " + resource + " must be in ARN format or \"*\".");
  }
  return {};
}

Read read_conditions(const JsonTree& json, std::vector<Condition>& out) {
  if (json.kind != Kind::object) return misplaced("Condition");
  for (std::size_t i = 0; i < json.names.size(); ++i) {
    ConditionOperator op;
    if (!read_operator(json.names[i], op)) return unreadable("Invalid Condition type : " + json.names[i]);
    const JsonTree& keys = json.values[i];
    if (keys.kind != Kind::object) return misplaced("Condition");
    for (std::size_t k = 0; k < keys.names.size(); ++k) {
      Condition condition{json.names[i], op, keys.names[k], {}};
      DINETTE_CHECK(read_scalars(keys.values[k], "Condition", condition.values));
      out.push_back(std::move(condition));
    }
  }
  return {};
}

Read read_principals_of(std::string_view kind, const JsonTree& json, Principals& out) {
  std::vector<std::string> names;
  DINETTE_CHECK(read_texts(json, "Principal", names));
  for (std::string& name : names) {
    if (kind != "AWS") {
      out.others.emplace_back(kind, std::move(name));
    } else if (name == "*") {
      out.everyone = true;
    } else {
      out.aws.push_back(std::move(name));
    }
  }
  return {};
}

Read read_principals(const JsonTree& statement, Principals& out) {
  const JsonTree* const listed = statement.member("Principal");
  const JsonTree* const excluded = statement.member("NotPrincipal");
  if (listed == nullptr && excluded == nullptr) return missing("Principal");
  if (listed != nullptr && excluded != nullptr) return misplaced("Principal");
  out.negated = excluded != nullptr;
  const JsonTree& json = excluded ? *excluded : *listed;
  if (json.kind == Kind::string && json.text == "*") {
    out.everyone = true;
    return {};
  }
  if (json.kind != Kind::object || json.names.empty())
    return unreadable("Invalid principal in policy document.");
  constexpr std::array<std::string_view, 4> kinds{"AWS", "Service", "Federated", "CanonicalUser"};
  for (std::size_t i = 0; i < json.names.size(); ++i) {
    if (std::ranges::find(kinds, json.names[i]) == kinds.end())
      return unreadable("Invalid principal in policy document.");
    DINETTE_CHECK(read_principals_of(json.names[i], json.values[i], out));
  }
  return {};
}

Read check_members(const JsonTree& json, std::span<const std::string_view> allowed) {
  for (auto name = json.names.begin(); name != json.names.end(); ++name) {
    const bool repeats = std::find(json.names.begin(), name, *name) != name;
    if (repeats || std::ranges::find(allowed, *name) == allowed.end()) return misplaced(*name);
  }
  return {};
}

// docs/service/insights-policies-account.md section 2: `allow` is read as Allow.
Read read_effect(const JsonTree& statement, Effect& out) {
  const JsonTree* const effect = statement.member("Effect");
  if (effect == nullptr) return missing("Effect");
  if (effect->kind == Kind::string && base::equal_ignoring_case(effect->text, "Allow")) {
    out = Effect::allow;
  } else if (effect->kind == Kind::string && base::equal_ignoring_case(effect->text, "Deny")) {
    out = Effect::deny;
  } else {
    return unreadable("Invalid effect: " + effect->text);
  }
  return {};
}

Read read_statement(const JsonTree& json, PolicyUse use, Statement& out) {
  constexpr std::array<std::string_view, 9> names{"Sid",          "Effect",      "Principal",
                                                  "NotPrincipal", "Action",      "NotAction",
                                                  "Resource",     "NotResource", "Condition"};
  if (json.kind != Kind::object) return misplaced("Statement");
  DINETTE_CHECK(check_members(json, names));
  if (const JsonTree* const sid = json.member("Sid")) {
    if (sid->kind != Kind::string) return misplaced("Sid");
    out.sid = sid->text;
  }
  DINETTE_CHECK(read_effect(json, out.effect));
  if (use == PolicyUse::resource) {
    DINETTE_CHECK(read_principals(json, out.principals));
  } else if (json.member("Principal") || json.member("NotPrincipal")) {
    return unreadable("Policy document should not specify a principal.");
  }
  DINETTE_CHECK(read_actions(json, out.actions));
  DINETTE_CHECK(read_resources(json, out.resources));
  const JsonTree* const conditions = json.member("Condition");
  return conditions ? read_conditions(*conditions, out.conditions) : Read{};
}

Read read_statements(const JsonTree& json, PolicyUse use, std::vector<Statement>& out) {
  if (json.kind == Kind::object) return read_statement(json, use, out.emplace_back());
  if (json.kind != Kind::list) return misplaced("Statement");
  if (json.values.empty()) return unreadable("Could not parse the policy: Statement is empty!");
  for (const JsonTree& one : json.values) DINETTE_CHECK(read_statement(one, use, out.emplace_back()));
  return {};
}

bool has_repeated_sid(const std::vector<Statement>& statements) {
  std::vector<std::string_view> sids;
  for (const Statement& one : statements) {
    if (!one.sid.empty()) sids.push_back(one.sid);
  }
  std::ranges::sort(sids);
  return std::ranges::adjacent_find(sids) != sids.end();
}

/// Bytes that count toward the limit: all of a resource's policy, without white space those of others.
std::size_t counted_bytes(std::string_view json, PolicyUse use) {
  if (use == PolicyUse::resource) return json.size();
  return static_cast<std::size_t>(
      std::ranges::count_if(json, [](unsigned char c) { return !std::isspace(c); }));
}

}  // namespace

base::Result<Policy, std::string> policy_of(const JsonTree& document, PolicyUse use) {
  constexpr std::array<std::string_view, 3> names{"Version", "Id", "Statement"};
  if (document.kind != Kind::object) return unreadable("This text appears not to be a policy");
  DINETTE_CHECK(check_members(document, names));
  Policy policy;
  if (const JsonTree* const version = document.member("Version")) {
    if (version->kind != Kind::string || (version->text != "2012-10-17" && version->text != "2008-10-17"))
      return misplaced("Version");
    policy.version = version->text;
    policy.names_version = true;
  }
  if (const JsonTree* const id = document.member("Id")) {
    if (id->kind != Kind::string) return misplaced("Id");
    policy.id = id->text;
  }
  const JsonTree* const statements = document.member("Statement");
  if (statements == nullptr) return missing("Statement");
  DINETTE_CHECK(read_statements(*statements, use, policy.statements));
  if (has_repeated_sid(policy.statements))
    return unreadable("The Statement Ids in the policy are not unique");
  return policy;
}

base::Result<Policy, std::string> read_policy(std::string_view json, PolicyUse use, std::size_t longest) {
  if (counted_bytes(json, use) > longest)
    return unreadable("Maximum policy size of " + std::to_string(longest) + " bytes exceeded");
  const std::size_t start = json.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || json[start] != '{')
    return unreadable("This text appears not to be a policy");
  const auto document = aws::read_json_tree(json, policy_levels);
  if (!document) return unreadable("This policy contains invalid Json");
  return policy_of(*document, use);
}

}  // namespace dinette::iam
