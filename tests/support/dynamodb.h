#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/service.h"
#include "dinette/kv/memory.h"
#include "dinette/tenancy/worlds.h"

// Made once, in dynamodb.cc: otherwise every test program's source makes its own.
extern template class nlohmann::basic_json<>;

namespace test {

using Json = nlohmann::json;

/// An answer of the service, whole.
struct Reply {
  int status = 0;
  std::string content_type;
  std::string headers;  ///< "name: value\r\n" lines beyond those of the HTTP server
  std::string body;

  Json json() const;
  /// The exception's name without its prefix; empty on success.
  std::string error() const;
  std::string message() const;
  /// The sentence of a ValidationException; of any other answer status and body, so that a comparison shows
  /// it.
  std::string refusal() const;
  /// The value of a header line, empty when there is none.
  std::string header(std::string_view name) const;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

/// The whole server but for sockets: request text in, reply text out, thousands a second. The clock stands
/// still unless a test moves it.
class DynamoDb {
 public:
  /// `engine`: in place of the memory engine, so that a test can make it fail, or several servers share it.
  explicit DynamoDb(dinette::dynamodb::ServiceOptions options = {},
                    std::shared_ptr<dinette::kv::Engine> engine = nullptr,
                    dinette::store::Face face = dinette::dynamodb::face(), std::uint64_t seed = 1);

  /// Checks that all data are whole (dinette/dynamodb/verify.h), after whatever the test has done to them.
  ~DynamoDb();
  DynamoDb(const DynamoDb&) = delete;
  DynamoDb& operator=(const DynamoDb&) = delete;
  /// Call if the test damages data.
  void leave_damage() { checks_data_ = false; }

  /// An operation with a JSON body.
  Reply call(std::string_view operation, std::string_view body, Headers headers = {});
  Reply call(std::string_view operation, const char* body, Headers headers = {}) {
    return call(operation, std::string_view(body), std::move(headers));
  }
  Reply call(std::string_view operation, const std::string& body, Headers headers = {}) {
    return call(operation, std::string_view(body), std::move(headers));
  }
  Reply call(std::string_view operation, const Json& body, Headers headers = {});
  /// The response on an event loop, where requests may not wait; none if the request is not answered there.
  std::optional<Reply> call_on_loop(std::string_view operation, std::string_view body, Headers headers = {});
  /// The same where the test needs success: fails the test with the error's text. An empty body counts as {}.
  Json ok(std::string_view operation, const Json& body);
  /// Any HTTP request.
  Reply send(std::string_view method, std::string_view target, Headers headers, std::string_view body);

  /// The same as the HTTP server makes it, also where the answer comes later (http::Deferral).
  void handle(const dinette::http::Request& request, dinette::http::Response& reply);
  /// The same, until it would have to be deferred.
  void begin(const dinette::http::Request& request, dinette::http::Response& reply) {
    service_.handle(request, reply);
  }

  /// What becomes of an answer that the HTTP server gives by itself.
  Reply refused(int status, std::string_view body);

  /// An on-demand table with a hash key `pk` (and a range key `sk`) of the types given; empty: no range key.
  void create_table(std::string_view name, std::string_view hash_type = "S",
                    std::string_view range_type = "");
  void put(std::string_view table, const Json& item);
  /// The stored item, null when there is none.
  Json get(std::string_view table, const Json& key);

  dinette::base::ManualClock& clock() { return clock_; }
  dinette::tenancy::Worlds& worlds() { return worlds_; }
  dinette::kv::Engine& engine() { return worlds_.pick("").value()->engine(); }
  /// What goes on behind the answers in the default world, a step at a time when the test says so.
  dinette::base::Jobs& jobs() { return worlds_.pick("").value()->jobs(); }

 private:
  dinette::base::ManualClock clock_;
  dinette::base::SeededIds ids_;
  dinette::tenancy::Worlds worlds_;
  dinette::dynamodb::Service service_;
  bool checks_data_ = true;
};

/// `1 validation error detected: ` in front: the envelope E of docs/service.
std::string enveloped(std::string_view message);
/// `One or more parameter values were invalid: ` in front: OPI of docs/service.
std::string invalid(std::string_view message);

}  // namespace test
