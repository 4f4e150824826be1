#pragma once

#include <cstdint>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/kv/error.h"
#include "dinette/kv/value.h"
#include "dinette/store/row.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/items/item_image.h"
#include "dynamodb/streams/row_mark.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// When an item is written, and for whom.
struct WriteOrigin {
  base::TimePoint moment;  ///< by the world's clock
  /// True if the item is deleted because its time to live is over.
  bool expiry = false;
  bool in_transaction = false;
  /// By how much the clock of the region is ahead, as the versions of its writes have it.
  std::chrono::microseconds skew{0};
  /// The version of a change that another region has made, which is carried out here unless the item has a
  /// later one; null for a change that is made here.
  const ItemVersion* replicated = nullptr;
  /// True for an item that a new replica gets in the beginning: no record of a stream shows it.
  bool filling = false;
};

/// Has the table's stream, if it is enabled, and the log of its Kinesis destination record that `before`
/// becomes `after`. If these say the same, nothing is recorded, but for a destination what a transaction put
/// or updated (docs/service/kinesis.md section 3). `row_key` is the item's.
kv::Result<void> record_change(store::RowChange& change, const TableSchema& schema, std::string_view row_key,
                               const ItemImage& before, const ItemImage& after, WriteOrigin origin);

/// Notes the version of an item of a global table, if it changes, and has the log of the table record what is
/// to be done in the other regions. `mark` is what was noted before, null for nothing.
kv::Result<void> note_version(store::RowChange& change, const TableSchema& schema, std::string_view row_key,
                              const ItemImage& before, const ItemImage& after, const kv::Value* mark,
                              WriteOrigin origin);

/// A change of an item as a stream or a log keeps it (FORMAT.md): views of the stored bytes. Images are
/// records of items, empty where the stream's view type or the kind of change leaves them out.
struct ChangeRecord {
  api::OperationType event{};
  bool expiry = false;        ///< as WriteOrigin::expiry
  bool microseconds = false;  ///< the precision in which a destination gets the moment
  base::TimePoint moment;     ///< of the write; in a stream without the fraction of a millisecond
  std::string_view keys;      ///< a record of the key attributes alone, if there is no image
  std::string_view new_image;
  std::string_view old_image;

  /// Returns a record that has the key attributes.
  std::string_view any() const {
    return !new_image.empty() ? new_image : !old_image.empty() ? old_image : keys;
  }
};

kv::Result<ChangeRecord> read_change(std::string_view record);

}  // namespace dinette::dynamodb
