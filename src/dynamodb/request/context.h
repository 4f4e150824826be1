#pragma once

#include <chrono>
#include <memory>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/base/jobs.h"
#include "dinette/dynamodb/replication.h"
#include "dinette/store/store.h"

#include "dynamodb/expr/cache.h"
#include "dynamodb/request/api_error.h"

namespace dinette::observe {
struct RequestDetails;
class TableCounters;
}  // namespace dinette::observe

namespace dinette::objects {
class ObjectStore;
}  // namespace dinette::objects

namespace dinette::tenancy {
class World;
}  // namespace dinette::tenancy

namespace dinette::dynamodb {

class Access;
class Explanation;
class Gate;
class KinesisStreams;
class RequestClaims;

/// What the operator of the server may choose about how operations behave.
struct Settings {
  /// How long tables stay CREATING, UPDATING and DELETING. Zero: the answer says so, the next call sees the
  /// end.
  std::chrono::milliseconds state_delay{0};
  /// How long new and dropped indexes stay CREATING and DELETING, if that is longer.
  std::chrono::milliseconds index_state_delay{0};
  /// How far global indexes lag behind their tables.
  std::chrono::milliseconds index_lag{0};
  /// How far, at most, any eventually consistent read lags behind.
  std::chrono::milliseconds stale_reads{0};
  /// How long after the end of its time to live an item is deleted.
  std::chrono::milliseconds time_to_live_delay{0};
  /// How long records of streams are kept, and streams that have ended.
  std::chrono::milliseconds stream_retention = std::chrono::hours(24);
  /// How far back tables can be restored at most.
  std::chrono::milliseconds recovery_window = std::chrono::days(35);
  /// True if a Scan of an on-demand table is charged per internal partition.
  bool partition_minimum = false;
  /// True if accounts have the quotas of the service.
  bool quotas = false;
  /// For exports and imports. Null: every bucket is missing.
  objects::ObjectStore* objects = nullptr;
  /// For Kinesis destinations. Null: every stream is missing.
  KinesisStreams* kinesis = nullptr;
  /// How long changes of global tables take to other regions.
  ReplicationLag replication_lag = {};
};

/// What an operation works with, in addition to its input. Lives as long as the request.
struct Context {
  tenancy::World& world;  ///< the caller's
  store::Store& store;    ///< of that world
  base::Jobs& jobs;       ///< of the same
  base::TimePoint now;    ///< by the world's clock, for the whole request
  expr::Cache& expressions;
  const Settings& settings;
  std::string_view account;  ///< of the caller, for ARNs
  std::string_view region;   ///< of the caller, for ARNs
  std::string_view host;     ///< that the client called, with port
  /// What an operation of several steps has done of them when it fails with ApiError::must_wait, for its next
  /// run to continue from: of a type of its own.
  std::shared_ptr<void>& progress;
  Gate* gate = nullptr;                        ///< null lets everything pass
  const Access* access = nullptr;              ///< of the caller; null: nothing is refused
  observe::TableCounters* capacity = nullptr;  ///< counts what tables consume; may be null
  observe::RequestDetails* details = nullptr;  ///< receives what is reported of the request; null: nothing is
  /// Null: requests in each other's way wait for each other, and none is refused for it.
  RequestClaims* claims = nullptr;
  Explanation* explanation = nullptr;  ///< receives the explanation; null if it is not requested
  /// In which of its two forms the service reads this request (docs/service/names-limits.md section 6).
  model::Generation reading = model::Generation::current;
  /// Around messages of the operation's own checks.
  Envelope envelope = Envelope::none;
};

}  // namespace dinette::dynamodb
