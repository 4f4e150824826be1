#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/kv/memory.h"
#include "dinette/store/key_codec.h"
#include "dinette/store/store.h"

#include "support/faulty_engine.h"

namespace dinette::store {

/// A face for tests. Its descriptions are any text that does not begin with '!'. Tables described as
/// "counted" count the bytes of partitions, of which a partition may have 100. Those whose description begins
/// with "kept" keep former values of rows.
struct TestSchema final : Schema {
  explicit TestSchema(std::string_view description) : text(description) {}
  std::string text;

  std::string_view counted_partition(std::string_view row_key) const override {
    if (text != "counted") return {};
    TupleReader reader(row_key.substr(partition_hash_size));
    (void)reader.read_bytes();
    return row_key.substr(0, row_key.size() - reader.rest().size());
  }
  bool keeps_versions() const override { return text.starts_with("kept"); }
};

inline std::shared_ptr<const Schema> decode_test_schema(std::string_view description) {
  if (description.starts_with('!')) return nullptr;
  return std::make_shared<TestSchema>(description);
}

inline constexpr Face test_face{7, decode_test_schema, 100};
inline constexpr Face other_face{8, decode_test_schema};

/// A store over a memory engine that runs each transaction twice, to find impure decisions.
struct StoreFixture {
  test::FaultyEngine engine{kv::make_memory_engine()};
  base::ManualClock clock;
  base::SeededIds ids{1};
  Store store{engine, clock, ids, test_face};

  StoreFixture() { engine.run_transactions_twice(true); }

  TablePointer make_table(std::string_view name, std::string_view description = "schema") {
    return store.catalog().create(name, description).value();
  }

  /// Returns all data of the engine, ordered by key.
  std::vector<std::pair<std::string, std::string>> everything() const {
    std::vector<std::pair<std::string, std::string>> entries;
    const auto cursor = std::move(engine.snapshot().value()->cursor({})).value();
    for (bool more = cursor->first().value(); more; more = cursor->next().value()) {
      entries.emplace_back(cursor->key(), cursor->value());
    }
    return entries;
  }
};

/// Returns the beginning of all keys of a partition whose key is one string.
inline std::string make_partition(std::string_view partition) {
  std::string key;
  append_partition_hash(key, std::hash<std::string_view>{}(partition));
  append_bytes(key, partition);
  return key;
}

/// Returns the key of a row whose partition key and sort key are one string each.
inline std::string make_key(std::string_view partition, std::string_view sort = {}) {
  std::string key = make_partition(partition);
  append_bytes(key, sort);
  return key;
}

inline RowChange put_row(std::string_view bytes, bool is_new = true) {
  RowChange change;
  change.row = RowChange::Row::put;
  change.value = kv::Value(bytes);
  change.count = {.rows = is_new ? 1 : 0, .bytes = static_cast<std::int64_t>(bytes.size())};
  return change;
}

inline WriteOutcome write(Store& store, const Table& table, std::string_view key, std::string_view bytes) {
  return store
      .write(table, key,
             [&](const kv::Value* current, RowChange& change) {
               change = put_row(bytes, current == nullptr);
               return true;
             })
      .value()
      .outcome;
}

inline std::optional<std::string> read(const Store& store, const Table& table, std::string_view key) {
  const std::optional<kv::Value> row = store.read_row(table, key).value();
  if (!row) return std::nullopt;
  return std::string(row->view());
}

}  // namespace dinette::store
