#include "dynamodb/deliveries/destination_lane.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/aws/arn.h"
#include "dinette/base/log.h"
#include "dinette/deliveries/delivery.h"
#include "dinette/deliveries/lanes.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/deliveries/destination_log.h"
#include "dynamodb/deliveries/kinesis_target.h"
#include "dynamodb/tables/kinesis_destinations.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {
namespace {

using api::DestinationStatus;
using deliveries::Pause;

constexpr std::size_t logs_per_step = 100;

// docs/service/kinesis.md section 2, "Failures that come later".
constexpr std::string_view no_permission = "User does not have a permission to use kinesis stream";
constexpr std::string_view other_region =
    "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in the current "
    "region";
constexpr std::string_view not_active =
    "The kinesis Arn used to enable kinesis replication belongs to a stream which is not in Active state";

/// Returns why no stream of that ARN can be the destination of a table; "" if one can.
std::string_view problem_in_arn(std::string_view stream_arn, const api::TableRecord& table) {
  constexpr std::string_view stream_part = "stream/";
  const auto arn = aws::parse_arn(stream_arn);
  if (!arn) return no_permission;
  if (arn->service == "firehose") return not_active;
  if (arn->service != "kinesis") return no_permission;
  if (arn->region != table.region) return other_region;
  const std::string_view resource = arn->resource;
  const bool names_stream =
      resource.starts_with(stream_part) && resource.find('/', stream_part.size()) == std::string_view::npos;
  return names_stream && arn->account == table.account ? "" : not_active;
}

/// Where there is no Kinesis: for the embedded service, and for commands that open a data folder.
class NoStreams final : public KinesisStreams {
 public:
  kv::Result<bool> takes_records(tenancy::World&, std::string_view, std::string_view,
                                 const std::stop_token&) override {
    return false;
  }
  PutResult put(tenancy::World&, std::string_view, std::string_view, std::span<const Record>,
                const std::stop_token&) override {
    return {Put::no_stream, "there is no Kinesis"};
  }
};

KinesisStreams& streams_or_none(KinesisStreams* streams) {
  static NoStreams& none = *new NoStreams;  // never destroyed: a server that is a static may end after it
  return streams ? *streams : none;
}

class DestinationLane final : public deliveries::Lane {
 public:
  DestinationLane(KinesisTarget::Place place, api::DestinationLog log)
      : place_(place),
        log_(std::move(log)),
        source_(place.store, log_),
        target_(place, log_),
        delivery_({.source = source_,
                   .target = target_,
                   .clock = place.world.clock(),
                   .ids = place.store.ids(),
                   .part = {.shard = std::string(LogSource::shard)},
                   .batches = KinesisTarget::batches,
                   .retries = KinesisTarget::retries,
                   .keep = [this](const auto& progress) { return source_.remove_up_to(progress.after); }}) {}

  kv::Result<Pause> step(const std::stop_token& stop) override {
    if (!enabled_) {
      DINETTE_TRY(const std::optional<Pause> pause, enable(stop));
      if (pause) return *pause;
    }
    if (!delivered_) {
      DINETTE_TRY(const Pause pause, delivery_.step(stop));
      if (pause.until != Pause::Until::done) return pause;
      delivered_ = true;
    }
    return finish();
  }

 private:
  /// Begins the delivery, unless that is too early or the destination fails: then it returns when to go on.
  kv::Result<std::optional<Pause>> enable(const std::stop_token& stop) {
    DINETTE_TRY(const store::View view, place_.store.view());
    DINETTE_TRY(const auto log, read_entry<api::DestinationLog>(view, key_of(log_)));
    if (!log) return std::optional(Pause::done());
    delivered_ = log->failed;
    if (!log->ended) {
      DINETTE_TRY(const std::optional<Pause> pause, settle(stop));
      if (pause) return pause;
    }
    enabled_ = true;
    return std::optional<Pause>();
  }

  /// Makes an ENABLING destination ACTIVE or ENABLE_FAILED.
  kv::Result<std::optional<Pause>> settle(const std::stop_token& stop) {
    DINETTE_TRY(const store::TablePointer table, open_table());
    if (!table) return std::optional<Pause>();
    api::TableRecord record = table->schema_as<TableSchema>().record();
    const api::KinesisDestination* const enabling = find_destination(record, records_of(log_));
    if (!enabling || enabling->status != DestinationStatus::enabling) return std::optional<Pause>();
    DINETTE_TRY(const std::string_view problem, problem_of_stream(record, stop));
    std::optional<Pause> pause;
    const auto edit = [&](api::KinesisDestination& destination, std::vector<store::EntryWrite>& entries) {
      pause.reset();
      if (destination.status != DestinationStatus::enabling) return false;
      const codec::Timestamp now = place_.world.clock().now();
      if (is_changing(destination, now)) {
        pause = Pause::at(destination.until.time());
        return false;
      }
      destination.status = problem.empty() ? DestinationStatus::active : DestinationStatus::enable_failed;
      destination.begun = destination.until = now;
      if (problem.empty()) return true;
      destination.description = problem;
      destination.log_id.reset();
      api::DestinationLog failed = log_;
      failed.ended = failed.failed = true;
      entries.push_back(write_of(failed));
      return true;
    };
    DINETTE_TRY(const bool changed, change(*table, edit));
    delivered_ = changed && !problem.empty();
    return pause;
  }

  kv::Result<std::string_view> problem_of_stream(const api::TableRecord& table, const std::stop_token& stop) {
    const std::string_view problem = problem_in_arn(log_.stream_arn, table);
    if (!problem.empty()) return problem;
    DINETTE_TRY(const bool takes,
                place_.streams.takes_records(place_.world, place_.store.name_space(), log_.stream_arn, stop));
    return takes ? std::string_view() : no_permission;
  }

  /// Removes the log, and makes a DISABLING destination DISABLED: not before its time, by the clock.
  kv::Result<Pause> finish() {
    DINETTE_CHECK(place_.store.trim_stream(records_of(log_), store::stream_end));
    DINETTE_TRY(const store::TablePointer table, open_table());
    std::optional<Pause> pause;
    const auto edit = [&](api::KinesisDestination& destination, std::vector<store::EntryWrite>& entries) {
      pause.reset();
      const codec::Timestamp now = place_.world.clock().now();
      if (is_changing(destination, now)) {
        pause = Pause::at(destination.until.time());
        return false;
      }
      destination.status = DestinationStatus::disabled;
      destination.begun = destination.until = now;
      destination.log_id.reset();
      entries.push_back(erasure_of(log_));
      return true;
    };
    bool erased = false;
    if (table) {
      DINETTE_TRY(erased, change(*table, edit));
    }
    if (pause) return *pause;
    if (!erased) DINETTE_CHECK(write_entry(place_.store, erasure_of(log_)));
    return Pause::done();
  }

  /// Returns the table of that name, which may be another one by now; null if there is none.
  kv::Result<store::TablePointer> open_table() { return place_.store.catalog().open(log_.table_name); }

  /// Changes the destination that has this log, if the table has it. `edit` returns false to leave it.
  /// Returns false if nothing was changed.
  template <class Edit>
  kv::Result<bool> change(const store::Table& table, Edit edit) {
    bool edited = false;
    const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
      api::TableRecord record = current.schema_as<TableSchema>().record();
      api::KinesisDestination* const destination = find_destination(record, records_of(log_));
      std::vector<store::EntryWrite> entries;
      edited = destination && edit(*destination, entries);
      if (!edited) return std::nullopt;
      store::TableUpdate update(encode_record(record));
      update.entries = std::move(entries);
      return update;
    };
    DINETTE_TRY(const store::TablePointer updated, place_.store.catalog().update(table, decide));
    return edited && updated;
  }

  const KinesisTarget::Place place_;
  const api::DestinationLog log_;
  LogSource source_;
  KinesisTarget target_;
  deliveries::Delivery delivery_;
  bool enabled_ = false;    ///< the destination has become ACTIVE, or has failed
  bool delivered_ = false;  ///< nothing is left that is to be delivered
};

/// Returns the logs after a key, some of them.
kv::Result<std::vector<api::DestinationLog>> logs_after(const store::Store& store, const std::string& key) {
  store::KeyRange range;
  if (!key.empty()) range.begin = key + '\0';
  DINETTE_TRY(const store::View view, store.view());
  std::vector<api::DestinationLog> logs;
  const auto collect = [&](const api::DestinationLog& log) {
    logs.push_back(log);
    return logs.size() < logs_per_step;
  };
  DINETTE_CHECK(for_each_entry<api::DestinationLog>(view, range, collect));
  return logs;
}

}  // namespace

void deliver_changes(tenancy::World& world, store::Store& store, KinesisStreams* streams,
                     const api::DestinationLog& log) {
  const KinesisTarget::Place place{world, store, streams_or_none(streams)};
  world.lanes().add("Kinesis destination " + std::to_string(log.log_id) + " of " + log.table_name,
                    std::make_shared<DestinationLane>(place, log));
}

void resume_deliveries(tenancy::World& world, store::Store& store, KinesisStreams* streams) {
  world.jobs().add(
      base::Jobs::at_once,
      [&world, &store, streams, after = std::string()](const std::stop_token&) mutable -> base::Jobs::Next {
        const auto logs = logs_after(store, after);
        if (!logs) {
          base::log(base::LogLevel::error, "Kinesis destinations could not be looked for",
                    {{"reason", logs.error().message}});
          return base::Jobs::done;
        }
        for (const api::DestinationLog& log : *logs) deliver_changes(world, store, streams, log);
        if (logs->size() < logs_per_step) return base::Jobs::done;
        after = key_of(logs->back());
        return base::Jobs::at_once;
      });
}

}  // namespace dinette::dynamodb
