#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/tablestore/service.h"
#include "dinette/tenancy/worlds.h"

#include "tablestore/api/client.h"

namespace dinette::tablestore::test {

/// Headers of a request: those of the client, of which a test may replace some or leave some out.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// An answer of the service, whole.
struct Reply {
  int status = 0;
  std::string content_type;
  std::string headers;  ///< lines, as they are sent
  std::string body;
  bool must_wait = false;

  /// Returns the value of a header; empty if there is none.
  std::string header(std::string_view name) const;
  /// "OTSObjectNotExist: Requested table does not exist.", or the status of a success.
  std::string refusal() const;
};

/// What a client sends.
struct Request {
  std::string method = "POST";
  std::string path;
  std::string body;
  Headers headers;
  bool may_wait = true;
};

/// The tables of a server, without sockets. The clock stands still unless a test moves it, and jobs run when
/// the test says so. At the end all data are verified.
class Server {
 public:
  explicit Server(ServiceOptions options = {}, std::shared_ptr<kv::Engine> engine = nullptr);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Returns a request of key `ak` with secret `sk` to instance `inst`, with all headers but the signature.
  Request request(std::string_view operation, std::string_view body) const;
  /// Adds the signature of the secret.
  static void sign(Request& request, std::string_view secret = "sk");
  Reply send(const Request& request);

  /// Sends a message, signed.
  template <class Message>
  Reply call(std::string_view operation, const Message& message) {
    Request one = request(operation, codec::encode_message(message));
    sign(one);
    return send(one);
  }
  /// The same where the test needs success.
  template <class Response, class Message>
  Response ok(std::string_view operation, const Message& message) {
    const Reply reply = call(operation, message);
    INFO(operation << " -> " << reply.refusal());
    REQUIRE(reply.status == 200);
    auto response = codec::decode_message<Response>(reply.body);
    REQUIRE(response);
    return *std::move(response);
  }
  template <class Message>
  std::string refusal(std::string_view operation, const Message& message) {
    return call(operation, message).refusal();
  }

  /// Creates a table with the key `gid` (Integer), `uid` (String), or another.
  void create(std::string_view name, std::vector<api::PrimaryKeySchema> key = {});

  void advance(std::chrono::microseconds time);
  base::ManualClock& clock() { return clock_; }
  Service& service() { return service_; }
  tenancy::World& world() { return *worlds_.pick("").value(); }
  tenancy::Worlds& worlds() { return worlds_; }

 private:
  base::ManualClock clock_;
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_;
  Service service_;
};

/// A CreateTable with the key `gid` (Integer), `uid` (String), options and units as clients fill them in.
api::CreateTableRequest table_of(std::string_view name);

}  // namespace dinette::tablestore::test
