#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/result.h"
#include "dinette/deliveries/stream_source.h"
#include "dinette/kv/error.h"
#include "dinette/lambda/delivery_log.h"
#include "dinette/tenancy/world.h"

/// Triggers as the administration sees them: event source mappings, with a few more ways to name their ends.
namespace dinette::lambda {

/// What a trigger reads, whom it calls, and how. Members that the API of Lambda also has have its defaults
/// and limits (docs/service/triggers.md section 1.1).
struct Trigger {
  std::string name = {};   ///< for people and for the API; unique among the triggers of a world
  std::string table = {};  ///< its newest stream is read, also that of a table created later; empty: `stream`
  std::string stream = {};                ///< ARN of a stream of DynamoDB or Kinesis
  std::string function = {};              ///< name or ARN; --lambda-endpoint says where it is
  std::string url = {};                   ///< instead: where the function is
  std::vector<std::string> command = {};  ///< instead: the function is a program (FunctionCommand)

  bool enabled = true;
  unsigned batch_size = 100;
  std::chrono::seconds batching_window{0};
  deliveries::StartingPosition position = deliveries::StartingPosition::trim_horizon;
  base::TimePoint position_time = {};  ///< of StartingPosition::at_timestamp
  unsigned parallelization = 1;
  std::optional<std::chrono::seconds> record_age = {};  ///< nothing: no limit
  std::optional<unsigned> retries = {};                 ///< nothing: no limit
  bool bisects = false;
  std::chrono::seconds tumbling_window{0};  ///< zero: none
  bool reports_failures = false;            ///< ReportBatchItemFailures
  std::string on_failure = {};              ///< ARN or URL; empty: no document is sent
  std::vector<std::string> filters = {};    ///< patterns, as JSON

  bool operator==(const Trigger&) const = default;
};

/// How far a trigger has come in a shard.
struct TriggerPosition {
  std::string shard = {};
  std::string after = {};  ///< the number of the last record that is done; empty: none is
};

/// What a trigger has done since it was last made or the server was started.
struct TriggerCounts {
  std::uint64_t records = 0;    ///< that are done
  std::uint64_t calls = 0;      ///< of the function
  std::uint64_t failures = 0;   ///< calls that failed
  std::uint64_t discarded = 0;  ///< records that were given up
};

/// A trigger, and what becomes of it.
struct TriggerState {
  Trigger trigger = {};  ///< of a mapping that was made by the API of Lambda, its settings
  std::string id = {};   ///< UUID of the mapping; empty: the table has no stream yet, and there is none
  bool of_api = false;   ///< made by the API of Lambda; replace() leaves it alone
  std::string function_arn = {};  ///< as in the mapping
  std::string stream_arn = {};    ///< empty: there is no stream yet
  std::string place = {};         ///< where the function is, for people; empty: not known
  std::string state = {};         ///< as in the mapping: "Enabled"
  std::string last_result = {};   ///< as in the mapping: "No records processed"
  std::string reason = {};        ///< why it does not go on, for people; empty: it does
  std::vector<TriggerPosition> positions = {};
  TriggerCounts counts = {};
};

/// The triggers of worlds. Thread-safe. Calls may block.
class Triggers {
 public:
  Triggers() = default;
  Triggers(const Triggers&) = delete;
  Triggers& operator=(const Triggers&) = delete;
  virtual ~Triggers() = default;

  /// Returns all of a world, also those that were made by the API of Lambda, oldest first.
  virtual kv::Result<std::vector<TriggerState>> list(tenancy::World& world) = 0;

  /// Replaces the triggers that were made by this. One whose name and stream, or table, are as before goes on
  /// where it is. Returns a sentence for the user, and changes nothing, if one of them cannot be made.
  virtual kv::Result<std::optional<std::string>> replace(tenancy::World& world,
                                                         std::vector<Trigger> triggers) = 0;

  /// Returns what was delivered in a world.
  virtual DeliveryLog::Page deliveries(tenancy::World& world, const DeliveryLog::Question& question) = 0;

  /// Calls the function of a delivery with its event again, and waits for the answer. Returns null if that
  /// delivery is not in the log, or it is no longer known where its function is.
  virtual std::shared_ptr<const DeliveryRecord> repeat(tenancy::World& world, std::uint64_t number) = 0;
};

}  // namespace dinette::lambda
