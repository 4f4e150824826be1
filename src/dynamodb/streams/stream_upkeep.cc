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

#include "dinette/base/bytes.h"
#include "dinette/base/function_ref.h"
#include "dinette/base/log.h"
#include "dinette/store/write.h"
#include "dinette/tenancy/upkeep.h"

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

constexpr std::chrono::hours most_age{model::limits::shard_hours};
constexpr std::size_t records_per_step = 4096;
/// A shard that got as many records is followed by two.
constexpr std::size_t busy_records = 100'000;
constexpr std::size_t most_open_shards = 64;
constexpr std::size_t streams_per_step = 100;
/// Kept on disk (FORMAT.md): never renumber.
constexpr store::SpaceId ended_space{13};
/// What an ended stream takes without its records.
constexpr std::int64_t bytes_of_stream = 1024;

/// Returns the update of the table and its stream of that label; nothing if it no longer has one.
kv::Result<std::optional<store::TableUpdate>> updated(store::Store& store, const store::Table& current,
                                                      std::string_view label, codec::Timestamp moment,
                                                      std::span<const ShardSuccession> replaced,
                                                      base::FunctionRef<void(StreamEntry&)> more) {
  api::TableRecord record = current.schema_as<TableSchema>().record();
  const bool enabled = record.stream && record.stream->label == label && !record.stream->shards.empty();
  if (!enabled) return std::optional<store::TableUpdate>();
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(std::optional<StreamEntry> stream,
              read_entry<StreamEntry>(view, stream_key(current.name, label)));
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

std::string ended_key(const StreamEntry& stream) {
  std::string key;
  base::append_big_endian(key,
                          static_cast<std::uint64_t>(stream.disabled ? stream.disabled->milliseconds : 0));
  return key + stream_key(stream.table_name, stream.label);
}

kv::Result<void> erase(store::Store& store, const store::WriteTarget& target) {
  const auto decide = [](const store::Rows&, store::RowChanges changes) {
    changes[0].row = store::RowChange::Row::erase;
    return true;
  };
  DINETTE_CHECK(store.write(std::span(&target, 1), decide));
  return {};
}

kv::Result<void> remove_records(store::Store& store, store::StreamId shard) {
  const std::string key = trim_mark_key(shard);
  DINETTE_CHECK(erase(store, trim_mark(key)));
  return store.trim_stream(shard, store::stream_end);
}

/// Removes a stream with its records.
kv::Result<void> remove(store::Store& store, const StreamEntry& stream) {
  for (const ShardEntry& shard : stream.shards) DINETTE_CHECK(remove_records(store, records_of(shard)));
  const std::string ended = ended_key(stream);
  DINETTE_CHECK(erase(store, store::WriteTarget::entry(ended_space, ended)));
  const std::string key = stream_key(stream.table_name, stream.label);
  return erase(store, store::WriteTarget::entry(KeptEntry<StreamEntry>::space, key));
}

/// Maintains one stream in steps, each of which determines again what there is to do.
class StreamUpkeep {
 public:
  StreamUpkeep(store::Store& store, std::string key, std::chrono::milliseconds retention)
      : store_(store), key_(std::move(key)), retention_(retention) {}

  /// Returns when there is something to do again.
  kv::Result<base::Jobs::Next> step() const {
    const TimePoint now = store_.clock().now();
    DINETTE_TRY(const store::View view, store_.view());
    DINETTE_TRY(const std::optional<StreamEntry> stream, read_entry<StreamEntry>(view, key_));
    if (!stream) return base::Jobs::done;
    if (stream->disabled && stream->disabled->time() + retention_ <= now) {
      DINETTE_CHECK(remove(store_, *stream));
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
  TimePoint due_of(const ShardEntry& shard) const {
    return is_open(shard) ? shard.opened.time() + most_age : shard.closed->time() + retention_;
  }

  bool has_due_shards(const StreamEntry& stream, TimePoint now) const {
    return std::ranges::any_of(stream.shards, [&](const ShardEntry& shard) { return due_of(shard) <= now; });
  }

  TimePoint next_of_shards(const StreamEntry& stream) const {
    if (stream.disabled) return stream.disabled->time() + retention_;
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
    DINETTE_TRY(const store::TablePointer table, store_.catalog().open(seen.table_name));
    if (!table) return false;
    DINETTE_TRY(const auto replaced, successions(view, seen, now));
    std::vector<store::StreamId> forgotten;
    DINETTE_TRY(const bool done, replace(store_, *table, seen.label, now, replaced, [&](StreamEntry& stream) {
                  forgotten.clear();
                  std::erase_if(stream.shards, [&](const ShardEntry& shard) {
                    const bool over = !is_open(shard) && due_of(shard) <= now;
                    if (over) forgotten.push_back(records_of(shard));
                    return over;
                  });
                }));
    if (!done) return false;
    for (const store::StreamId shard : forgotten) DINETTE_CHECK(remove_records(store_, shard));
    return true;
  }

  /// Removes records that are too old, not too many at once. Returns when to continue; nothing if there is no
  /// other record.
  kv::Result<std::optional<TimePoint>> trim(const store::View& view, store::StreamId shard,
                                            TimePoint now) const {
    DINETTE_TRY(store::StreamCursor records, view.read_stream(shard));
    std::optional<store::StreamPosition> last;
    std::optional<TimePoint> next;
    store::Count old;
    for (std::size_t count = 0;; ++count) {
      DINETTE_TRY(const bool more, records.next());
      if (!more) break;
      DINETTE_TRY(const ChangeRecord change, read_change(records.record()));
      const TimePoint end = change.moment + retention_;
      // Once a minute, not for each record.
      if (end > now) next = std::chrono::ceil<std::chrono::minutes>(end);
      if (end <= now && count == records_per_step) next = now;
      if (next) break;
      last = records.position();
      ++old.rows;
      old.bytes += static_cast<std::int64_t>(records.record().size());
    }
    if (last) DINETTE_CHECK(trim_up_to(shard, *last, old));
    return next;
  }

  /// Marks the place first: a reader that finds records missing can tell why.
  kv::Result<void> trim_up_to(store::StreamId shard, store::StreamPosition last,
                              const store::Count& old) const {
    const std::string key = trim_mark_key(shard);
    const store::WriteTarget target = trim_mark(key);
    const auto mark = [&](const store::Rows&, store::RowChanges changes) {
      changes[0].row = store::RowChange::Row::put;
      changes[0].value = trim_mark_value(last);
      return true;
    };
    DINETTE_CHECK(store_.write(std::span(&target, 1), mark));
    return store_.trim_stream(shard, last.next(), old);
  }

  store::Store& store_;
  const std::string key_;
  const std::chrono::milliseconds retention_;
};

/// Returns the keys of the oldest streams of deleted tables that are too many, some of them.
kv::Result<std::vector<std::string>> too_many_ended(store::Store& store) {
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor notes, view.scan(ended_space, {}, store::Direction::backward));
  std::vector<std::string> keys;
  std::int64_t bytes = 0;
  while (keys.size() < streams_per_step) {
    DINETTE_TRY(const bool more, notes.next());
    if (!more) break;
    if (notes.value().size() != sizeof bytes) continue;
    bytes += bytes_of_stream + base::load_big_endian<std::uint64_t>(notes.value().data());
    if (bytes > most_ended_bytes) keys.emplace_back(notes.key());
  }
  return keys;
}

/// Returns true if there may be more to do.
kv::Result<bool> remove_ended(store::Store& store) {
  DINETTE_TRY(const auto keys, too_many_ended(store));
  for (const std::string& key : keys) {
    DINETTE_TRY(const store::View view, store.view());
    DINETTE_TRY(const auto stream,
                read_entry<StreamEntry>(view, std::string_view(key).substr(sizeof(std::uint64_t))));
    if (stream) DINETTE_CHECK(remove(store, *stream));
    DINETTE_CHECK(erase(store, store::WriteTarget::entry(ended_space, key)));
  }
  return keys.size() == streams_per_step;
}

void keep(store::Store& store, base::Jobs& jobs, const std::string& key, TimePoint due,
          std::chrono::milliseconds retention) {
  const auto step = [&store, key, retention](const std::stop_token&) {
    return StreamUpkeep(store, key, retention).step();
  };
  // Whatever a step closes or removes is forgotten after that time.
  tenancy::run_upkeep(store, jobs, "stream " + key, due, step, retention);
}

kv::Result<std::vector<std::string>> stream_keys(store::Store& store, const std::string& after) {
  store::KeyRange range;
  if (!after.empty()) range.begin = after + '\0';
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor entries,
              view.scan(KeptEntry<StreamEntry>::space, range, store::Direction::forward));
  std::vector<std::string> keys;
  while (keys.size() < streams_per_step) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) break;
    keys.emplace_back(entries.key());
  }
  return keys;
}

}  // namespace

void keep_stream(store::Store& store, base::Jobs& jobs, const StreamEntry& stream,
                 std::chrono::milliseconds retention) {
  const TimePoint due = stream.created.time() + std::min<std::chrono::milliseconds>(most_age, retention);
  keep(store, jobs, stream_key(stream.table_name, stream.label), due, retention);
}

kv::Result<store::EntryWrite> note_of_ended(const store::View& view, const StreamEntry& stream) {
  std::int64_t bytes = 0;
  for (const ShardEntry& shard : stream.shards) {
    DINETTE_TRY(const store::Count count, view.count_stream(records_of(shard)));
    bytes += std::max<std::int64_t>(0, count.bytes);
  }
  std::string value;
  base::append_big_endian(value, static_cast<std::uint64_t>(bytes));
  return store::EntryWrite{ended_space, ended_key(stream), kv::Value(value)};
}

void limit_ended_streams(store::Store& store, base::Jobs& jobs) {
  tenancy::run_upkeep(store, jobs, "ended streams", base::Jobs::at_once,
                      [&store](const std::stop_token&) -> kv::Result<base::Jobs::Next> {
                        DINETTE_TRY(const bool more, remove_ended(store));
                        return more ? base::Jobs::Next(base::Jobs::at_once) : base::Jobs::done;
                      });
}

void keep_streams(store::Store& store, base::Jobs& jobs, std::chrono::milliseconds retention) {
  jobs.add(
      base::Jobs::at_once,
      [&store, &jobs, retention, after = std::string()](const std::stop_token&) mutable -> base::Jobs::Next {
        const auto keys = stream_keys(store, after);
        if (!keys) {
          base::log(base::LogLevel::error, "streams could not be looked for",
                    {{"reason", keys.error().message}});
          return base::Jobs::done;
        }
        for (const std::string& key : *keys) keep(store, jobs, key, base::Jobs::at_once, retention);
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
  return replace(store, table, record.stream->label, store.clock().now(), successions, [](StreamEntry&) {});
}

}  // namespace dinette::dynamodb
