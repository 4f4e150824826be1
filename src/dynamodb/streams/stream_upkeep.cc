#include "dynamodb/streams/stream_upkeep.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/function_ref.h"
#include "dinette/base/log.h"
#include "dinette/store/write.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/streams/stream_entry.h"
#include "dynamodb/streams/table_stream.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb {
namespace {

using api::ShardEntry;
using api::StreamEntry;
using base::TimePoint;

constexpr std::chrono::hours kept{model::limits::stream_hours};
constexpr std::chrono::hours most_age{model::limits::shard_hours};
constexpr std::size_t records_per_step = 4096;
/// A shard that got as many records is followed by two.
constexpr std::size_t busy_records = 100'000;
constexpr std::size_t most_open_shards = 64;
constexpr std::size_t streams_per_step = 100;

TimePoint time_point(codec::Timestamp timestamp) {
  return TimePoint(std::chrono::milliseconds(timestamp.milliseconds));
}

/// Returns the update of the table and its stream of that label; nothing if it no longer has one.
kv::Result<std::optional<store::TableUpdate>> updated(store::Store& store, const store::Table& current,
                                                      std::string_view label, codec::Timestamp moment,
                                                      std::span<const ShardSuccession> replaced,
                                                      base::FunctionRef<void(StreamEntry&)> more) {
  api::TableRecord record = current.schema_as<TableSchema>().record();
  const bool enabled = record.stream && record.stream->label == label && !record.stream->shards.empty();
  if (!enabled) return std::optional<store::TableUpdate>();
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(std::optional<StreamEntry> stream, read_stream(view, stream_key(current.name, label)));
  if (!stream) return std::optional<store::TableUpdate>();
  DINETTE_CHECK(replace_shards(view, record, *stream, moment, replaced));
  more(*stream);
  store::TableUpdate update(encode_record(record));
  update.entries.push_back(write_of(*stream));
  return std::optional(std::move(update));
}

/// Replaces shards of the table's stream and does `more` to its entry. Returns false if the stream of that
/// label is not the table's any more.
kv::Result<bool> replace(store::Store& store, const store::Table& table, std::string_view label,
                         codec::Timestamp moment, std::span<const ShardSuccession> replaced,
                         base::FunctionRef<void(StreamEntry&)> more) {
  std::optional<kv::Error> failure;
  bool done = false;
  const auto decide = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
    auto update = updated(store, current, label, moment, replaced, more);
    failure.reset();
    done = update.ok() && update->has_value();
    if (update.ok()) return std::move(update).value();
    failure = std::move(update).error();
    return std::nullopt;
  };
  DINETTE_CHECK(store.catalog().update(table, decide));
  if (failure) return base::Failure{*std::move(failure)};
  return done;
}

/// Maintains one stream in steps, each of which determines again what there is to do.
class Upkeep {
 public:
  Upkeep(store::Store& store, std::string key) : store_(store), key_(std::move(key)) {}

  /// Returns when there is something to do again.
  kv::Result<base::Jobs::Next> step() const {
    const TimePoint now = store_.clock().now();
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(const std::optional<StreamEntry> stream, read_stream(view, key_));
    if (!stream) return base::Jobs::done;
    if (stream->disabled && time_point(*stream->disabled) + kept <= now) {
      DINETTE_CHECK(remove(*stream));
      return base::Jobs::done;
    }
    if (!stream->disabled && has_due_shards(*stream, now)) {
      DINETTE_TRY(const bool done, replace_due_shards(view, *stream, now));
      if (done) return base::Jobs::Next(base::Jobs::at_once);
    }
    TimePoint next = next_of_shards(*stream);
    for (const ShardEntry& shard : stream->shards) {
      DINETTE_TRY(const std::optional<TimePoint> due, trim(view, records_of(shard), now));
      if (due) next = std::min(next, *due);
    }
    return base::Jobs::Next(next <= now ? base::Jobs::at_once : next);
  }

 private:
  static TimePoint due_of(const ShardEntry& shard) {
    return is_open(shard) ? time_point(shard.opened) + most_age : time_point(*shard.closed) + kept;
  }

  static bool has_due_shards(const StreamEntry& stream, TimePoint now) {
    return std::ranges::any_of(stream.shards, [&](const ShardEntry& shard) { return due_of(shard) <= now; });
  }

  static TimePoint next_of_shards(const StreamEntry& stream) {
    if (stream.disabled) return time_point(*stream.disabled) + kept;
    TimePoint next = TimePoint::max();
    for (const ShardEntry& shard : stream.shards) next = std::min(next, due_of(shard));
    return next;
  }

  kv::Result<bool> is_busy(const store::View& view, const ShardEntry& shard) const {
    DINETTE_TRY(store::StreamCursor records, view.read_stream(records_of(shard)));
    for (std::size_t count = 0; count < busy_records; ++count) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) return false;
    }
    return true;
  }

  kv::Result<std::vector<ShardSuccession>> successions(const store::View& view, const StreamEntry& stream,
                                                       TimePoint now) const {
    auto open = static_cast<std::size_t>(std::ranges::count_if(stream.shards, is_open));
    std::vector<ShardSuccession> successions;
    for (const ShardEntry& shard : stream.shards) {
      if (!is_open(shard) || due_of(shard) > now) continue;
      DINETTE_TRY(const bool busy, is_busy(view, shard));
      const bool splits = busy && open < most_open_shards;
      if (splits) ++open;
      DINETTE_TRY(auto children, new_shards(store_, splits ? 2 : 1));
      successions.push_back({records_of(shard), std::move(children)});
    }
    return successions;
  }

  /// Closes old shards in favour of new ones, and forgets those that have been closed for long. Returns false
  /// if the table has gone over to another stream, or is gone.
  kv::Result<bool> replace_due_shards(const store::View& view, const StreamEntry& seen, TimePoint now) const {
    DINETTE_TRY(const store::TablePointer table, store_.catalog().open(name_space, seen.table_name));
    if (!table) return false;
    DINETTE_TRY(const auto replaced, successions(view, seen, now));
    std::vector<store::StreamId> forgotten;
    DINETTE_TRY(const bool done,
                replace(store_, *table, seen.label, timestamp(now), replaced, [&](StreamEntry& stream) {
                  forgotten.clear();
                  std::erase_if(stream.shards, [&](const ShardEntry& shard) {
                    const bool over = !is_open(shard) && due_of(shard) <= now;
                    if (over) forgotten.push_back(records_of(shard));
                    return over;
                  });
                }));
    if (!done) return false;
    for (const store::StreamId shard : forgotten) DINETTE_CHECK(remove_records(shard));
    return true;
  }

  /// Removes records that are too old, not too many at once. Returns when to continue; nothing if there is no
  /// other record.
  kv::Result<std::optional<TimePoint>> trim(const store::View& view, store::StreamId shard,
                                            TimePoint now) const {
    DINETTE_TRY(store::StreamCursor records, view.read_stream(shard));
    std::optional<store::StreamPosition> last;
    std::optional<TimePoint> next;
    for (std::size_t count = 0;; ++count) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) break;
      DINETTE_TRY(const ChangeRecord change, read_change(records.record()));
      const TimePoint end = time_point(change.moment) + kept;
      // Once a minute, not for each record.
      if (end > now) next = std::chrono::ceil<std::chrono::minutes>(end);
      if (end <= now && count == records_per_step) next = now;
      if (next) break;
      last = records.position();
    }
    if (last) DINETTE_CHECK(trim_up_to(shard, *last));
    return next;
  }

  /// Marks the place first: a reader that finds records missing can tell why.
  kv::Result<void> trim_up_to(store::StreamId shard, store::StreamPosition last) const {
    const std::string key = trim_mark_key(shard);
    const store::WriteTarget target = trim_mark(key);
    const auto mark = [&](const store::Rows&, store::RowChanges changes) {
      changes[0].row = store::RowChange::Row::put;
      changes[0].value = trim_mark_value(last);
      return true;
    };
    DINETTE_CHECK(store_.write(std::span(&target, 1), mark));
    return store_.trim_stream(shard, last.next());
  }

  kv::Result<void> remove_records(store::StreamId shard) const {
    const std::string key = trim_mark_key(shard);
    DINETTE_CHECK(erase(trim_mark(key)));
    return store_.trim_stream(shard, store::stream_end);
  }

  kv::Result<void> remove(const StreamEntry& stream) const {
    for (const ShardEntry& shard : stream.shards) DINETTE_CHECK(remove_records(records_of(shard)));
    return erase(store::WriteTarget::entry(streams_space, key_));
  }

  kv::Result<void> erase(const store::WriteTarget& target) const {
    const auto decide = [](const store::Rows&, store::RowChanges changes) {
      changes[0].row = store::RowChange::Row::erase;
      return true;
    };
    DINETTE_CHECK(store_.write(std::span(&target, 1), decide));
    return {};
  }

  store::Store& store_;
  const std::string key_;
};

void keep(store::Store& store, base::Jobs& jobs, const std::string& key, TimePoint due) {
  const auto step = [&store, key](const std::stop_token&) -> base::Jobs::Next {
    const auto next = Upkeep(store, key).step();
    if (next) return *next;
    base::log(base::LogLevel::warn, "a stream could not be looked after yet",
              {{"stream", key}, {"reason", next.error().message}});
    return base::Jobs::next_try;
  };
  // Whatever a step closes or removes is forgotten after that time.
  jobs.add_once("stream " + key, due, step, kept);
}

kv::Result<std::vector<std::string>> stream_keys(store::Store& store, const std::string& after) {
  store::KeyRange range;
  if (!after.empty()) range.begin = after + '\0';
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor entries, view.scan(streams_space, range, store::Direction::forward));
  std::vector<std::string> keys;
  while (keys.size() < streams_per_step) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) break;
    keys.emplace_back(entries.key());
  }
  return keys;
}

}  // namespace

void keep_stream(store::Store& store, base::Jobs& jobs, const StreamEntry& stream) {
  keep(store, jobs, stream_key(stream.table_name, stream.label), time_point(stream.created) + most_age);
}

void keep_streams(store::Store& store, base::Jobs& jobs) {
  jobs.add(base::Jobs::at_once,
           [&store, &jobs, after = std::string()](const std::stop_token&) mutable -> base::Jobs::Next {
             const auto keys = stream_keys(store, after);
             if (!keys) {
               base::log(base::LogLevel::error, "streams could not be looked for",
                         {{"reason", keys.error().message}});
               return base::Jobs::done;
             }
             for (const std::string& key : *keys) keep(store, jobs, key, base::Jobs::at_once);
             if (keys->size() < streams_per_step) return base::Jobs::done;
             after = keys->back();
             return base::Jobs::at_once;
           });
}

kv::Result<bool> split_shards(store::Store& store, const store::Table& table) {
  const auto& record = table.schema_as<TableSchema>().record();
  if (!record.stream) return false;
  std::vector<ShardSuccession> successions;
  std::size_t open = record.stream->shards.size();
  for (const api::OpenShard& shard : record.stream->shards) {
    if (open++ >= most_open_shards) break;
    DINETTE_TRY(auto children, new_shards(store, 2));
    successions.push_back(
        {store::StreamId{static_cast<std::uint64_t>(shard.stream_id)}, std::move(children)});
  }
  return replace(store, table, record.stream->label, timestamp(store.clock().now()), successions,
                 [](StreamEntry&) {});
}

}  // namespace dinette::dynamodb
