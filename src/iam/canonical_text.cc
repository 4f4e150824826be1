#include <algorithm>
#include <string_view>

#include "dinette/aws/json_writer.h"
#include "dinette/iam/policy.h"

#include "iam/principals.h"

namespace dinette::iam {
namespace {

using Texts = std::vector<std::string>;

void write_texts(aws::JsonWriter& json, const Texts& texts) {
  if (texts.size() == 1) {
    json.string(texts.front());
    return;
  }
  json.begin_array();
  for (const std::string& text : texts) json.string(text);
  json.end_array();
}

void write_patterns(aws::JsonWriter& json, std::string_view name, const Patterns& patterns) {
  json.key((patterns.negated ? "Not" : "") + std::string(name));
  write_texts(json, patterns.values);
}

/// Accounts as their root users, each principal once.
Texts canonical_principals(const Principals& principals) {
  Texts out;
  if (principals.everyone) out.emplace_back("*");
  for (const std::string& principal : principals.aws) {
    const bool is_account = account_of_principal(principal) == principal;
    std::string text = is_account ? "arn:aws:iam::" + principal + ":root" : principal;
    if (std::ranges::find(out, text) == out.end()) out.push_back(std::move(text));
  }
  return out;
}

void write_principals(aws::JsonWriter& json, const Principals& principals) {
  json.key(principals.negated ? "NotPrincipal" : "Principal");
  const Texts callers = canonical_principals(principals);
  if (principals.others.empty() && callers == Texts{"*"}) {
    json.string("*");
    return;
  }
  json.begin_object();
  if (!callers.empty()) {
    json.key("AWS");
    write_texts(json, callers);
  }
  for (auto other = principals.others.begin(); other != principals.others.end();) {
    const std::string& kind = other->first;
    Texts names;
    for (; other != principals.others.end() && other->first == kind; ++other) names.push_back(other->second);
    json.key(kind);
    write_texts(json, names);
  }
  json.end_object();
}

void write_conditions(aws::JsonWriter& json, const std::vector<Condition>& conditions) {
  json.key("Condition");
  json.begin_object();
  for (auto condition = conditions.begin(); condition != conditions.end();) {
    const std::string& name = condition->name;
    json.key(name);
    json.begin_object();
    for (; condition != conditions.end() && condition->name == name; ++condition) {
      json.escaped_key(condition->key);
      write_texts(json, condition->values);
    }
    json.end_object();
  }
  json.end_object();
}

void write_statement(aws::JsonWriter& json, const Statement& statement) {
  json.begin_object();
  if (!statement.sid.empty()) {
    json.key("Sid");
    json.string(statement.sid);
  }
  json.key("Effect");
  json.string(statement.effect == Effect::allow ? "Allow" : "Deny");
  write_principals(json, statement.principals);
  write_patterns(json, "Action", statement.actions);
  write_patterns(json, "Resource", statement.resources);
  if (!statement.conditions.empty()) write_conditions(json, statement.conditions);
  json.end_object();
}

std::string write_policy(const Policy& policy, bool with_version) {
  std::string text;
  aws::JsonWriter json(text);
  json.begin_object();
  if (with_version) {
    json.key("Version");
    json.string(policy.version);
  }
  if (!policy.id.empty()) {
    json.key("Id");
    json.string(policy.id);
  }
  json.key("Statement");
  json.begin_array();
  for (const Statement& statement : policy.statements) write_statement(json, statement);
  json.end_array();
  json.end_object();
  return text;
}

}  // namespace

std::string canonical_text(const Policy& policy) {
  return write_policy(policy, true);
}

std::string compared_text(const Policy& policy) {
  return write_policy(policy, policy.names_version);
}

}  // namespace dinette::iam
