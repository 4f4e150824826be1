#include "support/dynamodb.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include <catch2/catch.hpp>

#include "dinette/dynamodb/local_call.h"
#include "dinette/dynamodb/verify.h"

#include "dynamodb/api/examples.h"
#include "support/worlds.h"

template class nlohmann::basic_json<>;

namespace test {

using namespace dinette;

namespace {

// 2026-10-10T12:00:00Z
constexpr base::TimePoint start{std::chrono::microseconds(1'791'633'600'000'000)};

Json key_element(std::string_view name, std::string_view type) {
  return {{"AttributeName", name}, {"KeyType", type}};
}

Json definition(std::string_view name, std::string_view type) {
  return {{"AttributeName", name}, {"AttributeType", type}};
}

Headers headers_for(std::string_view operation, Headers headers) {
  headers.emplace_back("Host", "localhost:8000");
  headers.emplace_back("X-Amz-Target", dynamodb::target_of(operation));
  headers.emplace_back("Content-Type", "application/x-amz-json-1.0");
  return headers;
}

std::vector<http::Header> views_of(const Headers& headers) {
  std::vector<http::Header> views;
  for (const auto& [name, value] : headers) views.push_back({name, value});
  return views;
}

/// An operation answers only with errors that its specification lists, or that every operation may have.
void check_listed(std::string_view operation, const Reply& reply) {
  if (reply.status == 200 || !reply.body.starts_with('{')) return;
  const auto lists = [error = reply.error()](std::span<const std::string_view> errors) {
    return std::ranges::find(errors, error) != errors.end();
  };
  const auto named = [&](const auto& specified) {
    return specified.target.substr(specified.target.find('.') + 1) == operation;
  };
  namespace api = dynamodb::api;
  const auto* const end = std::end(api::specified_operations);
  const auto* const found = std::find_if(std::begin(api::specified_operations), end, named);
  if (found == end || lists(api::errors_of_every_operation) || lists(found->errors)) return;
  throw std::logic_error(std::string(operation) +
                         " answered with an error that it does not list: " + reply.body);
}

}  // namespace

Json Reply::json() const {
  return Json::parse(body);
}

std::string Reply::error() const {
  if (status == 200) return "";
  const std::string type = json().at("__type");
  return type.substr(type.find('#') + 1);
}

std::string Reply::message() const {
  const Json error = json();
  return error.value("message", error.value("Message", std::string()));
}

std::string Reply::refusal() const {
  return error() == "ValidationException" ? message() : std::to_string(status) + " " + body;
}

std::string Reply::header(std::string_view name) const {
  const std::string mark = std::string(name) + ": ";
  const auto at = headers.find(mark);
  if (at == std::string::npos) return "";
  const auto begin = at + mark.size();
  return headers.substr(begin, headers.find("\r\n", begin) - begin);
}

DynamoDb::DynamoDb(dynamodb::ServiceOptions options, std::shared_ptr<kv::Engine> engine, store::Face face,
                   std::uint64_t seed)
    : clock_(start),
      ids_(seed),
      worlds_(test_worlds(std::move(engine), face, options.index_lag + options.stale_reads,
                          {.objects = options.objects,
                           .stream_retention = options.stream_retention,
                           .recovery_window = options.recovery_window,
                           .kinesis = options.kinesis,
                           .replication_lag = options.replication_lag}),
              clock_, ids_),
      service_(std::move(options), worlds_, clock_, ids_) {}

DynamoDb::~DynamoDb() {
  for (const tenancy::ListedWorld& world : worlds_.list()) world.world->lanes().stop();
  if (!checks_data_) return;
  for (const tenancy::ListedWorld& world : worlds_.list()) {
    const auto fail = [](const std::string& fault) { FAIL_CHECK(fault); };
    const auto checked = dynamodb::verify_data(*world.world, fail, [](const dynamodb::VerifiedData&) {});
    if (!checked) fail(checked.error().message);
  }
}

Reply DynamoDb::send(std::string_view method, std::string_view target, Headers headers,
                     std::string_view body) {
  const std::vector<http::Header> views = views_of(headers);
  http::Request request{.method = method, .target = target, .headers = views, .body = body, .remote = "test"};
  http::Response reply;
  handle(request, reply);
  return {reply.status, std::string(reply.content_type), reply.headers, reply.body};
}

void DynamoDb::handle(const http::Request& request, http::Response& reply) {
  http::answer_here([this](const auto& asked, auto& answer) { service_.handle(asked, answer); }, request,
                    reply);
}

Reply DynamoDb::refused(int status, std::string_view body) {
  http::Response reply;
  reply.status = status;
  reply.body = body;
  service_.refuse({.method = "", .target = "", .headers = {}, .body = "", .remote = "test"}, reply);
  return {reply.status, std::string(reply.content_type), reply.headers, reply.body};
}

Reply DynamoDb::call(std::string_view operation, std::string_view body, Headers headers) {
  Reply reply = send("POST", "/", headers_for(operation, std::move(headers)), body);
  check_listed(operation, reply);
  return reply;
}

std::optional<Reply> DynamoDb::call_on_loop(std::string_view operation, std::string_view body,
                                            Headers headers) {
  headers = headers_for(operation, std::move(headers));
  const std::vector<http::Header> views = views_of(headers);
  http::Response reply;
  service_.handle(
      {.method = "POST", .target = "/", .headers = views, .body = body, .remote = "test", .may_wait = false},
      reply);
  if (reply.must_wait) return std::nullopt;
  return Reply{reply.status, std::string(reply.content_type), reply.headers, reply.body};
}

Reply DynamoDb::call(std::string_view operation, const Json& body, Headers headers) {
  return call(operation, std::string_view(body.dump()), std::move(headers));
}

void DynamoDb::put(std::string_view table, const Json& item) {
  ok("PutItem", {{"TableName", table}, {"Item", item}});
}

Json DynamoDb::ok(std::string_view operation, const Json& body) {
  const Reply reply = call(operation, body);
  INFO(operation << " " << body.dump() << " -> " << reply.body);
  REQUIRE(reply.status == 200);
  return reply.body.empty() ? Json::object() : reply.json();
}

void DynamoDb::create_table(std::string_view name, std::string_view hash_type, std::string_view range_type) {
  Json request = {{"TableName", name},
                  {"BillingMode", "PAY_PER_REQUEST"},
                  {"KeySchema", Json::array({key_element("pk", "HASH")})},
                  {"AttributeDefinitions", Json::array({definition("pk", hash_type)})}};
  if (!range_type.empty()) {
    request["KeySchema"].push_back(key_element("sk", "RANGE"));
    request["AttributeDefinitions"].push_back(definition("sk", range_type));
  }
  ok("CreateTable", request);
}

Json DynamoDb::get(std::string_view table, const Json& key) {
  return ok("GetItem", {{"TableName", table}, {"Key", key}}).value("Item", Json());
}

std::string enveloped(std::string_view message) {
  return "1 validation error detected: " + std::string(message);
}

std::string invalid(std::string_view message) {
  return "One or more parameter values were invalid: " + std::string(message);
}

}  // namespace test
