#pragma once

#include <chrono>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/tenancy/worlds.h"

#include "tablestore/api/messages.h"
#include "tablestore/model/row.h"
#include "tablestore/model/table_meta.h"
#include "tablestore/request/context.h"

/// Tablestore without its wire: operations are called with messages, and rows are written as texts.
namespace dinette::tablestore::test {

/// 2026-10-10T12:00:00Z, in milliseconds since 1970.
inline constexpr CellVersion start_time = 1'791'633'600'000;

/// Shows an error as `OTSInvalidPK: Validate PK ...`; a success as "ok".
template <class T>
std::string outcome(const Answer<T>& answer) {
  if (answer) return "ok";
  return std::string(answer.error().name()) + ": " + answer.error().message;
}

/// The parts of a read that the tests use.
struct Read {
  std::vector<std::string_view> columns = {};
  std::optional<std::int32_t> max_versions = 1;
  std::optional<api::TimeRange> range = {};
  std::optional<std::string> filter = {};
  std::optional<std::string_view> start_column = {};
  std::optional<std::string_view> end_column = {};
  std::optional<std::string> transaction = {};
};

/// The parts of a write that the tests use.
struct Write {
  api::RowExistenceExpectation expectation = api::RowExistenceExpectation::ignore;
  std::optional<std::string> condition = {};
  std::optional<api::ReturnContent> returns = {};
  std::optional<std::string> transaction = {};
};

/// A page of a GetRange.
struct Page {
  std::vector<std::string> rows;  ///< as shown()
  std::string next;               ///< the key as shown(), empty for none
  std::string next_bytes;
  std::int32_t units = 0;

  friend bool operator==(const Page&, const Page&) = default;
};

/// An instance with its tables. The clock stands still unless a test moves it. At the end all data are
/// verified.
class Instance {
 public:
  /// `engine`: with the data of an earlier instance; null for an empty one.
  explicit Instance(std::shared_ptr<kv::Engine> engine = nullptr);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  Context context() { return {*world_, *store_, clock_.now(), switches_, nullptr}; }
  tenancy::World& world() { return *world_; }
  store::Store& store() { return *store_; }
  base::ManualClock& clock() { return clock_; }
  void advance(std::chrono::microseconds time) { clock_.advance(time); }
  /// Runs all jobs that are due: none runs by itself.
  void run_jobs() { world_->jobs().run_due(); }
  Switches& switches() { return switches_; }
  CellVersion now() const;

  /// Creates a table whose key is `k` (String) and `n` (Integer), unless the meta says otherwise.
  void create(TableMeta meta);
  void create(std::string_view name, TableOptions options = {});
  void change(std::string_view name, TableOptions options);

  // Each returns outcome(), or, if the reply has a row, that row as shown().
  std::string put(std::string_view table, const PrimaryKey& key, std::vector<CellChange> cells,
                  const Write& write = {});
  std::string update(std::string_view table, const PrimaryKey& key, std::vector<CellChange> cells,
                     const Write& write = {});
  std::string remove(std::string_view table, const PrimaryKey& key, const Write& write = {});
  /// A row as shown(), "none", or an error.
  std::string get(std::string_view table, const PrimaryKey& key, const Read& read = {});
  /// A page; an error is in Page::next.
  Page range(std::string_view table, const PrimaryKey& start, const PrimaryKey& end, const Read& read = {},
             std::optional<std::int32_t> limit = {}, api::Direction direction = api::Direction::forward);

 private:
  base::ManualClock clock_;
  base::SeededIds ids_{1};
  tenancy::Worlds worlds_;
  std::shared_ptr<tenancy::World> world_;
  std::shared_ptr<store::Store> store_;
  Switches switches_;
};

/// The key of a row of the usual table.
inline PrimaryKey key(std::string_view k, std::int64_t n) {
  return {{"k", Value::string(k)}, {"n", Value::integer(n)}};
}
inline PrimaryKey bound(Value k, Value n) {
  return {{"k", k}, {"n", n}};
}

inline CellChange cell(std::string_view name, Value value, std::optional<CellVersion> version = {}) {
  return {name, value, {}, version};
}
inline CellChange text(std::string_view name, std::string_view value,
                       std::optional<CellVersion> version = {}) {
  return cell(name, Value::string(value), version);
}
inline CellChange number(std::string_view name, std::int64_t value, std::optional<CellVersion> version = {}) {
  return cell(name, Value::integer(value), version);
}
inline CellChange add(std::string_view name, Value value) {
  return {name, value, CellOperation::increment, {}};
}
inline CellChange delete_all(std::string_view name) {
  return {name, {}, CellOperation::delete_all_versions, {}};
}
inline CellChange delete_one(std::string_view name, CellVersion version) {
  return {name, {}, CellOperation::delete_one_version, version};
}

/// The bytes of a row in PlainBuffer.
std::string bytes_of(const PrimaryKey& key, const std::vector<CellChange>& cells = {}, bool deletes = false);
/// Shows rows in PlainBuffer: `k=a n=1 | c=2@5 c="x"@3`. Versions are relative to start_time.
std::vector<std::string> shown(std::string_view bytes);

/// A filter that compares a column.
std::string compares(std::string_view column, api::ComparatorType comparator, Value value,
                     bool pass_if_missing = true, bool latest_only = true);
std::string combines(api::LogicalOperator combinator, const std::vector<std::string>& filters);
std::string pages(std::int32_t offset, std::int32_t limit);

}  // namespace dinette::tablestore::test
