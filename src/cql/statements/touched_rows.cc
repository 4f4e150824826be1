#include "cql/statements/touched_rows.h"

#include <string>
#include <vector>

#include "cql/values/to_text.h"

namespace dinette::cql::statements {
namespace {

/// Returns "p = 1, c = a".
std::string text_of_key(std::span<const schema::Column> columns, std::span<const std::string_view> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text.append(i > 0 ? ", " : "").append(columns[i].name).append(" = ");
    text.append(json_text(columns[i].type, values[i]));
  }
  return text;
}

}  // namespace

void note_row(const Place& place, const schema::Table& table, std::span<const std::string_view> partition,
              std::span<const std::string_view> clustering, std::size_t bytes) {
  if (place.details == nullptr || !place.details->wants_keys) return;
  const std::span<const schema::Column> columns = table.columns;
  observe::Touch touch{.table = table.full_name(), .partition = text_of_key(columns, partition)};
  touch.item = touch.partition;
  touch.bytes = bytes;
  const std::string rest = text_of_key(columns.subspan(partition.size()), clustering);
  if (!rest.empty()) touch.item.append(", ").append(rest);
  place.details->touched.push_back(std::move(touch));
}

void note_rows(const Place& place, std::span<const data::RowWrite> writes,
               std::span<const data::WrittenRecord> records) {
  if (place.details == nullptr || !place.details->wants_keys) return;
  for (const data::WrittenRecord& record : records) {
    const data::RowWrite& write = writes[record.number];
    const std::vector<std::string_view> partition(write.partition.begin(), write.partition.end());
    std::vector<std::string_view> clustering;
    if (record.is_row) clustering.assign(write.clustering.begin(), write.clustering.end());
    note_row(place, *write.table, partition, clustering, record.stored);
  }
}

}  // namespace dinette::cql::statements
