#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tablestore/sql/expression.h"
#include "tablestore/sql/statement.h"

/// Any text as a statement of SQL. What can be read is evaluated on a row whose columns are all NULL.
namespace {

using namespace dinette::tablestore;

void run(const sql::Expression& expression) {
  const sql::SqlRow row(1);
  const sql::SqlRow* const rows[] = {&row, &row};
  (void)sql::evaluate(expression, rows);
}

void run(const sql::Select& select) {
  for (const sql::SelectItem& item : select.items) run(item.expression);
  for (const sql::FromItem& item : select.from)
    if (item.condition) run(*item.condition);
  if (select.where) run(*select.where);
  for (const sql::Expression& group : select.groups) run(group);
  if (select.having) run(*select.having);
  for (const sql::OrderItem& item : select.order) run(item.expression);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto statement = sql::parse({reinterpret_cast<const char*>(data), size});
  if (!statement) return 0;
  if (const auto* const select = std::get_if<sql::Select>(&*statement)) run(*select);
  return 0;
}
