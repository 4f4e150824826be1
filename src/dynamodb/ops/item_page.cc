#include "dynamodb/ops/item_page.h"

#include "dinette/store/scan.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/ops/item_key.h"

namespace dinette::dynamodb::ops {
namespace {

/// Only these attributes of a stored item.
model::Item read_parts(std::string_view record, const std::vector<expr::KeyPart>& parts) {
  std::vector<std::string_view> names;
  for (const expr::KeyPart& part : parts) names.push_back(part.attribute);
  return codec::read_attributes(record, names);
}

class PageReader {
 public:
  PageReader(const store::View& view, const store::Table& table, const PageRequest& request)
      : view_(view), table_(table), request_(request) {}

  Answer<ItemPage> read() {
    DINETTE_STORED(store::RowCursor rows,
                   view_.scan(table_, request_.target.area(), request_.range, request_.direction));
    store::ScanBudget budget(
        {.rows_looked_at = request_.limit, .bytes_looked_at = model::limits::page_bytes, .rows_returned = 0});
    for (;;) {
      DINETTE_STORED(const bool more, rows.next());
      if (!more) break;
      budget.look_at(codec::record_size(rows.value()));
      DINETTE_CHECK(look_at(rows.value()));
      if (!budget.spent()) continue;
      page_.last_key = codec::to_text(read_parts(rows.value(), request_.target.position()));
      break;
    }
    page_.scanned_count = static_cast<std::int32_t>(budget.so_far().rows_looked_at);
    page_.bytes = budget.so_far().bytes_looked_at;
    return std::move(page_);
  }

 private:
  Answer<void> look_at(std::string_view row) {
    if (!request_.reach_back) {
      take(row);
      return {};
    }
    const TableSchema& schema = request_.target.schema();
    const std::string key = encode_key(schema, read_parts(row, ReadTarget(schema, nullptr).position()));
    DINETTE_STORED(const std::optional<kv::Value> item, view_.read(table_, key));
    if (!item) return {};  // an index never has entries of items that are gone
    page_.fetched.push_back(codec::record_size(item->view()));
    take(item->view());
    return {};
  }

  void take(std::string_view record) {
    if (!request_.filter.admits(record)) return;
    ++page_.count;
    if (request_.count_only) return;
    std::string& json = page_.items.json;
    if (!json.empty()) json += ',';
    request_.selection.append_selected(json, record);
  }

  const store::View& view_;
  const store::Table& table_;
  const PageRequest& request_;
  ItemPage page_;
};

}  // namespace

Answer<ItemPage> read_page(const Context& context, const store::Table& table, PageRequest request) {
  if (request.range.empty()) return ItemPage();
  // The view goes with the page: a write that comes while one lives copies what the view still sees.
  DINETTE_STORED(const store::View view, context.store.view());
  return PageReader(view, table, request).read();
}

}  // namespace dinette::dynamodb::ops
