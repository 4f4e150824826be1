#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/kv/value.h"

#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_image.h"
#include "dynamodb/request/attribute_names.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// The item in a row, or none. It is taken apart only when somebody looks inside, and no further than to the
/// attributes of interest.
class StoredItem {
 public:
  StoredItem() = default;
  /// Null: there is no row. To make index entries of it, schema.indexed_attributes() must be of interest.
  StoredItem(const kv::Value* record, AttributeNames interest) : interest_(std::move(interest)) {
    if (record) record_ = *record;
  }

  bool exists() const { return static_cast<bool>(record_); }
  /// As the service counts it; 0 when there is none.
  std::size_t size() const { return exists() ? codec::record_size(record_.view()) : 0; }
  codec::ItemText text() const { return codec::copy_of(codec::record_text(record_.view())); }
  /// The attributes of interest that it has; null when there is no item.
  const model::Item* item() {
    if (exists() && !item_) item_ = codec::read_attributes(record_.view(), interest_, work_);
    return item_ ? &*item_ : nullptr;
  }
  std::string_view record() const { return record_.view(); }
  /// What looking inside has cost.
  const model::Work& work() const { return work_; }

  /// What index entries are made from; lives as long as this.
  ItemImage image(const TableSchema& schema) {
    return {record_, schema.indexes().empty() ? nullptr : item()};
  }

 private:
  kv::Value record_;
  AttributeNames interest_;
  std::optional<model::Item> item_;  ///< once somebody has looked
  model::Work work_;
};

}  // namespace dinette::dynamodb
