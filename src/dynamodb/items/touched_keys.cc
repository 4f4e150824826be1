#include "dynamodb/items/touched_keys.h"

#include <string>

#include "dynamodb/items/key_text.h"
#include "dynamodb/model/resource_arn.h"

namespace dinette::dynamodb {

void note_item(const Context& context, const OpenTable& table, const model::Item& key, std::size_t bytes) {
  const TableSchema& schema = table.schema();
  const std::string_view hash = schema.hash_key().name;
  const expr::KeyClause partition{hash, expr::KeyOperator::equal, key.find(hash)};
  context.details->touched.push_back({.table = table.table->name,
                                      .partition = key_text(std::span(&partition, 1)),
                                      .item = key_text(schema, key),
                                      .bytes = bytes});
}

void note_partition(const Context& context, std::string_view table,
                    std::span<const expr::KeyClause> clauses) {
  context.details->touched.push_back(
      {.table = std::string(model::plain_table_name(table)), .partition = key_text(clauses)});
}

}  // namespace dinette::dynamodb
