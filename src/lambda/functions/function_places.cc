#include "dinette/lambda/function_places.h"

#include <utility>

#include "dinette/http/client.h"
#include "dinette/http/local_host.h"
#include "dinette/http/query_string.h"

namespace dinette::lambda {
namespace {

using base::Failure;

// docs/service/triggers.md section 7
constexpr std::string_view invoke_prefix = "/2015-03-31/functions/";
constexpr std::string_view invoke_ending = "/invocations";

constexpr std::string_view before_name = "function:";

std::optional<http::Url> read_place(std::string_view text) {
  auto url = http::parse_url(text);
  if (!url) return url;
  tcp::Remote& server = url->server;
  const bool literal = server.host.find(':') != std::string::npos;
  // Certificates of this machine are self-signed.
  server.verify = server.tls && !http::is_local_host(literal ? "[" + server.host + "]" : server.host);
  return url;
}

/// Adds the path at which Lambda's Invoke calls a function to the URL of a server.
http::Url invoke_url(http::Url server, std::string_view name) {
  if (server.target.ends_with('/')) server.target.pop_back();
  server.target.append(invoke_prefix).append(http::percent_encode(name)).append(invoke_ending);
  return server;
}

}  // namespace

std::string_view function_name_of(std::string_view function) {
  // Only ARNs have this before the name: "arn:aws:lambda:us-east-1:123456789012:function:name:alias".
  const std::size_t start = function.find(before_name);
  if (start != std::string_view::npos) function.remove_prefix(start + before_name.size());
  return function.substr(0, function.find(':'));
}

base::Result<FunctionPlace, std::string> read_function_url(std::string_view text) {
  auto url = read_place(text);
  if (!url)
    return Failure{"'" + std::string(text) +
                   "' is not the URL of a function, such as http://127.0.0.1:3000/orders"};
  return FunctionPlace(*std::move(url));
}

std::string text_of(const FunctionPlace& place) {
  if (const auto* const url = std::get_if<http::Url>(&place))
    return (url->server.tls ? "https://" : "http://") + http::host_of(url->server) + url->target;
  std::string words;
  for (const std::string& word : std::get<FunctionCommand>(place).arguments)
    words.append(words.empty() ? "" : " ").append(word);
  return words;
}

base::Result<void, std::string> FunctionPlaces::add(std::string_view value) {
  if (auto server = read_place(value)) {
    all_ = *std::move(server);
    return {};
  }
  const std::size_t sign = value.find('=');
  const std::string_view name = value.substr(0, sign);
  auto url = sign == std::string_view::npos ? std::nullopt : read_place(value.substr(sign + 1));
  if (!url || name.empty() || http::is_url(value))
    return Failure{
        "takes the URL of a server that has all functions, such as http://127.0.0.1:3001, or NAME=URL for "
        "one function, not '" +
        std::string(value) + "'"};
  if (url->target == "/") url = invoke_url(*std::move(url), name);
  named_.insert_or_assign(std::string(name), *std::move(url));
  return {};
}

std::optional<FunctionPlace> FunctionPlaces::find(std::string_view function) const {
  const std::string_view name = function_name_of(function);
  if (const auto found = named_.find(name); found != named_.end()) return found->second;
  if (!all_) return std::nullopt;
  return invoke_url(*all_, name);
}

bool is_invoke_url(const http::Url& url) {
  return url.target.find(invoke_prefix) != std::string::npos && url.target.ends_with(invoke_ending);
}

}  // namespace dinette::lambda
