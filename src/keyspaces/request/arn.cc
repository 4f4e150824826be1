#include "keyspaces/request/arn.h"

#include <algorithm>

#include "dinette/base/ascii.h"

namespace dinette::keyspaces {
namespace {

constexpr std::string_view scheme = "arn:aws";
constexpr std::string_view service = ":cassandra:";
constexpr std::string_view of_keyspace = ":/keyspace/";
constexpr std::string_view of_table = "/table/";
constexpr std::string_view of_stream = "/stream/";

/// Takes what precedes `separator` from a text, and the separator; all of it if there is none.
std::string_view take_before(std::string_view& text, std::string_view separator) {
  const std::size_t end = text.find(separator);
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + separator.size());
  return taken;
}

}  // namespace

bool is_arn(std::string_view text) {
  if (!text.starts_with(scheme)) return false;
  std::string_view rest = text.substr(scheme.size());
  const std::string_view partition = take_before(rest, service);
  const auto fits = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '-'; };
  return !rest.empty() && std::ranges::all_of(partition, fits);
}

std::optional<NamedResource> resource_in(std::string_view arn) {
  if (!is_arn(arn) || arn.find(of_keyspace) == std::string_view::npos) return std::nullopt;
  take_before(arn, of_keyspace);
  NamedResource named;
  named.keyspace = take_before(arn, of_table);
  if (named.keyspace.ends_with('/')) named.keyspace.remove_suffix(1);
  named.table = take_before(arn, of_stream);
  named.stream_label = arn;
  if (named.keyspace.empty() || named.keyspace.find('/') != std::string_view::npos) return std::nullopt;
  if (named.table.find('/') != std::string_view::npos) return std::nullopt;
  return named;
}

}  // namespace dinette::keyspaces
