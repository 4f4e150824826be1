#include "s3/fixture.h"

#include <catch2/catch.hpp>

namespace dinette::s3 {
namespace {

/// Returns what is between `begin` and `end`, and removes all up to there; "(none)" if it is not there.
std::string take_between(std::string_view& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end, from);
  if (from == std::string_view::npos || to == std::string_view::npos) return "(none)";
  const std::string found(text.substr(from + begin.size(), to - from - begin.size()));
  text.remove_prefix(to);
  return found;
}

}  // namespace

std::string Response::element(std::string_view name) const {
  std::string_view text = body;
  return take_between(text, "<" + std::string(name) + ">", "</" + std::string(name) + ">");
}

std::string Response::elements(std::string_view name) const {
  std::string all;
  std::string_view text = body;
  for (;;) {
    const std::string found =
        take_between(text, "<" + std::string(name) + ">", "</" + std::string(name) + ">");
    if (found == "(none)") return all;
    all += found + " ";
  }
}

std::string Response::header(std::string_view name) const {
  std::string_view text = headers;
  return take_between(text, std::string(name) + ": ", "\r\n");
}

Fixture::Fixture(ServiceOptions options) : service(std::move(options), *store, clock, ids) {}

Response Fixture::send(std::string_view method, std::string_view target, std::string_view body,
                       Headers headers) {
  headers.emplace_back("Host", "localhost:8000");
  return answer(method, target, body, headers);
}

Response Fixture::send_to(std::string_view host, std::string_view method, std::string_view target,
                          std::string_view body) {
  return answer(method, target, body, {{"Host", std::string(host)}});
}

Response Fixture::answer(std::string_view method, std::string_view target, std::string_view body,
                         const Headers& headers) {
  std::vector<http::Header> views;
  for (const auto& [name, value] : headers) views.push_back({name, value});
  const http::Request request{
      .method = method, .target = target, .headers = views, .body = body, .remote = "127.0.0.1:4000"};
  http::Response response;
  service.handle(request, response);
  std::string all = response.body;
  while (response.rest && all.size() < response.length.value_or(0)) {
    response.body.clear();
    REQUIRE(response.rest(response.body));
    all += response.body;
  }
  if (method != "HEAD" && response.length) CHECK(all.size() == *response.length);
  return {response.status, response.headers, std::move(all)};
}

void Fixture::fill(const std::vector<std::string>& keys) {
  REQUIRE(store->create_bucket("bucket").ok());
  for (const std::string& key : keys) REQUIRE(objects::put(*store, "bucket", key, key).ok());
}

}  // namespace dinette::s3
