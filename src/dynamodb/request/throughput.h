#pragma once

#include <cstdint>
#include <string_view>

#include "dinette/store/catalog.h"
#include "dinette/store/placement.h"

namespace dinette::dynamodb {

struct IndexSchema;

enum class Axis : bool { read, write };

/// What a request takes capacity units of: a table or one of its global indexes, which have throughput of
/// their own. A view.
struct Throughput {
  const store::Table& table;
  /// Null for the table, whose throughput its local indexes share.
  const IndexSchema* index;
  Axis axis;
  std::string_view key = {};  ///< the store's, of the item, the entry, or the beginning of a range; if known
};

/// One partition of it.
struct PartitionThroughput {
  Throughput of;
  store::PartitionHash hash;  ///< of a partition key in it
};

}  // namespace dinette::dynamodb
