#pragma once

#include <cstdint>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/kv/error.h"
#include "dinette/kv/value.h"
#include "dinette/store/row.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/items/item_image.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// When an item is written, and for whom.
struct WriteOrigin {
  base::TimePoint moment;  ///< by the world's clock
  /// True if the item is deleted because its time to live is over.
  bool expiry = false;
};

/// Has the table's stream, if it is enabled, record that `before` becomes `after`; nothing if these say the
/// same. `row_key` is the item's.
kv::Result<void> record_change(store::RowChange& change, const TableSchema& schema, std::string_view row_key,
                               const ItemImage& before, const ItemImage& after, WriteOrigin origin);

/// A change of an item as its stream keeps it (FORMAT.md): views of the stored bytes. Images are records of
/// items, empty where the stream's view type or the kind of change leaves them out.
struct ChangeRecord {
  api::OperationType event{};
  bool expiry = false;      ///< as WriteOrigin::expiry
  codec::Timestamp moment;  ///< of the write
  std::string_view keys;    ///< a record of the key attributes alone, if there is no image
  std::string_view new_image;
  std::string_view old_image;

  /// Returns a record that has the key attributes.
  std::string_view any() const {
    return !new_image.empty() ? new_image : !old_image.empty() ? old_image : keys;
  }
};

kv::Result<ChangeRecord> read_change(std::string_view record);

}  // namespace dinette::dynamodb
