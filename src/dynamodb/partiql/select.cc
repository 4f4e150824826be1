#include "dynamodb/partiql/select.h"

#include <algorithm>
#include <utility>

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/key_path_checks.h"
#include "dynamodb/items/touched_keys.h"
#include "dynamodb/partiql/explain.h"
#include "dynamodb/partiql/next_token.h"
#include "dynamodb/partiql/read_plan.h"
#include "dynamodb/partiql/read_source.h"
#include "dynamodb/reads/item_page.h"
#include "dynamodb/reads/read_charge.h"
#include "dynamodb/reads/read_throughput.h"
#include "dynamodb/reads/read_view.h"
#include "dynamodb/tables/table_state.h"

namespace dinette::dynamodb::partiql {
namespace {

/// Carries out the reads of a plan one after the other, until the page is full.
class PageMaker {
 public:
  PageMaker(const Context& context, const ReadSource& source, const ReadPlan& plan, const ItemFilter& filter,
            const ItemSelection& selection, const PageWish& wish)
      : context_(context),
        source_(source),
        plan_(plan),
        filter_(filter),
        selection_(selection),
        wish_(wish),
        most_rows_(most_rows(plan, wish)) {}

  /// Asks the gate about the page as about one of a Query.
  Answer<SelectedPage> make(PagePosition position) {
    if (position.read < plan_.reads.size()) {
      const ReadPlace start = place_of(plan_.reads[position.read], position.after);
      DINETTE_CHECK(admit_read(context_, start, wish_.consistent));
    }
    for (; position.read < plan_.reads.size(); ++position.read, position.after.clear()) {
      const KeyRead& read = plan_.reads[position.read];
      DINETTE_TRY(ItemPage page, read.whole_key ? read_one(read) : read_range(read, position.after));
      const Charge charge = charge_of(source_.target, page, wish_.consistent);
      take_read(context_, place_of(read, position.after), charge.units());
      page_.charge.add(charge);
      if (wants_keys(context_) && read.hash) note_read(read);
      add_items(page);
      rows_ += static_cast<std::size_t>(page.scanned_count);
      page_.returned += static_cast<std::size_t>(page.count);
      bytes_ += page.bytes;
      for (const std::size_t fetched : page.fetched) bytes_ += fetched;
      work_ = std::max(work_, page.work);
      if (!page.last_key) continue;
      end_page(read, std::move(page), position.read);
      break;
    }
    page_.looked_at = rows_;
    page_.work = work_;
    return std::move(page_);
  }

 private:
  /// Rows that a page may look at; 0 = no limit (docs/service/partiql.md section 3, "Paging").
  static std::size_t most_rows(const ReadPlan& plan, const PageWish& wish) {
    if (!plan.several) return wish.limit;
    constexpr std::size_t most = model::limits::in_page_items;
    return wish.limit == 0 ? most : std::min(wish.limit, most);
  }

  ReadPlace place_of(const KeyRead& read, std::string_view after) const {
    return {*source_.table.table, source_.target.index(), after.empty() ? read.range.begin : after};
  }

  void note_read(const KeyRead& read) const {
    const expr::KeyClause clause{source_.target.key().front().attribute, expr::KeyOperator::equal, read.hash};
    note_partition(context_, source_.table.table->name, std::span(&clause, 1));
  }

  /// Reads an item by its key as GetItem does. The page has a last key if this item fills it.
  Answer<ItemPage> read_one(const KeyRead& read) {
    ItemPage page;
    page.work = work_;
    DINETTE_TRY(const std::optional<kv::Value> row,
                read_item(context_, *source_.table.table, read.range.begin, wish_.consistent));
    if (!row) return page;
    page.scanned_count = 1;
    page.bytes = codec::record_size(row->view());
    model::Work work;
    DINETTE_STORED(const bool admitted, filter_.admits(row->view(), work));
    if (admitted) {
      page.count = 1;
      DINETTE_STORED([[maybe_unused]] const std::size_t size,
                     selection_.append_selected(*page.items.json, row->view(), work));
    }
    page.work += work.units();
    const bool ends = (most_rows_ != 0 && rows_ + 1 >= most_rows_) ||
                      bytes_ + page.bytes >= model::limits::page_bytes ||
                      page.work >= model::limits::request_work;
    if (!ends) return page;
    DINETTE_STORED(const model::Item key, codec::read_attributes(row->view(), position_names()));
    page.last_key = codec::to_text(key);
    page.at_end = true;
    return page;
  }

  std::vector<std::string_view> position_names() const {
    std::vector<std::string_view> names;
    for (const expr::KeyPart& part : source_.target.position()) names.push_back(part.attribute);
    return names;
  }

  Answer<ItemPage> read_range(const KeyRead& read, const std::string& after) {
    PageRequest request{.target = source_.target,
                        .range = read.range,
                        .direction = plan_.direction,
                        .limit = most_rows_ == 0 ? 0 : most_rows_ - rows_,
                        .filter = filter_,
                        .selection = selection_,
                        .consistent = wish_.consistent,
                        .reach_back = source_.reach_back,
                        .charged_apart = plan_.scans() ? source_.partitions : std::nullopt,
                        .bytes = model::limits::page_bytes - bytes_,
                        .work = work_,
                        .look_ahead = true};
    if (!after.empty()) request.range.start_after(after, plan_.direction);
    return read_page(context_, *source_.table.table, std::move(request));
  }

  void add_items(const ItemPage& page) {
    if ((*page.items.json).empty()) return;
    std::string& all = *page_.items.json;
    if (!all.empty()) all += ',';
    all += *page.items.json;
  }

  /// Says where the next page begins, if there may be one (docs/service/partiql.md section 3, "Paging").
  void end_page(const KeyRead& read, ItemPage page, std::size_t index) {
    const KeyRead* const next = index + 1 < plan_.reads.size() ? &plan_.reads[index + 1] : nullptr;
    const bool goes_on = !page.at_end || next;
    if (goes_on) {
      PagePosition position{index, std::move(page.last_position)};
      if (page.at_end) position = {index + 1, {}};
      page_.next_token = next_token(position, wish_.text, wish_.parameters);
    }
    const bool same_partition = next && *next->hash == *read.hash;
    const bool at_limit = wish_.limit != 0 && most_rows_ == wish_.limit;
    const bool has_key = read.whole_key ? at_limit && !plan_.filters : !page.at_end || same_partition;
    if (has_key) page_.last_key = std::move(page.last_key);
  }

  const Context& context_;
  const ReadSource& source_;
  const ReadPlan& plan_;
  const ItemFilter& filter_;
  const ItemSelection& selection_;
  const PageWish& wish_;
  const std::size_t most_rows_;
  std::size_t rows_ = 0;
  std::size_t bytes_ = 0;
  std::size_t work_ = 0;
  SelectedPage page_;
};

Answer<PagePosition> first_position(const PageWish& wish, const ReadPlan& plan) {
  if (!wish.next_token) return PagePosition();
  DINETTE_TRY(PagePosition position, read_token(*wish.next_token, wish.text, wish.parameters));
  if (position.read >= plan.reads.size()) return validation("Invalid NextToken");
  return position;
}

}  // namespace

ItemSelection selection_of(const Bound& bound) {
  const Statement& statement = bound.statement();
  if (!statement.columns) return ItemSelection();
  return ItemSelection(
      expr::Columns(statement.columns, bound.bindings(*statement.columns), statement.column_names));
}

Answer<SelectedPage> select(const Context& context, const Bound& bound, const PageWish& wish) {
  const Statement& statement = bound.statement();
  const ItemSelection selection = selection_of(bound);
  DINETTE_TRY(const ReadSource source, open_source(context, statement, wish.consistent));
  const TableSchema& schema = source.table.schema();
  expr::Bindings bindings;
  if (statement.where) bindings = bound.bindings(*statement.where);
  DINETTE_TRY(const ReadPlan plan, plan_read(bound, source.target, bindings));
  DINETTE_CHECK(check_key_paths(schema, bindings.reached_into));
  DINETTE_CHECK(check_key_paths(schema, selection.reached_into()));
  DINETTE_TRY(PagePosition position, first_position(wish, plan));
  ItemFilter filter;
  if (plan.filters) filter = ItemFilter(ItemCondition(expr::Condition(statement.where, std::move(bindings))));
  PageMaker maker(context, source, plan, filter, selection, wish);
  DINETTE_TRY(SelectedPage page, maker.make(std::move(position)));
  if (context.explanation) explain(*context.explanation, bound, source, plan, page);
  if (context.details) {
    context.details->add_counts(page.looked_at, page.returned);
    if (plan.scans()) context.details->scans = true;
  }
  return page;
}

}  // namespace dinette::dynamodb::partiql
