#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "dinette/base/clock.h"
#include "dinette/kv/error.h"
#include "dinette/kv/value.h"

namespace dinette::dynamodb {

/// The version of an item of a global table: when it was last written or deleted, by the clock of the region
/// where that was done. Of two versions the later one wins, in every region; of two of the same moment the
/// one of the region whose name is later in the alphabet.
struct ItemVersion {
  base::TimePoint moment;
  std::string region;

  friend auto operator<=>(const ItemVersion&, const ItemVersion&) = default;
};

/// What is noted of each row of a global table (FORMAT.md), and of those that were deleted, so that an older
/// write that comes later does not bring them back.
kv::Value encode_mark(const ItemVersion& version);
kv::Result<ItemVersion> read_mark(std::string_view mark);

/// A change of an item as the log of a global table has it until all other regions have it (FORMAT.md).
/// Views of the stored bytes.
struct ReplicatedChange {
  ItemVersion version;
  base::TimePoint written;  ///< by the world's clock
  std::string_view row_key;
  std::string_view record;  ///< of the item; empty if it was deleted
};

kv::Value encode_change(const ReplicatedChange& change);
kv::Result<ReplicatedChange> read_replicated(std::string_view bytes);

}  // namespace dinette::dynamodb
