#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/aws/auth_options.h"
#include "dinette/aws/generation.h"
#include "dinette/aws/smithy.h"
#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/replication.h"
#include "dinette/face/face.h"
#include "dinette/http/message.h"
#include "dinette/http/server.h"
#include "dinette/observe/contributors.h"
#include "dinette/observe/metrics_writer.h"
#include "dinette/observe/recent_requests.h"
#include "dinette/observe/report.h"
#include "dinette/tenancy/faults.h"
#include "dinette/tenancy/tenants.h"
#include "dinette/tenancy/worlds.h"

namespace dinette::iam {
class Identities;
}  // namespace dinette::iam

namespace dinette::objects {
class ObjectStore;
}  // namespace dinette::objects

namespace dinette::dynamodb {

class Gate;
class KinesisStreams;

/// Returns the description of DynamoDB's tables that the store needs.
store::Face face();

/// The ServiceOptions that background work needs.
struct Upkeep {
  std::chrono::milliseconds time_to_live_delay{0};
  objects::ObjectStore* objects = nullptr;
  std::chrono::milliseconds stream_retention = std::chrono::hours(24);
  std::chrono::milliseconds recovery_window = std::chrono::days(35);
  KinesisStreams* kinesis = nullptr;
  ReplicationLag replication_lag = {};
};

/// Returns the same, with what a world needs.
tenancy::WorldFace world_face(const Upkeep& upkeep = {});

/// Deletes the items of a world whose time to live is over, now and on this thread. Returns how many there
/// were; nothing if storage fails, which is logged.
std::optional<std::size_t> delete_expired_items(tenancy::World& world);

/// Splits each open shard of the stream of a table into two, up to the maximum number of shards of a stream;
/// in all regions where there is a table of that name. Returns false if none has an enabled stream.
kv::Result<bool> split_shards(tenancy::World& world, std::string_view table);

/// Returns the keys that contributor insights of a world have counted, by table and rule; in all regions.
kv::Result<std::vector<observe::ContributorRule>> contributors(tenancy::World& world);

/// Returns an error message if a name in a rule is unknown, such as its operation or its error. Otherwise
/// writes its key in the form of requests' keys, and returns nothing; tables need not exist.
std::optional<std::string> prepare_fault(tenancy::FaultRule& rule);

/// Returns the limits that the HTTP server should enforce: those of the service.
http::Limits http_limits();

struct ServiceOptions {
  aws::AuthOptions auth;
  tenancy::Isolation isolation = {};
  /// Web origins that may call, comma-separated: "https://app.example", a host alone for any of its ports,
  /// "local" for this machine, "*" for all.
  std::string cors_origins = "local";
  /// How long tables stay CREATING, UPDATING and DELETING.
  std::chrono::milliseconds state_delay{0};
  /// How long new and dropped indexes stay CREATING and DELETING, if longer than state_delay.
  std::chrono::milliseconds index_state_delay{0};
  /// How far global indexes lag behind their tables, and how far, at most, any eventually consistent read
  /// lags. The store's history must cover the sum of both.
  std::chrono::milliseconds index_lag{0};
  std::chrono::milliseconds stale_reads{0};
  /// How long after the end of its time to live an item is deleted.
  std::chrono::milliseconds time_to_live_delay{0};
  /// How long records of streams are kept, and streams that have ended; at most as long as the service keeps
  /// them, 24 hours.
  std::chrono::milliseconds stream_retention = std::chrono::hours(24);
  /// How far back a table can be restored, if that is less than its own period, which is 35 days at most.
  std::chrono::milliseconds recovery_window = std::chrono::days(35);
  /// True if Scans of on-demand tables are charged at least the minimum for each of four internal partitions.
  bool partition_minimum = false;
  /// True if requests for an item of an ongoing transaction are refused, as the service does; otherwise they
  /// wait for each other.
  bool refuse_conflicts = false;
  /// True if requests are throttled by the throughput of tables, indexes and partitions, as the service does;
  /// each world has its own throughput.
  bool throttle = false;
  /// True if an account may have only as many tables, and as many provisioned units, as the service gives to
  /// a new one.
  bool quotas = false;
  /// Which generation of the service's code validates requests: null is that of the caller's region
  /// (docs/service/README.md, "Two generations").
  std::optional<aws::Generation> validation = {};
  /// True if numbers and booleans may be in quotation marks, which the service refuses.
  bool lenient_types = false;
  /// True if log lines may show the bodies of requests and responses.
  bool log_items = false;
  /// True if GET and HEAD of "/" get 400, as tools for DynamoDB Local expect.
  bool as_dynamodb_local = false;
  /// Where exports write to and imports read from; null: every bucket is missing. Must outlive the worlds.
  objects::ObjectStore* objects = nullptr;
  /// Where tables deliver their changes to; null: every stream is missing. Must outlive the worlds.
  KinesisStreams* kinesis = nullptr;
  /// Who may do what; null: everyone may do everything, and policies of tables are kept without effect.
  /// Callers are known by their access keys, which only AuthMode::verify proves.
  std::shared_ptr<const iam::Identities> identities = nullptr;
  /// How long changes of global tables take to other regions.
  ReplicationLag replication_lag = {};
  /// Admits operations and receives their cost; null admits all. Must outlive the service.
  Gate* gate = nullptr;
  /// Receive the answered requests; may be null. Must outlive the service.
  observe::RecentRequests* recent = nullptr;
  observe::Reports* reports = nullptr;
};

/// Answers DynamoDB and DynamoDB Streams requests, both on one port, each in the world that its caller sees.
/// Thread-safe; worlds, clock and ids must outlive it. Signatures are verified by `clock`, not by the clocks
/// of worlds. Logs one line per request at level info.
class Service final : public face::Face {
 public:
  Service(ServiceOptions options, tenancy::Worlds& worlds, const base::Clock& clock, base::Ids& ids);
  ~Service() override;

  /// Returns true for requests of operations, which POST to "/" or to a path of Smithy RPC v2, on a port
  /// shared with services that have paths. Requests that no service owns are this one's, too, which says what
  /// it serves.
  static bool owns(const http::Request& request) {
    return (request.target.size() == 1 && request.method == "POST") || aws::is_smithy_request(request);
  }

  /// Waits for other requests only if the request may. Throws only if there is no memory even for the error
  /// response.
  void handle(const http::Request& request, http::Response& reply) override;
  void refuse(const http::Request& request, http::Response& reply) override;
  const observe::RequestCounters& requests() const override;

  /// Writes what requests consumed.
  void write_consumption(observe::MetricsWriter& text) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dinette::dynamodb
