#include "dynamodb/reads/item_page.h"

#include <array>
#include <bit>

#include "dinette/base/bytes.h"
#include "dinette/store/scan.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/record.h"
#include "dynamodb/items/item_key.h"
#include "dynamodb/reads/read_view.h"

namespace dinette::dynamodb {
namespace {

/// The attributes that tell one position from another, ascending.
std::vector<std::string_view> position_names(const ReadTarget& target) {
  std::vector<std::string_view> names;
  for (const expr::KeyPart& part : target.position()) names.push_back(part.attribute);
  return names;
}

class PageReader {
 public:
  PageReader(const store::View& view, const store::Table& table, const PageRequest& request)
      : view_(view),
        table_(table),
        request_(request),
        budget_({.rows_looked_at = request.limit, .bytes_looked_at = request.bytes, .rows_returned = 0}) {
    work_.add(request.work);
    if (request.reach_back == ReachBack::none) {
      takes_all_ = request.filter.admits_all() && request.selection.everything() && !request.count_only;
      return;
    }
    table_key_names_ = position_names(ReadTarget(request.target.schema(), nullptr));
  }

  Answer<ItemPage> read() {
    DINETTE_STORED(store::RowCursor rows,
                   view_.scan(table_, request_.target.area(), request_.range, request_.direction));
    for (;;) {
      DINETTE_STORED(const bool more, rows.next());
      if (!more) {
        charge_apart();
        break;
      }
      DINETTE_CHECK(look_at(rows.value()));
      if (request_.charged_apart)
        partition_bytes_[partition_of(rows.key())] += codec::record_size(rows.value());
      if (!budget_.spent() && work_.units() < model::limits::request_work) continue;
      DINETTE_STORED(const model::Item last,
                     codec::read_attributes(rows.value(), position_names(request_.target)));
      page_.last_key = codec::to_text(last);
      if (request_.look_ahead) {
        page_.last_position = rows.key();
        DINETTE_STORED(const bool follows, rows.next());
        page_.at_end = !follows;
        if (page_.at_end) charge_apart();
      }
      if (request_.by_key_condition && limit_reached()) {
        DINETTE_STORED(const bool complete, only_others_follow(rows));
        if (complete) page_.last_key.reset();
      }
      break;
    }
    page_.work = work_.units();
    return std::move(page_);
  }

 private:
  bool limit_reached() const { return budget_.so_far().rows_looked_at == request_.limit; }

  /// Returns true if the next row is one that does not meet the key condition. The service looks at it when
  /// Limit is reached; if there is no row at all, it does not know that there are no more
  /// (docs/service/query-scan.md section 2).
  kv::Result<bool> only_others_follow(store::RowCursor& rows) const {
    DINETTE_TRY(const bool more, rows.next());
    if (more) return false;
    const bool forward = request_.direction == store::Direction::forward;
    const std::string& edge = forward ? request_.range.end : request_.range.begin;
    if (edge.empty()) return false;
    const store::KeyRange beyond = forward ? store::KeyRange{edge, {}} : store::KeyRange{{}, edge};
    DINETTE_TRY(store::RowCursor others,
                view_.scan(table_, request_.target.area(), beyond, request_.direction));
    return others.next();
  }

  static std::size_t partition_of(std::string_view key) {
    constexpr unsigned bits = 64 - std::countr_zero(PartitionSpan::of_new_table);
    return base::load_big_endian<store::PartitionHash>(key.data()) >> bits;
  }

  void charge_apart() {
    if (!request_.charged_apart) return;
    const auto [first, last] = *request_.charged_apart;
    page_.partitions.assign(partition_bytes_.begin() + first, partition_bytes_.begin() + last + 1);
  }

  Answer<void> look_at(std::string_view row) {
    const codec::RecordParts parts = codec::parts_of(row);
    if (!parts.is_record) return storage_failure(codec::corrupt_record());
    const std::size_t size = parts.size;
    ++page_.scanned_count;
    page_.bytes += size;
    if (request_.reach_back == ReachBack::none) {
      budget_.look_at(size);
      if (!takes_all_) return take(row, row);
      ++page_.count;
      next_item().append(parts.text);
      work_.add(ItemSelection::work_of_copying(parts.text.size()));
      return {};
    }
    DINETTE_TRY(const kv::Value item, item_of(row));
    page_.fetched.push_back(codec::record_size(item.view()));
    budget_.look_at(size + page_.fetched.back());
    return take(item.view(), request_.reach_back == ReachBack::to_filter ? row : item.view());
  }

  /// The item of an index entry.
  Answer<kv::Value> item_of(std::string_view entry) {
    DINETTE_STORED(const model::Item key, codec::read_attributes(entry, table_key_names_, work_));
    DINETTE_STORED(std::optional<kv::Value> item,
                   view_.read(table_, encode_key(request_.target.schema(), key)));
    if (!item) return storage_failure({kv::ErrorKind::corrupt, "an index entry without its item"});
    if (!codec::is_record(item->view())) return storage_failure(codec::corrupt_record());
    return *std::move(item);
  }

  /// Adds what is selected of `answer` to the page if the filter admits the item.
  Answer<void> take(std::string_view item, std::string_view answer) {
    DINETTE_STORED(const bool admitted, request_.filter.admits(item, work_));
    if (!admitted) return {};
    ++page_.count;
    if (request_.count_only) return {};
    DINETTE_STORED([[maybe_unused]] const std::size_t size,
                   request_.selection.append_selected(next_item(), answer, work_));
    return {};
  }

  /// Returns the text of the items so far, to append another one.
  std::string& next_item() {
    std::string& json = *page_.items.json;
    if (!json.empty()) json += ',';
    return json;
  }

  const store::View& view_;
  const store::Table& table_;
  const PageRequest& request_;
  store::ScanBudget budget_;
  model::Work work_;                               ///< of filter and selection
  std::vector<std::string_view> table_key_names_;  ///< ascending; only for reaching back
  std::array<std::size_t, PartitionSpan::of_new_table> partition_bytes_{};
  bool takes_all_ = false;  ///< every row is in the answer as it is
  ItemPage page_;
};

}  // namespace

Answer<ItemPage> read_page(const Context& context, const store::Table& table, PageRequest request) {
  if (request.range.empty()) return ItemPage();
  // The view goes with the page: a write that comes while one lives copies what the view still sees.
  DINETTE_TRY(const store::View view, read_view(context, request.consistent, request.target.global()));
  return PageReader(view, table, request).read();
}

}  // namespace dinette::dynamodb
