#include "dynamodb/partiql/item_read.h"

#include <utility>

#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/partiql/read_plan.h"
#include "dynamodb/partiql/statement_key.h"

namespace dinette::dynamodb::partiql {

Answer<std::optional<model::Item>> key_to_read(const Bound& bound, const ReadSource& source) {
  const TableSchema& schema = source.table.schema();
  const expr::ParsedRef& where = bound.statement().where;
  const expr::Bindings bindings = where ? bound.bindings(*where) : expr::Bindings();
  DINETTE_CHECK(plan_read(bound, source.target, bindings));
  DINETTE_CHECK(check_key_paths(schema, bindings.reached_into));
  StatementKey key = key_of(bound, schema, Equality::or_in);
  if (source.target.index() || !where || !key.alone || !key.whole(schema))
    return std::optional<model::Item>();
  return std::optional(std::move(key.values));
}

}  // namespace dinette::dynamodb::partiql
