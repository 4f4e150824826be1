#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/kinesis/service.h"
#include "dinette/tenancy/worlds.h"

namespace test::kinesis {

using Json = nlohmann::json;
using Headers = std::vector<std::pair<std::string, std::string>>;

/// An answer of the service, whole.
struct Reply {
  int status = 0;
  std::string content_type;
  std::string body;
  bool must_wait = false;

  Json json() const { return Json::parse(body); }
  /// "ResourceNotFoundException: Stream x ...", or status and body of a success.
  std::string refusal() const;
};

/// The streams of a server, without sockets. The clock stands still unless a test moves it, and jobs run when
/// the test says so. At the end all data are verified.
class Kinesis {
 public:
  explicit Kinesis(dinette::kinesis::ServiceOptions options = {},
                   std::shared_ptr<dinette::kv::Engine> engine = nullptr);
  ~Kinesis();
  Kinesis(const Kinesis&) = delete;
  Kinesis& operator=(const Kinesis&) = delete;

  Reply call(std::string_view operation, std::string_view body, const Headers& headers = {},
             bool may_wait = true);
  Reply call(std::string_view operation, const Json& body, const Headers& headers = {}) {
    return call(operation, std::string_view(body.dump()), headers);
  }
  /// The same where the test needs success. An empty body counts as {}.
  Json ok(std::string_view operation, const Json& body);
  std::string refusal(std::string_view operation, const Json& body) {
    return call(operation, body).refusal();
  }

  void create(std::string_view name, int shards = 1);
  /// Returns the sequence number of the record.
  std::string put(std::string_view stream, std::string_view partition_key, std::string_view data);
  std::string iterator(std::string_view stream, std::string_view shard, const Json& more = {});
  /// The data of the records from an iterator on, until a page is empty or the shard ends.
  std::vector<std::string> read(std::string iterator);
  /// The same of a shard, from its beginning.
  std::vector<std::string> read_shard(std::string_view stream, std::string_view shard) {
    return read(iterator(stream, shard));
  }
  Json shards(std::string_view stream);

  void advance(std::chrono::microseconds time);
  dinette::base::ManualClock& clock() { return clock_; }
  dinette::tenancy::World& world() { return *worlds_.pick("").value(); }
  dinette::tenancy::Worlds& worlds() { return worlds_; }

 private:
  dinette::base::ManualClock clock_;
  dinette::base::SeededIds ids_{1};
  dinette::tenancy::Worlds worlds_;
  dinette::kinesis::Service service_;
};

/// `shardId-000000000000`.
std::string shard(int number);

}  // namespace test::kinesis
