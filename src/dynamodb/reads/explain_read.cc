#include "dynamodb/reads/explain_read.h"

#include "dynamodb/items/key_text.h"

namespace dinette::dynamodb {

void explain_read(Explanation& explanation, std::string_view table, const TableSchema& schema,
                  const model::Item& key, bool found, double units) {
  const std::size_t items = found ? 1 : 0;
  explanation.add({.operation = "GetItem",
                   .table = table,
                   .key_condition = key_text(schema, key),
                   .looked_at = items,
                   .returned = items,
                   .units = units});
}

void explain_page(Explanation& explanation, const ReadName& name, std::string_view table,
                  const ReadTarget& target, const ItemPage& page, const Charge& charge) {
  explanation.add({.operation = name.operation,
                   .table = table,
                   .index = target.index() ? target.index()->name : std::string_view(),
                   .key_condition = name.key_condition,
                   .looked_at = static_cast<std::size_t>(page.scanned_count),
                   .returned = static_cast<std::size_t>(page.count),
                   .units = charge.units()});
}

void note_page(observe::RequestDetails& details, const ReadName& name, const ItemPage& page) {
  details.add_counts(static_cast<std::uint64_t>(page.scanned_count), static_cast<std::uint64_t>(page.count));
  if (name.operation == "Scan") details.scans = true;
}

}  // namespace dinette::dynamodb
