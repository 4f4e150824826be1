#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/lambda/service.h"
#include "dinette/lambda/stream_sources.h"
#include "dinette/tenancy/worlds.h"

namespace test::lambda {

using Json = nlohmann::json;
using Headers = std::vector<std::pair<std::string, std::string>>;

inline const std::string table_stream =
    "arn:aws:dynamodb:us-east-1:000000000000:table/Music/stream/2026-10-10T12:00:00.000";
inline const std::string kinesis_stream = "arn:aws:kinesis:us-east-1:000000000000:stream/clicks";

/// Streams of which only their shards and the last place of each are known. Thread-safe.
class FakeStreams final : public dinette::lambda::StreamSources {
 public:
  struct FakeShard {
    std::string id;
    std::string last_place = {};  ///< for a reader that begins with the latest record
    std::vector<std::string> parents = {};
    bool closed = false;  ///< no record will come
  };
  using Shards = std::vector<FakeShard>;

  FakeStreams();

  dinette::kv::Result<std::unique_ptr<dinette::deliveries::StreamSource>> open(dinette::tenancy::World& world,
                                                                               std::string_view name_space,
                                                                               std::string_view arn) override;
  dinette::kv::Result<std::string> stream_of_table(dinette::tenancy::World& world,
                                                   std::string_view name_space,
                                                   std::string_view table) override;

  void set(const std::string& arn, Shards shards);
  void remove(const std::string& arn);
  void set_stream_of_table(const std::string& table, const std::string& arn);

  /// Returns the shards of a stream; nothing if there is no such stream.
  std::optional<Shards> shards_of(std::string_view arn) const;
  std::string last_name_space() const;

 private:
  mutable std::mutex mutex_;  ///< lanes open and read streams, too
  std::map<std::string, Shards, std::less<>> streams_;
  std::map<std::string, std::string, std::less<>> tables_;
  std::string last_name_space_ = "none was opened";
};

/// An answer of the service, whole.
struct Reply {
  int status = 0;
  std::string error;  ///< of the header; empty: success
  std::string content_type;
  std::string body;
  bool must_wait = false;

  Json json() const { return Json::parse(body); }
  /// "404 ResourceNotFoundException User: There is none", or status and body of a success.
  std::string refusal() const;
};

/// The mappings of a server, without sockets. The clock stands still unless a test moves it, and jobs run
/// when the test says so. There are the two streams above. At the end all data are verified.
class Lambda {
 public:
  explicit Lambda(dinette::lambda::ServiceOptions options = {},
                  std::shared_ptr<dinette::kv::Engine> engine = nullptr);
  ~Lambda();
  Lambda(const Lambda&) = delete;
  Lambda& operator=(const Lambda&) = delete;

  Reply send(std::string_view method, std::string_view target, std::string_view body = {},
             const Headers& headers = {}, bool may_wait = true);

  Reply create(const Json& body, const Headers& headers = {});
  Reply get(const std::string& uuid, const Headers& headers = {});
  Reply update(const std::string& uuid, const Json& body);
  Reply remove(const std::string& uuid);
  Reply list(const std::string& query = {}, const Headers& headers = {});
  Reply tags(const std::string& arn);
  Reply tag(const std::string& arn, const Json& added);
  Reply untag(const std::string& arn, const std::vector<std::string>& keys);
  /// Calls an operation by its name, with an input whose members may be of the path or the query.
  Reply call(std::string_view operation, Json input);

  /// Maps a function to a stream, from the oldest record. Returns the UUID.
  std::string map(const std::string& function, const std::string& stream = table_stream,
                  const Json& more = {});
  /// What is wrong with a mapping that differs so from a good one.
  std::string refusal(const Json& more);

  void advance(std::chrono::microseconds time);
  void run_jobs();
  dinette::base::ManualClock& clock() { return clock_; }
  dinette::base::Ids& ids() { return ids_; }
  dinette::tenancy::World& world() { return *worlds_.pick("").value(); }
  dinette::store::Store& store();
  dinette::tenancy::Worlds& worlds() { return worlds_; }

  FakeStreams streams;

 private:
  dinette::base::ManualClock clock_;
  dinette::base::SeededIds ids_{1};
  dinette::tenancy::Worlds worlds_;
  dinette::lambda::Service service_;
};

/// A good request, and what differs from it: null leaves a member out.
Json mapping_of(const std::string& function, const std::string& stream = table_stream, const Json& more = {});

}  // namespace test::lambda
