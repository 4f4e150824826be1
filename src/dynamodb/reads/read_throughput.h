#pragma once

#include <string_view>

#include "dynamodb/request/context.h"
#include "dynamodb/request/throughput.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// What an item or a page is read from. A view.
struct ReadPlace {
  const store::Table& table;
  const IndexSchema* index = nullptr;  ///< null for the table
  std::string_view key = {};           ///< the store's, of the item or of the beginning of the page
};

/// These ask and tell the gate, if there is one.

/// Asks about the table or index, and about the partition.
Answer<void> admit_read(const Context& context, const ReadPlace& place, bool consistent);
/// Asks about one of them.
Answer<void> admit_read_of_table(const Context& context, const ReadPlace& place, bool consistent);
Answer<void> admit_read_of_partition(const Context& context, const ReadPlace& place, bool consistent);
/// Tells what reading it has taken.
void take_read(const Context& context, const ReadPlace& place, double units);

}  // namespace dinette::dynamodb
