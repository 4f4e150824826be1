#include "admin/call.h"

#include <charconv>
#include <system_error>
#include <utility>

#include "dinette/base/time_text.h"
#include "dinette/tenancy/world_header.h"

namespace dinette::admin {

std::string_view own_name(std::string_view api_name) {
  return api_name == tenancy::default_world ? std::string_view() : api_name;
}

std::string_view api_name(std::string_view own_name) {
  return own_name.empty() ? tenancy::default_world : own_name;
}

Result<std::optional<std::string>> chosen_name(const Call& call) {
  DINETTE_TRY(auto name, call.body.text("world"));
  if (name) return name;
  if (const auto parameter = call.query.find("world")) return std::optional(std::string(*parameter));
  if (const auto header = call.request.header(tenancy::world_header))
    return std::optional(std::string(*header));
  return std::optional<std::string>();
}

Result<void> allow_only(const http::QueryString& query, std::string_view names) {
  if (names == "*") return {};
  const std::string known = "," + std::string(names) + ",";
  for (const auto& [name, value] : query.parameters()) {
    if (name.find(',') == std::string::npos && known.find("," + name + ",") != std::string::npos) continue;
    std::string listed;
    for (const char c : names) listed += c == ',' ? ", " : std::string(1, c);
    return bad_request("The parameter '" + name + "' is unknown here" +
                       (listed.empty() ? "." : "; known are: " + listed + "."));
  }
  return {};
}

Result<std::uint64_t> number_parameter(const Call& call, std::string_view name, std::uint64_t otherwise,
                                       NumberRange range) {
  const auto text = call.query.find(name);
  if (!text) return otherwise;
  std::uint64_t number = 0;
  const auto read = std::from_chars(text->data(), text->data() + text->size(), number);
  if (read.ec != std::errc() || read.ptr != text->data() + text->size() || number < range.least ||
      number > range.most)
    return bad_request("The parameter '" + std::string(name) + "' is a whole number from " +
                       std::to_string(range.least) + " to " + std::to_string(range.most) + ".");
  return number;
}

std::string no_world(const State& state, const std::string& name) {
  const auto dropped = state.worlds.dropped_at(name);
  if (!dropped) return "There is no world '" + name + "'.";
  return "The world '" + name + "' was dropped at " + base::format_time(*dropped) +
         ". POST /_dinette/worlds forks it again.";
}

Result<NamedWorld> world_named(State& state, const std::string& name) {
  auto world = name.empty() ? nullptr : state.worlds.find(own_name(name));
  if (world == nullptr) return bad_request(no_world(state, name));
  return NamedWorld{name, std::move(world)};
}

Result<NamedWorld> chosen_world(State& state, const Call& call) {
  DINETTE_TRY(const auto name, chosen_name(call));
  return world_named(state, name.value_or(std::string(tenancy::default_world)));
}

}  // namespace dinette::admin
