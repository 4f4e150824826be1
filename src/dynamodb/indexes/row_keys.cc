#include "dynamodb/indexes/row_keys.h"

#include "dinette/store/scan.h"

namespace dinette::dynamodb {

kv::Result<std::vector<std::string>> row_keys_after(const store::Store& store, const store::Table& table,
                                                    std::string_view after, std::size_t limit) {
  store::KeyRange range;
  if (!after.empty()) range.start_after(after, store::Direction::forward);
  DINETTE_TRY(const store::View view, store.view());
  DINETTE_TRY(store::RowCursor rows, view.scan(table, store::Area::rows(), range, store::Direction::forward));
  std::vector<std::string> keys;
  while (keys.size() < limit) {
    DINETTE_TRY(const bool more, rows.next());
    if (!more) break;
    keys.emplace_back(rows.key());
  }
  return keys;
}

}  // namespace dinette::dynamodb
