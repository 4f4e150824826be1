#include "s3/address.h"

#include <algorithm>
#include <array>
#include <optional>

#include "dinette/base/ascii.h"
#include "dinette/http/local_host.h"
#include "dinette/http/query_string.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

constexpr std::array<string_view, 2> service_labels{"s3.", "s3-"};
constexpr string_view local_suffix = ".localhost";

string host_of(const http::Request& request) {
  string host(http::host_of(request.header("host").value_or("")).value_or(""));
  std::ranges::transform(host, host.begin(), base::to_lower);
  return host;
}

bool names_service(string_view host) {
  return std::ranges::any_of(service_labels, [&](string_view label) { return host.starts_with(label); });
}

/// Returns what comes before the service's own name; nothing if that is not there.
std::optional<string> before_service(const string& host) {
  if (names_service(host)) return string();
  for (std::size_t dot = host.find('.'); dot != string::npos; dot = host.find('.', dot + 1)) {
    if (names_service(string_view(host).substr(dot + 1))) return host.substr(0, dot);
  }
  return std::nullopt;
}

Address with_bucket(string bucket, string_view path) {
  return {std::move(bucket), http::percent_decode(path.substr(std::min<std::size_t>(1, path.size())))};
}

Address of_path(string_view path) {
  path.remove_prefix(std::min<std::size_t>(1, path.size()));
  const std::size_t end = std::min(path.find('/'), path.size());
  return {http::percent_decode(path.substr(0, end)),
          http::percent_decode(path.substr(std::min(end + 1, path.size())))};
}

}  // namespace

bool is_host_of_s3(const http::Request& request) {
  return before_service(host_of(request)).has_value();
}

Address address_of(const http::Request& request, const std::function<bool(const string&)>& exists) {
  const string host = host_of(request);
  const string_view path = request.path();
  if (auto bucket = before_service(host)) {
    if (!bucket->empty()) return with_bucket(std::move(*bucket), path);
  } else if (host.ends_with(local_suffix)) {
    string name = host.substr(0, host.size() - local_suffix.size());
    const bool only_bucket = path == "/" && request.method != "GET" && request.method != "OPTIONS";
    if (only_bucket || exists(name)) return with_bucket(std::move(name), path);
  }
  return of_path(path);
}

}  // namespace dinette::s3
