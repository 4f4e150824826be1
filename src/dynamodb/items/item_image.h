#pragma once

#include <cstddef>

#include "dinette/kv/value.h"

#include "dynamodb/codec/record.h"
#include "dynamodb/model/attribute_value.h"

namespace dinette::dynamodb {

/// An item with its record; neither where there is none. `item` may be no more than
/// TableSchema::indexed_attributes(), and null for a table without indexes.
struct ItemImage {
  kv::Value record;
  const model::Item* item = nullptr;

  bool exists() const { return static_cast<bool>(record); }
  /// Returns the size as the service counts it; 0 if there is no item.
  std::size_t size() const { return exists() ? codec::record_size(record.view()) : 0; }
};

}  // namespace dinette::dynamodb
