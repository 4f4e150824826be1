#include "aws/rest_call.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "dinette/aws/json_writer.h"
#include "dinette/http/query_string.h"
#include "dinette/http/tokens.h"

namespace dinette::aws {
namespace {

using http::take_until;

/// A longer number is none that an API has.
constexpr std::size_t most_digits = 18;

constexpr std::string_view json_space = " \t\n\r";

std::string_view without_space_around(std::string_view json) {
  const std::size_t begin = json.find_first_not_of(json_space);
  if (begin == std::string_view::npos) return {};
  return json.substr(begin, json.find_last_not_of(json_space) + 1 - begin);
}

/// Returns true if the text is an integer as JSON writes it.
bool is_json_integer(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool has_leading_zero = text.size() > 1 && text.front() == '0';
  return !text.empty() && text.size() <= most_digits && !has_leading_zero &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns the name in a segment such as "{Name}"; nothing for others.
std::optional<std::string_view> label_in(std::string_view segment) {
  if (!segment.starts_with('{') || !segment.ends_with('}')) return std::nullopt;
  return segment.substr(1, segment.size() - 2);
}

}  // namespace

std::unique_ptr<RestCall> RestCall::of(const http::Request& request, std::span<const RestRoute> routes) {
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const RestRoute& route = routes[i];
    Members members;
    if (route.method != request.method || !take_labels(request.path(), route.path, members)) continue;
    take_query(request.query(), route.query, members);
    return std::unique_ptr<RestCall>(new RestCall(i, route.status, std::move(members)));
  }
  return nullptr;
}

/// Returns false if the path is not of that form.
bool RestCall::take_labels(std::string_view path, std::string_view form, Members& out) {
  if (path.ends_with('/')) path.remove_suffix(1);
  if (path.ends_with('/')) return false;
  while (!path.empty() && !form.empty()) {
    const std::string_view segment = take_until(path, '/');
    const std::string_view wanted = take_until(form, '/');
    const auto label = label_in(wanted);
    if (label ? segment.empty() : segment != wanted) return false;
    if (label) out.push_back({*label, {http::percent_decode(segment)}});
  }
  return path.empty() && form.empty();
}

void RestCall::take_query(std::string_view query, std::span<const QueryMember> members, Members& out) {
  if (members.empty() || query.empty()) return;
  const http::QueryString given(query);
  for (const QueryMember& member : members) {
    std::vector<std::string> values;
    for (const auto& [parameter, value] : given.parameters()) {
      if (parameter == member.parameter) values.push_back(value);
    }
    if (!values.empty()) out.push_back({member.name, std::move(values), member.kind});
  }
}

/// Of a member that is no list, the first value counts.
void RestCall::append(std::string& out, const Member& member) {
  using Kind = QueryMember::Kind;
  const std::string& first = member.values.front();
  if (member.kind == Kind::texts) {
    JsonWriter json(out);
    json.begin_array();
    for (const std::string& value : member.values) json.string(value);
    json.end_array();
  } else if (member.kind == Kind::number && is_json_integer(first)) {
    out += first;
  } else {
    append_json_string(out, first);
  }
}

std::string_view RestCall::merge(std::string_view body) {
  const std::string_view object = without_space_around(body);
  const bool is_open = object.empty() || object.ends_with('}');
  if (members_.empty() || !is_open) return input_ = body;
  input_ = object.empty() ? "{" : object.substr(0, object.size() - 1);
  // A body that is no object gets a comma where JSON has none, or is not closed.
  bool first = without_space_around(input_) == "{";
  for (const Member& member : members_) {
    if (!std::exchange(first, false)) input_ += ',';
    append_json_string(input_, member.name);
    input_ += ':';
    append(input_, member);
  }
  return input_ += '}';
}

}  // namespace dinette::aws
