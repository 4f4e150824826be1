#include "dynamodb/writes/expiration.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "dinette/store/scan.h"
#include "dinette/tenancy/upkeep.h"

#include "dynamodb/api/table_record.h"
#include "dynamodb/codec/record_layout.h"
#include "dynamodb/indexes/row_keys.h"
#include "dynamodb/streams/row_mark.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/tasks/task.h"
#include "dynamodb/writes/actions/expire_action.h"
#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb {
namespace {

using base::TimePoint;

/// A write while a view is alive costs more, so a step reads no more than it writes.
constexpr std::size_t items_per_step = 64;
constexpr std::size_t tables_per_page = 100;

/// Returns the current version of a table with time to live; null if it is gone or has none.
kv::Result<store::TablePointer> open_table(store::Store& store, const std::string& name) {
  DINETTE_TRY(store::TablePointer table, store.catalog().open(name));
  if (table && !table->schema_as<TableSchema>().record().time_to_live) table.reset();
  return table;
}

/// The rows whose time is over, not too many, and when the next one's is.
struct Expired {
  std::vector<std::string> rows;
  std::optional<ExpiryTime> next;
};

/// Returns true for an item that this region deletes when its time is over. In a global table that is the
/// region where it was last written, so that only one of the streams shows a deletion by the service; and any
/// region if that one has no replica any more.
kv::Result<bool> expires_here(const store::View& view, const store::Table& table, std::string_view row) {
  const auto& schema = table.schema_as<TableSchema>();
  if (!schema.replication()) return true;
  const api::TableReplication& replication = *schema.record().replication;
  DINETTE_TRY(const auto mark, view.read(table, row, store::Area::marks()));
  std::string region = replication.first_region;
  if (mark) {
    DINETTE_TRY(const ItemVersion version, read_mark(mark->view()));
    region = version.region;
  }
  const auto is_it = [&](const api::ReplicaMember& member) { return member.region == region; };
  return std::ranges::none_of(replication.members, is_it);
}

kv::Result<Expired> find_expired(store::Store& store, const store::Table& table, TimePoint now) {
  store::KeyRange range = expired_entries(now);
  const std::string end = std::exchange(range.end, {});
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor entries,
              view.scan(table, store::Area::expiry(), range, store::Direction::forward));
  Expired expired;
  for (;;) {
    DINETTE_TRY(const bool more, entries.next());
    if (!more) return expired;
    if (entries.key() >= end || expired.rows.size() == items_per_step) {
      expired.next = end_in_expiry_key(entries.key());
      return expired;
    }
    const std::string_view row = row_in_expiry_key(entries.key());
    DINETTE_TRY(const bool here, expires_here(view, table, row));
    if (here) expired.rows.emplace_back(row);
  }
}

/// Deletes one item, unless it is not expired any more. Returns true if it is gone by this.
Answer<bool> expire(store::Store& store, const store::Table& table, std::string_view row, TimePoint now) {
  ExpireAction action(table.schema_as<TableSchema>(), row, now);
  auto written = write_item(store, table, action, {now, true});
  if (written) return written->has_value();
  if (written.error().code == api::ErrorCode::conditional_check_failed_exception) return false;
  return base::Failure{std::move(written).error()};
}

/// Deletes what was found. Returns how many items are gone.
Answer<std::size_t> expire_all(store::Store& store, const store::Table& table, const Expired& expired,
                               TimePoint now, const std::stop_token& stop) {
  std::size_t gone = 0;
  for (const std::string& row : expired.rows) {
    if (stop.stop_requested()) break;
    DINETTE_TRY(const bool deleted, expire(store, table, row, now));
    gone += deleted ? 1 : 0;
  }
  return gone;
}

/// Returns when to look for items that expire then: at most once per second.
TimePoint due_of(ExpiryTime end, std::chrono::milliseconds delay) {
  const TimePoint over{std::chrono::milliseconds(end + 1)};
  return std::chrono::ceil<std::chrono::seconds>(over) + delay;
}

std::string job_name(const std::string& table) {
  return "time to live of " + table;
}

Answer<base::Jobs::Next> expire_some(store::Store& store, const std::string& name,
                                     std::chrono::milliseconds delay, const std::stop_token& stop) {
  DINETTE_STORED(const store::TablePointer table, open_table(store, name));
  if (!table) return base::Jobs::done;
  const TimePoint now = store.clock().now();
  DINETTE_STORED(const Expired expired, find_expired(store, *table, now - delay));
  DINETTE_CHECK(expire_all(store, *table, expired, now, stop));
  if (expired.rows.size() == items_per_step) return base::Jobs::Next(base::Jobs::at_once);
  if (!expired.next) return base::Jobs::done;
  return base::Jobs::Next(due_of(*expired.next, delay));
}

void add_job(store::Store& store, base::Jobs& jobs, const std::string& table, TimePoint due,
             std::chrono::milliseconds delay) {
  tenancy::run_upkeep(store, jobs, job_name(table), due,
                      [&store, table, delay](const std::stop_token& stop) -> kv::Result<base::Jobs::Next> {
                        auto next = expire_some(store, table, delay, stop);
                        if (!next)
                          return base::Failure{kv::Error{kv::ErrorKind::unsupported, next.error().message}};
                        return *next;
                      });
}

/// Puts entries for the items that were there before the table had a time to live, some at a time.
class ExpiryFill : public Task {
 public:
  ExpiryFill(store::Store& store, base::Jobs& jobs, const store::Table& table,
             std::chrono::milliseconds delay)
      : store_(store), jobs_(jobs), delay_(delay), name_(table.name), table_(table.id) {}

  std::string name() const override { return "expiry entries of " + name_; }

  /// Enters some more; at its end, has what is over deleted.
  kv::Result<base::Jobs::Next> step(const std::stop_token& stop) override {
    DINETTE_TRY(const bool more, enter_some(stop));
    if (more) return base::Jobs::Next(base::Jobs::at_once);
    add_job(store_, jobs_, name_, base::Jobs::at_once, delay_);
    return base::Jobs::done;
  }

  kv::Result<bool> fail(const std::string&) override { return false; }

 private:
  /// Returns true if there is more to do.
  kv::Result<bool> enter_some(const std::stop_token& stop) {
    DINETTE_TRY(const store::TablePointer table, open_table(store_, name_));
    if (!table || table->id != table_ || !is_filling(*table)) return false;
    begin_again_if_changed(*table);
    DINETTE_TRY(const std::vector<std::string> rows,
                row_keys_after(store_, *table, last_row_, items_per_step));
    for (const std::string& row : rows) {
      if (stop.stop_requested()) return true;
      DINETTE_TRY(const store::WriteOutcome outcome, enter(*table, row));
      if (outcome == store::WriteOutcome::table_changed) return true;
      last_row_ = row;
    }
    if (rows.size() < items_per_step) DINETTE_CHECK(finish(*table));
    return true;  // the next step sees whether it is finished
  }

  static bool is_filling(const store::Table& table) {
    const auto& setting = table.schema_as<TableSchema>().record().time_to_live;
    return setting && setting->filling;
  }

  /// Starts over if the table has changed: its items do not have the entries of a new setting yet.
  void begin_again_if_changed(const store::Table& table) {
    if (table.version != version_) last_row_.clear();
    version_ = table.version;
  }

  /// Writes the entry of a row. It depends only on the row, so writing an existing entry is harmless.
  kv::Result<store::WriteOutcome> enter(const store::Table& table, const std::string& row) {
    const auto decide = [&](const kv::Value* current, store::RowChange& change) {
      if (!current || !codec::is_record(current->view())) return false;
      const auto end = expiry_of(table.schema_as<TableSchema>(), *current);
      if (!end || !*end) return false;
      change.entries.push_back(expiry_entry(**end, row));
      return true;
    };
    DINETTE_TRY(const auto written, store_.write(table, row, decide));
    return written.outcome;
  }

  kv::Result<void> finish(const store::Table& table) {
    const auto mark = [&](const store::Table& current) -> std::optional<store::TableUpdate> {
      if (current.version != version_) return std::nullopt;
      api::TableRecord record = current.schema_as<TableSchema>().record();
      record.time_to_live->filling = false;
      return store::TableUpdate(encode_record(record));
    };
    DINETTE_CHECK(store_.catalog().update(table, mark));
    return {};
  }

  store::Store& store_;
  base::Jobs& jobs_;
  const std::chrono::milliseconds delay_;
  const std::string name_;
  const store::TableId table_;
  std::uint64_t version_ = 0;  ///< of the table whose rows have entries up to last_row_
  std::string last_row_;
};

}  // namespace

void expire_items(store::Store& store, base::Jobs& jobs, const store::Table& table,
                  std::chrono::milliseconds delay) {
  const auto& setting = table.schema_as<TableSchema>().record().time_to_live;
  if (!setting) return;
  const std::string& name = table.name;
  if (!setting->filling) return add_job(store, jobs, name, base::Jobs::at_once, delay);
  run_task(jobs, Pace::quick, "expiry entries of table " + std::to_string(table.id),
           std::make_shared<ExpiryFill>(store, jobs, table, delay));
}

void expire_later(const Context& context, const store::Table& table, ExpiryTime end) {
  expire_later(context.store, context.jobs, table, end, context.settings.time_to_live_delay);
}

void expire_later(store::Store& store, base::Jobs& jobs, const store::Table& table, ExpiryTime end,
                  std::chrono::milliseconds delay) {
  add_job(store, jobs, table.name, due_of(end, delay), delay);
}

Answer<std::size_t> expire_now(store::Store& store) {
  std::size_t gone = 0;
  std::string after;
  for (;;) {
    DINETTE_STORED(const std::vector<store::TablePointer> tables,
                   store.catalog().list(after, tables_per_page));
    for (const store::TablePointer& listed : tables) {
      Expired expired;
      do {
        DINETTE_STORED(const store::TablePointer table, open_table(store, listed->name));
        if (!table) break;
        const TimePoint now = store.clock().now();
        DINETTE_STORED(expired, find_expired(store, *table, now));
        DINETTE_TRY(const std::size_t some, expire_all(store, *table, expired, now, {}));
        gone += some;
      } while (expired.rows.size() == items_per_step);
    }
    if (tables.size() < tables_per_page) return gone;
    after = tables.back()->name;
  }
}

}  // namespace dinette::dynamodb
