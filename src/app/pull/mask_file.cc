#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "dinette/base/json_error.h"

#include "app/pull/masking.h"

namespace dinette::app {
namespace {

using base::Failure;
using MaskJson = nlohmann::json;

constexpr std::array<std::pair<std::string_view, MaskKind>, 7> mask_kinds{{{"text", MaskKind::text},
                                                                           {"email", MaskKind::email},
                                                                           {"name", MaskKind::name},
                                                                           {"digits", MaskKind::digits},
                                                                           {"fixed", MaskKind::fixed},
                                                                           {"drop", MaskKind::drop},
                                                                           {"keep", MaskKind::keep}}};
constexpr std::array<std::string_view, 5> rule_members{"table", "attribute", "kind", "value", "after"};

std::vector<std::string> path_of(const MaskJson& attribute) {
  if (attribute.is_array()) return attribute.get<std::vector<std::string>>();
  std::vector<std::string> path;
  std::string_view rest = attribute.get_ref<const std::string&>();
  for (std::size_t end = 0; end != std::string_view::npos;
       rest.remove_prefix(std::min(rest.size(), end + 1))) {
    end = rest.find('.');
    path.emplace_back(rest.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return path;
}

base::Result<MaskRule, std::string> read_rule(const MaskJson& json, const std::string& place) {
  if (!json.is_object() || !json.contains("attribute") || !json.contains("kind"))
    return Failure{place + R"( needs at least {"attribute": "email", "kind": "email"})"};
  for (const auto& [name, value] : json.items()) {
    if (std::ranges::find(rule_members, name) == rule_members.end())
      return Failure{place + " has a member '" + name +
                     "'; known are table, attribute, kind, value and after"};
  }
  const std::string kind = json["kind"];
  const auto* const found =
      std::ranges::find(mask_kinds, kind, &std::pair<std::string_view, MaskKind>::first);
  if (found == mask_kinds.end())
    return Failure{place + " has the kind '" + kind +
                   "'; kinds are text, email, name, digits, fixed, drop and keep"};
  MaskRule rule{.table = json.value("table", ""),
                .path = path_of(json["attribute"]),
                .kind = found->second,
                .value = json.value("value", ""),
                .after = json.value("after", "")};
  if (rule.path.empty() || std::ranges::find(rule.path, "") != rule.path.end())
    return Failure{place + " has an attribute with an empty name"};
  return rule;
}

}  // namespace

base::Result<MaskFile, std::string> read_mask_file(std::string_view text) {
  try {
    const MaskJson json = MaskJson::parse(text);
    if (!json.is_object() || !json.contains("rules") || !json["rules"].is_array())
      return Failure{std::string(R"(needs {"rules": [{"attribute": "email", "kind": "email"}]})")};
    for (const auto& [name, value] : json.items()) {
      if (name != "rules" && name != "key")
        return Failure{"has a member '" + name + "'; known are key and rules"};
    }
    MaskFile file{.key = json.value("key", ""), .rules = {}};
    for (const MaskJson& one : json["rules"]) {
      DINETTE_TRY(auto rule, read_rule(one, "rule " + std::to_string(file.rules.size() + 1)));
      file.rules.push_back(std::move(rule));
    }
    return file;
  } catch (const MaskJson::exception& error) {
    const auto wrong = base::find_json_error(text);
    return Failure{wrong ? wrong->place() + " is not JSON (" + wrong->reason + ")"
                         : std::string("is not as expected: ") + error.what()};
  }
}

}  // namespace dinette::app
