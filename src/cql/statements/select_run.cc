#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "dinette/base/ascii.h"

#include "cql/data/point_read.h"
#include "cql/data/row_key.h"
#include "cql/data/row_scan.h"
#include "cql/statements/capacity.h"
#include "cql/statements/paging_state.h"
#include "cql/statements/select_plan.h"
#include "cql/statements/touched_rows.h"
#include "cql/types/key_order.h"
#include "cql/types/token.h"
#include "cql/values/numbers.h"
#include "cql/values/to_text.h"

namespace dinette::cql::statements {
namespace {

// docs/service-keyspaces/dml.md section 4.
constexpr std::size_t most_page_bytes = 1'048'576;
constexpr std::size_t subqueries_per_page = 10;
constexpr std::size_t most_subqueries = 100;

using Rows = std::vector<std::vector<frames::Cell>>;

/// A part of a SELECT: rows of one partition, or of all in a range of tokens.
struct Subquery {
  data::PartitionRead read{};
  std::optional<store::KeyRange> partitions{};
};

/// Names that are not all lower case carry quotes.
std::string json_name(const std::string& name) {
  const bool lower = std::ranges::all_of(name, [](char c) { return base::to_lower(c) == c; });
  return lower ? name : "\"" + name + "\"";
}

class SelectRun {
 public:
  SelectRun(const SelectPlan& plan, const Place& place, std::span<const frames::Value> values,
            const Options& options)
      : plan_(plan),
        place_(place),
        options_(options),
        bindings_{values, call_context(place)},
        row_(plan.table()) {
    now_ = std::chrono::floor<std::chrono::seconds>(place.now.time_since_epoch()).count();
  }

  Answer<RowSet> run() {
    DINETTE_CHECK(read_limits());
    DINETTE_TRY(filters_, bind_filters(plan_.table(), plan_.where(), bindings_));
    DINETTE_CHECK(read_state());
    states_.resize(plan_.selection().aggregates);
    DINETTE_CHECK(plan_.open().virtual_table != nullptr ? read_virtual() : read_stored());
    return finish();
  }

 private:
  bool grouped() const { return !plan_.groups().empty(); }
  bool aggregates() const { return plan_.selection().aggregates > 0 || grouped(); }
  /// What is aggregated has no pages.
  bool has_pages() const { return !aggregates(); }

  Answer<std::uint64_t> limit_of(const std::optional<Term>& term, std::string_view name) const {
    constexpr auto none = std::numeric_limits<std::uint64_t>::max();
    if (!term) return none;
    DINETTE_TRY(const TermValue value, term->evaluate(bindings_));
    if (value.is_unset()) return none;
    if (value.is_null()) return invalid("Invalid null value of limit");
    const std::int64_t limit = read_fixed(value.bytes);
    if (limit > 0) return static_cast<std::uint64_t>(limit);
    return invalid(std::string(name) + " must be strictly positive");
  }

  Answer<void> read_limits() {
    DINETTE_TRY(limit_, limit_of(plan_.limit(), "LIMIT"));
    DINETTE_TRY(per_partition_, limit_of(plan_.per_partition_limit(), "PER PARTITION LIMIT"));
    if (plan_.select().distinct) per_partition_ = 1;
    return {};
  }

  std::uint64_t fingerprint() const {
    std::string bytes = std::to_string(plan_.fingerprint());
    for (const frames::Value& value : bindings_.values) {
      bytes.push_back(static_cast<char>(value.state));
      bytes.append(std::to_string(value.bytes.size())).append(value.bytes);
    }
    return static_cast<std::uint64_t>(murmur3_token(bytes));
  }

  Answer<void> read_state() {
    if (!options_.paging_state) return {};
    DINETTE_TRY(state_, decode_paging_state(*options_.paging_state, fingerprint()));
    return {};
  }

  Answer<std::vector<Subquery>> subqueries() const {
    std::vector<Subquery> out;
    const Where& where = plan_.where();
    if (where.partition.empty()) {
      DINETTE_TRY(auto range, token_keys(where, bindings_));
      if (range) out.push_back({.partitions = *std::move(range)});
      return out;
    }
    DINETTE_TRY(std::vector<KeyValues> keys, partition_keys(plan_.table(), where, bindings_));
    DINETTE_TRY(const ClusteringKeys rows, clustering_keys(plan_.table(), where, bindings_));
    const std::size_t count = keys.size() * std::max<std::size_t>(rows.slices.size(), 1);
    if (place_.strict() && count > most_subqueries) {
      return invalid("IN clause with " + std::to_string(count) + " subqueries exceeds the maximum of " +
                     std::to_string(most_subqueries) + ".");
    }
    std::optional<store::KeyRange> tokens = store::KeyRange();
    if (where.has_token()) {
      DINETTE_TRY(tokens, token_keys(where, bindings_));
    }
    for (const KeyValues& key : keys) {
      DINETTE_CHECK(check_partition_key(key));
      const std::vector<std::string_view> views(key.begin(), key.end());
      std::string prefix = data::partition_prefix(views);
      if (!tokens || !tokens->contains(prefix)) continue;
      const data::PartitionRead read{
          .prefix = std::move(prefix),
          .direction = plan_.descending() ? store::Direction::backward : store::Direction::forward,
          .with_statics = where.clustering.empty()};
      add_slices(rows.slices, read, out);
    }
    // Without an order of its own the service keeps that of the statement; Cassandra orders by token.
    if (!place_.strict() && out.size() > 1) {
      std::ranges::stable_sort(out, {}, [](const Subquery& one) { return one.read.prefix; });
    }
    return out;
  }

  /// The service reads each combination of values by itself.
  void add_slices(const std::vector<std::vector<data::Slice>>& combinations, const data::PartitionRead& read,
                  std::vector<Subquery>& out) const {
    const bool backward = read.direction == store::Direction::backward;
    for (const std::vector<data::Slice>& slices : combinations) {
      const bool begins = place_.strict() || &slices == &combinations.front();
      if (begins) out.push_back({.read = read});
      std::vector<data::Slice>& all = out.back().read.slices;
      all.insert(all.end(), slices.begin(), slices.end());
      if (!place_.strict() && &slices != &combinations.back()) continue;
      std::ranges::sort(all, {}, [](const data::Slice& one) { return one.range.begin; });
      if (backward) std::ranges::reverse(all);
    }
  }

  Answer<void> read_stored() {
    DINETTE_CHECK(check_read_capacity(place_, *plan_.open().stored));
    const bool is_point = plan_.is_point() && !options_.paging_state;
    DINETTE_CHECK(is_point ? read_point() : read_subqueries());
    if (place_.details != nullptr) {
      place_.details->add_counts(rows_read_, rows_.size());
      place_.details->scans = plan_.where().partition.empty();
    }
    charge_read(place_, *plan_.open().stored, units_, options_.consistency);
    return {};
  }

  data::ScanSource source(const store::View& view) const {
    return {.view = &view,
            .stored = plan_.open().stored.get(),
            .table = &plan_.table(),
            .now = now_,
            .sizes = place_.sizes};
  }

  /// Reads one row, the usual case, without all that several need.
  Answer<void> read_point() {
    const schema::Table& table = plan_.table();
    DINETTE_TRY(const PointKey key, point_key(table, plan_.where(), bindings_));
    DINETTE_CHECK(check_partition_key(key.partition));
    const std::vector<std::string_view> partition(key.partition.begin(), key.partition.end());
    const std::vector<std::string_view> clustering(key.clustering.begin(), key.clustering.end());
    DINETTE_CQL_STORED(const store::View view, place_.store.view());
    data::PointRead read;
    if (const auto done = read.read(source(view), partition, data::partition_prefix(partition),
                                    data::clustering_part(table, clustering));
        !done) {
      return storage_failure(done.error());
    }
    units_ = read.units();
    if (!read.found()) return {};
    ++rows_read_;
    note_row(place_, table, partition, clustering, read.row_bytes());
    row_.set_partition(partition);
    row_.set_row(read.row());
    row_.set_cells(read.statics());
    if (!passes(table, filters_, row_)) return {};
    return take_row();
  }

  Answer<void> read_subqueries() {
    DINETTE_TRY(const std::vector<Subquery> parts, subqueries());
    DINETTE_CHECK(choose_sorting(parts.size()));
    DINETTE_CQL_STORED(const store::View view, place_.store.view());
    const std::size_t first = state_.subquery;
    for (std::size_t i = first; i < parts.size(); ++i) {
      state_.subquery = static_cast<std::uint32_t>(i);
      DINETTE_TRY(const bool ended, read_subquery(view, parts[i]));
      if (ended) return {};
      state_.begun = false;
      const bool pause = place_.strict() && has_pages() && i + 1 - first == subqueries_per_page;
      if (pause && i + 1 < parts.size()) {
        state_.subquery = static_cast<std::uint32_t>(i + 1);
        more_ = true;
        return {};
      }
    }
    return {};
  }

  /// Several partitions in one order: Cassandra sorts what they return, and cuts it then.
  Answer<void> choose_sorting(std::size_t partitions) {
    sorts_ = !place_.strict() && !aggregates() && !plan_.select().order_by.empty() && partitions > 1;
    if (!sorts_ || !options_.page_size) return {};
    return invalid(
        "Cannot page queries with both ORDER BY and a IN restriction on the partition key; you must either "
        "remove "
        "the ORDER BY or the IN and sort client side, or disable paging for this query");
  }

  kv::Result<data::RowScan> open_scan(const store::View& view, const Subquery& part) const {
    const data::ReadPosition* const after = state_.begun ? &state_.position : nullptr;
    if (part.partitions) return data::RowScan::of_partitions(source(view), *part.partitions, after);
    return data::RowScan::of_partition(source(view), part.read, after);
  }

  /// Returns true if the page ends in it.
  Answer<bool> read_subquery(const store::View& view, const Subquery& part) {
    DINETTE_CQL_STORED(data::RowScan scan, open_scan(view, part));
    std::uint64_t of_partition = state_.begun ? state_.of_partition : 0;
    std::uint64_t partition = 0;
    bool found_any = false;
    const std::size_t bytes_before = bytes_;
    const std::uint64_t units_before = units_;
    for (;;) {
      if (at_limit()) return true;
      if (page_ends()) {
        more_ = true;
        if (!found_any) return true;
        state_.begun = true;
        state_.position = scan.position();
        state_.of_partition = of_partition;
        return true;
      }
      DINETTE_CQL_STORED(const bool found, scan.next());
      bytes_ = bytes_before + scan.bytes_read();
      units_ = units_before + scan.units();
      if (!found) return false;
      if (scan.partitions() != partition) {
        of_partition = partition == 0 && state_.begun ? continued(scan, of_partition) : 0;
        partition = scan.partitions();
      }
      found_any = true;
      ++rows_read_;
      if (scan.has_row())
        note_row(place_, plan_.table(), scan.partition(), scan.row().clustering, scan.row_bytes());
      fill(scan);
      if (of_partition >= per_partition_ && (!grouped() || begins_group())) {
        scan.skip_partition();
        continue;
      }
      if (!passes(plan_.table(), filters_, row_)) continue;
      if (!grouped() || begins_group()) ++of_partition;
      DINETTE_CHECK(take_row());
    }
  }

  /// The first partition of a page may be the last one of the page before.
  std::uint64_t continued(const data::RowScan& scan, std::uint64_t of_partition) const {
    return std::string_view(state_.position.key).starts_with(scan.prefix()) ? of_partition : 0;
  }

  bool at_limit() const { return ended_ || (state_.returned >= limit_ && !aggregates() && !sorts_); }

  bool page_ends() const {
    if (!has_pages()) return false;
    // The service counts rows that it has read, Cassandra those that it returns.
    const std::size_t counted = place_.strict() ? rows_read_ : rows_.size();
    if (options_.page_size && counted >= static_cast<std::size_t>(*options_.page_size)) return true;
    const bool may_page = place_.strict() || options_.page_size;
    return may_page && bytes_ >= most_page_bytes && rows_read_ > 0;
  }

  void fill(const data::RowScan& scan) {
    row_.clear();
    row_.set_partition(scan.partition());
    if (scan.has_row()) row_.set_row(scan.row());
    row_.set_cells(scan.statics());
  }

  Answer<void> read_virtual() {
    DINETTE_TRY(auto rows, plan_.open().virtual_table->rows(place_));
    Where all = plan_.where();
    for (auto* const part : {&all.partition, &all.clustering, &all.more_slices}) {
      for (Restriction& restriction : *part) all.filters.push_back({.restriction = std::move(restriction)});
    }
    DINETTE_TRY(filters_, bind_filters(plan_.table(), all, bindings_));
    const std::size_t partitions = choose_virtual(rows);
    DINETTE_CHECK(choose_sorting(partitions));
    for (std::size_t i = state_.subquery; i < rows.size(); ++i) {
      if (at_limit()) return {};
      state_.subquery = static_cast<std::uint32_t>(i);
      if (page_ends()) {
        more_ = true;
        return {};
      }
      fill(rows[i]);
      ++rows_read_;
      DINETTE_CHECK(take_row());
    }
    return {};
  }

  void fill(const schema::VirtualRow& row) {
    row_.clear();
    for (std::size_t column = 0; column < row.size(); ++column) {
      if (row[column]) row_.set(column, *row[column]);
    }
  }

  /// Leaves of a system table the rows that are asked for, in their order. Returns of how many partitions.
  std::size_t choose_virtual(std::vector<schema::VirtualRow>& rows) {
    std::erase_if(rows, [&](const schema::VirtualRow& row) {
      fill(row);
      return !passes(plan_.table(), filters_, row_);
    });
    const auto key_size = static_cast<std::ptrdiff_t>(plan_.table().partition_key_size());
    const auto in_other_partition = [&](const schema::VirtualRow& a, const schema::VirtualRow& b) {
      return !std::equal(a.begin(), a.begin() + key_size, b.begin());
    };
    std::size_t partitions = 0;
    std::vector<schema::VirtualRow> chosen;
    for (auto begin = rows.begin(); begin != rows.end(); ++partitions) {
      const auto end = std::find_if(
          begin, rows.end(), [&](const schema::VirtualRow& row) { return in_other_partition(*begin, row); });
      if (plan_.descending()) std::reverse(begin, end);
      choose_of_partition(std::span(begin, end), chosen);
      begin = end;
    }
    rows = std::move(chosen);
    return partitions;
  }

  /// Adds as many rows of a partition, or groups of them, as may be.
  void choose_of_partition(std::span<schema::VirtualRow> rows,
                           std::vector<schema::VirtualRow>& chosen) const {
    std::uint64_t count = 0;
    for (schema::VirtualRow& row : rows) {
      const bool begins = !grouped() || count == 0 || is_other_group(chosen.back(), row);
      if (begins && count == per_partition_) return;
      if (begins) ++count;
      chosen.push_back(std::move(row));
    }
  }

  bool is_other_group(const schema::VirtualRow& a, const schema::VirtualRow& b) const {
    return std::ranges::any_of(plan_.groups(), [&](std::size_t column) { return a[column] != b[column]; });
  }

  SelectionInput input() const { return {&row_, &bindings_, &states_, now_}; }

  Answer<void> take_row() {
    if (grouped() && begins_group()) DINETTE_CHECK(begin_group());
    if (ended_) return {};
    if (!aggregates()) {
      ++state_.returned;
      return add_row(input());
    }
    for (const Selected& selected : plan_.selection().columns) {
      DINETTE_CHECK(aggregate_row(selected, input(), states_));
    }
    // Of columns beside aggregates the first row's values are shown.
    if (!first_.empty()) return {};
    for (const Selected& selected : plan_.selection().columns) {
      if (selected.kind == Selected::Kind::aggregate) {
        first_.emplace_back();
      } else {
        DINETTE_TRY(first_.emplace_back(), evaluate(selected, input()));
      }
    }
    return {};
  }

  /// The values by which rows are grouped.
  std::string group_of_row() const {
    std::string key;
    for (const std::size_t column : plan_.groups()) {
      append_key(key, plan_.table().columns[column].type, row_.value(column).value_or(""));
    }
    return key;
  }

  bool begins_group() const { return !group_ || *group_ != group_of_row(); }

  /// Shows the group before, and ends the whole if there may be no more.
  Answer<void> begin_group() {
    if (group_) DINETTE_CHECK(add_aggregates());
    group_.reset();
    ended_ = state_.returned == limit_;
    if (ended_) return {};
    ++state_.returned;
    group_ = group_of_row();
    states_.assign(plan_.selection().aggregates, AggregateState());
    first_.clear();
    return {};
  }

  Answer<void> add_row(const SelectionInput& given) {
    std::vector<frames::Cell> cells;
    cells.reserve(plan_.selection().columns.size());
    for (const Selected& selected : plan_.selection().columns) {
      if (selected.kind == Selected::Kind::column) {
        cells.emplace_back(row_.value(selected.column));
      } else {
        DINETTE_TRY(cells.emplace_back(), evaluate(selected, given));
      }
    }
    if (sorts_) keys_.push_back(sort_key());
    add_cells(std::move(cells));
    return {};
  }

  void add_cells(std::vector<frames::Cell> cells) {
    if (!plan_.select().json) {
      rows_.push_back(std::move(cells));
      return;
    }
    std::string text = "{";
    const auto& columns = plan_.selection().columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) text += ", ";
      append_json_string(text, json_name(columns[i].name));
      text += ": ";
      text += cells[i] ? json_text(columns[i].type, *cells[i]) : "null";
    }
    rows_.push_back({frames::Cell(text + "}")});
  }

  std::string sort_key() const {
    std::string key;
    for (const grammar::Ordering& order : plan_.select().order_by) {
      const schema::Column& column = *plan_.table().find_column(order.column);
      const auto place = static_cast<std::size_t>(&column - plan_.table().columns.data());
      append_key(key, column.type, row_.value(place).value_or(""),
                 order.descending ? store::Order::descending : store::Order::ascending);
    }
    return key;
  }

  void sort_rows() {
    std::vector<std::size_t> order(rows_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) -> const std::string& { return keys_[i]; });
    Rows sorted;
    for (const std::size_t i : order) sorted.push_back(std::move(rows_[i]));
    rows_ = std::move(sorted);
    if (rows_.size() > limit_) rows_.resize(limit_);
  }

  Answer<RowSet> finish() {
    if (aggregates() && (!grouped() || group_)) DINETTE_CHECK(add_aggregates());
    if (sorts_) sort_rows();
    RowSet out;
    out.metadata = *plan_.description().result;
    if (more_) {
      state_.fingerprint = fingerprint();
      out.metadata.paging_state = encode(state_);
    }
    out.rows = std::move(rows_);
    if (aggregates()) warn_of_partitions(out);
    return out;
  }

  /// docs/service-keyspaces/dml.md section 4, aggregates.
  void warn_of_partitions(RowSet& out) const {
    const auto is_in = [](const Restriction& one) { return one.kind == Restriction::Kind::in; };
    if (plan_.where().partition.empty()) {
      out.warnings.emplace_back("Aggregation query used without partition key");
    } else if (std::ranges::any_of(plan_.where().partition, is_in)) {
      out.warnings.emplace_back("Aggregation query used on multiple partition keys (IN restriction)");
    }
  }

  Answer<void> add_aggregates() {
    std::vector<frames::Cell> cells;
    const SelectionInput given{nullptr, &bindings_, &states_, now_};
    const auto& columns = plan_.selection().columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const bool shown = !first_.empty() && !has_aggregate(columns[i]);
      if (shown) {
        cells.push_back(first_[i]);
      } else {
        DINETTE_TRY(cells.emplace_back(), evaluate(columns[i], given));
      }
    }
    add_cells(std::move(cells));
    return {};
  }

  static bool has_aggregate(const Selected& selected) {
    return selected.kind == Selected::Kind::aggregate ||
           std::ranges::any_of(selected.arguments, has_aggregate);
  }

  const SelectPlan& plan_;
  const Place& place_;
  const Options& options_;
  const Bindings bindings_;
  data::Seconds now_ = 0;
  std::uint64_t limit_ = 0;
  std::uint64_t per_partition_ = 0;
  std::vector<BoundFilter> filters_;
  PagingState state_;
  bool more_ = false;
  bool sorts_ = false;  ///< what is read, when all of it is there
  std::size_t rows_read_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t units_ = 0;
  data::RowValues row_;
  std::vector<AggregateState> states_;
  std::optional<std::string> group_;  ///< of the rows that are being aggregated
  bool ended_ = false;                ///< there are as many groups as may be
  std::vector<frames::Cell> first_;
  Rows rows_;
  std::vector<std::string> keys_;  ///< by which rows are sorted
};

}  // namespace

Answer<std::optional<Outcome>> SelectPlan::run(const Place& place, std::span<const frames::Value> values,
                                               const Options& options) const {
  DINETTE_TRY(RowSet rows, SelectRun(*this, place, values, options).run());
  return std::optional(Outcome(std::move(rows)));
}

}  // namespace dinette::cql::statements
