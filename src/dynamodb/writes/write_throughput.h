#pragma once

#include <string_view>

#include "dynamodb/request/context.h"
#include "dynamodb/request/throughput.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/item_action.h"
#include "dynamodb/writes/write_item.h"

/// What writes ask and tell the gate about throughput. There must be a gate.
namespace dinette::dynamodb {

/// Asks about the table, and about the partition of an item.
Answer<void> admit_write_to_table(const Context& context, const store::Table& table, std::string_view key);
Answer<void> admit_write_to_partition(const Context& context, const store::Table& table,
                                      std::string_view key);

/// Asks about the global indexes in which an item has an entry before or after a decision, whether the entry
/// changes or not, and their partitions (docs/service/throttling.md section 3, "Index back-pressure"). If
/// the write fails, asks about those that contain the stored item. Returns `decided`, or the refusal.
Answer<void> admit_write_to_indexes(const Context& context, const store::Table& table,
                                    const ItemAction& action, WrittenItem& written, Answer<void> decided);

/// Tells what a write has taken: of the table `table_units`, and of indexes what its plan says.
void take_write(const Context& context, const store::Table& table, std::string_view key,
                const WritePlan& plan, double table_units);
/// Tells what was taken of the table alone.
void take_of_table(const Context& context, const store::Table& table, std::string_view key, Axis axis,
                   double units);

}  // namespace dinette::dynamodb
