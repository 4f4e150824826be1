#include "admin/body.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dinette/base/json_error.h"

namespace dinette::admin {
namespace {

base::Failure<Error> wrong_type(const std::string& name, std::string_view wanted) {
  return bad_request("The member '" + name + "' must be " + std::string(wanted) + ".");
}

std::string not_json(std::string_view text) {
  const auto error = base::find_json_error(text);
  return "The body is not valid JSON" + (error ? " (" + error->place() + ": " + error->reason + ")." : ".");
}

}  // namespace

Result<Body> Body::parse(std::string_view text) {
  Body body;
  if (text.empty()) return body;
  if (text.size() > most_body_bytes) {
    return base::Failure{
        Error{413, "TooLarge", "The body is longer than " + std::to_string(most_body_bytes) + " bytes."}};
  }
  bool too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > most_body_depth;
    return !too_deep;
  };
  Json parsed = Json::parse(text, keep, false);
  if (too_deep)
    return bad_request("The body nests deeper than " + std::to_string(most_body_depth) + " levels.");
  if (parsed.is_discarded()) return bad_request(not_json(text));
  if (!parsed.is_object()) return bad_request("The body must be a JSON object.");
  return of(std::move(parsed));
}

Body Body::of(Json object) {
  Body body;
  body.members_ = std::move(object);
  return body;
}

Result<void> Body::allow_only(std::initializer_list<std::string_view> names) const {
  for (const auto& [name, value] : members_.items()) {
    if (std::ranges::find(names, name) != names.end()) continue;
    std::string known;
    for (const std::string_view one : names) known += (known.empty() ? "" : ", ") + std::string(one);
    return bad_request("The member '" + name + "' is unknown here" +
                       (known.empty() ? "." : "; known are: " + known + "."));
  }
  return {};
}

const Json& Body::any(const std::string& name) const {
  static const Json null;
  const auto found = members_.find(name);
  return found == members_.end() ? null : *found;
}

Result<std::optional<std::string>> Body::text(const std::string& name) const {
  const Json& value = any(name);
  if (value.is_null()) return std::optional<std::string>();
  if (!value.is_string()) return wrong_type(name, "a string");
  return std::optional(value.get<std::string>());
}

Result<std::optional<bool>> Body::flag(const std::string& name) const {
  const Json& value = any(name);
  if (value.is_null()) return std::optional<bool>();
  if (!value.is_boolean()) return wrong_type(name, "true or false");
  return std::optional(value.get<bool>());
}

Result<std::optional<double>> Body::number(const std::string& name) const {
  const Json& value = any(name);
  if (value.is_null()) return std::optional<double>();
  if (!value.is_number()) return wrong_type(name, "a number");
  return std::optional(value.get<double>());
}

Result<std::string> Body::name(const std::string& member) const {
  DINETTE_TRY(auto value, text(member));
  if (value && value->empty()) return bad_request("The member '" + member + "' must not be empty.");
  return std::move(value).value_or("");
}

Result<std::optional<std::uint64_t>> Body::whole(const std::string& name, std::uint64_t least,
                                                 std::uint64_t greatest) const {
  DINETTE_TRY(const auto value, number(name));
  if (!value) return std::optional<std::uint64_t>();
  const bool within = *value >= static_cast<double>(least) && *value <= static_cast<double>(greatest);
  if (!within || *value != std::floor(*value)) {
    return bad_request("The member '" + name + "' must be a whole number from " + std::to_string(least) +
                       " to " + std::to_string(greatest) + ".");
  }
  return std::optional(static_cast<std::uint64_t>(*value));
}

}  // namespace dinette::admin
