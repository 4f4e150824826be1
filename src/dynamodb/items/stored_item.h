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

/// The item in a row, or none. It is parsed only when it is looked into, and no further than the attributes
/// of interest.
class StoredItem {
 public:
  StoredItem() = default;
  /// `record` is null if there is no row, else passes codec::is_record. To make index entries of it,
  /// schema.indexed_attributes() must be of interest.
  StoredItem(const kv::Value* record, AttributeNames interest) : interest_(std::move(interest)) {
    if (record) record_ = *record;
  }

  bool exists() const { return static_cast<bool>(record_); }
  /// Returns the size as the service counts it; 0 if there is no item.
  std::size_t size() const { return exists() ? codec::record_size(record_.view()) : 0; }
  codec::ItemText text() const { return codec::copy_of(codec::record_text(record_.view())); }
  /// Returns the attributes of interest that it has; null if there is no item.
  kv::Result<const model::Item*> item() {
    if (exists() && !item_) {
      DINETTE_TRY(item_, codec::read_attributes(record_.view(), interest_, work_));
    }
    return item_ ? &*item_ : nullptr;
  }
  /// Frees what item() has read; it is read again when needed.
  void forget_item() { item_.reset(); }
  std::string_view record() const { return record_.view(); }
  const kv::Value& value() const { return record_; }  ///< the record; null if there is no item
  /// What looking inside and conditions on it have cost.
  model::Work& work() { return work_; }
  const model::Work& work() const { return work_; }

  /// Returns what index entries are made from; lives as long as this.
  kv::Result<ItemImage> image(const TableSchema& schema) {
    if (schema.indexes().empty()) return ItemImage{record_};
    DINETTE_TRY(const model::Item* const attributes, item());
    return ItemImage{record_, attributes};
  }

 private:
  kv::Value record_;
  AttributeNames interest_;
  std::optional<model::Item> item_;  ///< once it was looked into
  model::Work work_;
};

}  // namespace dinette::dynamodb
