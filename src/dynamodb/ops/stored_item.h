#pragma once

#include <cstddef>
#include <optional>

#include "dinette/kv/value.h"

#include "dynamodb/codec/inputs.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/ops/index_entry.h"

namespace dinette::dynamodb::ops {

/// The item in a row, or none. It is taken apart only when somebody looks inside.
class StoredItem {
 public:
  /// Null: there is no row.
  explicit StoredItem(const kv::Value* record) {
    if (record) record_ = *record;
  }

  bool exists() const { return static_cast<bool>(record_); }
  /// As the service counts it; 0 when there is none.
  std::size_t size() const { return exists() ? codec::record_size(record_.view()) : 0; }
  codec::ItemText text() const { return {std::string(codec::record_text(record_.view()))}; }
  /// Null when there is none.
  const model::Item* item() {
    if (exists() && !item_) item_ = codec::read_record(record_.view());
    return item_ ? &*item_ : nullptr;
  }

  /// What index entries are made from; lives as long as this.
  ItemImage image(const TableSchema& schema) {
    if (!exists() || schema.indexes().empty()) return {record_, nullptr};
    if (item_) return {record_, &*item_};
    indexed_ = codec::read_attributes(record_.view(), schema.indexed_attributes());
    return {record_, &*indexed_};
  }

 private:
  kv::Value record_;
  std::optional<model::Item> item_;
  std::optional<model::Item> indexed_;  ///< the indexed attributes only
};

}  // namespace dinette::dynamodb::ops
