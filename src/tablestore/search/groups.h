#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/search/aggregations.h"
#include "tablestore/search/calendar.h"
#include "tablestore/search/found.h"
#include "tablestore/search/query.h"

namespace dinette::tablestore::search {

/// Some of what was found. What it has of these depends on the kind of its grouping.
struct Group {
  FieldValue key = {};
  double from = 0;
  double to = 0;
  FoundList members = {};
};

/// Divides what was found into groups, of each of which there may be aggregations and further groups
/// (tablestore/search-index.md sections 1 and 2).
class Grouping {
 public:
  static Answer<Grouping> read(const api::GroupBy& message, const IndexSchema& schema, std::size_t depth);

  /// Returns true if the scores of what was found make a difference.
  bool by_score() const;
  Answer<api::GroupByResult> result(const FoundList& found, ReadRow read_row) const;

 private:
  struct Sorter {
    enum class By : std::uint8_t { key, count, aggregation };

    By by = By::count;
    bool descending = false;
    std::string aggregation = {};
  };

  Answer<void> read_body(std::string_view body, const IndexSchema& schema, std::size_t depth);
  Answer<void> fill(const api::GroupByField& message, const IndexSchema& schema);
  Answer<void> fill(const api::GroupByRange& message, const IndexSchema& schema);
  Answer<void> fill(const api::GroupByFilter& message, const IndexSchema& schema);
  Answer<void> fill(const api::GroupByGeoDistance& message, const IndexSchema& schema);
  Answer<void> fill(const api::GroupByHistogram& message, const IndexSchema& schema);
  Answer<void> fill(const api::GroupByDateHistogram& message, const IndexSchema& schema);
  Answer<void> fill(const api::GroupByGeoGrid& message, const IndexSchema& schema);
  Answer<void> fill(const api::GroupByComposite& message, const IndexSchema& schema);
  Answer<void> set_field(const std::optional<std::string_view>& name, const IndexSchema& schema);
  Answer<void> set_missing(const std::optional<std::string_view>& variant);
  Answer<void> set_bounds(const std::optional<api::FieldRange>& range);
  Answer<void> check_bounds() const;
  void set_size(const std::optional<std::int32_t>& size);
  Answer<void> set_sort(const std::optional<api::GroupBySort>& sort, Sorter usual);
  template <class Message>
  Answer<void> read_as(std::string_view body, const IndexSchema& schema, std::size_t depth);

  Answer<std::vector<Group>> divide(const FoundList& found) const;
  std::vector<Group> by_value(const FoundList& found) const;
  std::vector<Group> by_cell(const FoundList& found) const;
  Answer<std::string> by_keys(const FoundList& found, ReadRow read_row) const;
  std::vector<FieldValue> keys_of(const Found& found) const;
  std::vector<Group> by_range(const FoundList& found) const;
  std::vector<Group> by_filter(const FoundList& found) const;
  Answer<std::vector<Group>> by_interval(const FoundList& found) const;
  bool is_counted(double number) const;
  FieldValue key_at(double begin) const;
  double begin_of(double number) const;
  double next(double begin) const;
  std::vector<FieldValue> values_of(const Found& found) const;
  void sort(std::vector<Group>& groups) const;
  int order_of(const Sorter& sorter, const Group& a, const Group& b) const;
  Answer<std::string> encode(const std::vector<Group>& groups, ReadRow read_row) const;
  template <class Message>
  Answer<void> add_inner(const Group& group, ReadRow read_row, Message& message) const;
  Answer<void> add_inner_results(const Group& group, ReadRow read_row, api::CompositeGroup& message) const;

  std::string name_;
  api::GroupByType type_ = api::GroupByType::field;
  const Field* field_ = nullptr;
  std::optional<FieldValue> missing_;
  std::vector<Group> ranges_;
  Place origin_;  ///< of distances
  std::vector<Condition> filters_;
  double interval_ = 0;
  double offset_ = 0;
  std::optional<CalendarParts> parts_;
  std::optional<double> least_;  ///< of the values that count
  std::optional<double> most_;
  std::int64_t min_count_ = 1;
  std::size_t size_;
  std::vector<Sorter> sorters_;
  Aggregations aggregations_;
  std::vector<Grouping> groupings_;
  std::size_t depth_ = 0;          ///< of how many others it is inside
  std::size_t precision_ = 0;      ///< characters of the names of cells
  std::vector<Grouping> sources_;  ///< of composite keys
  std::vector<FieldValue> last_;   ///< the composite key that the page begins after
};

using Groupings = std::vector<Grouping>;

/// Makes those that a request asks for. `depth`: of how many others they are inside. The schema must outlive
/// them.
Answer<Groupings> read_groupings(const std::optional<api::GroupBys>& message, const IndexSchema& schema,
                                 std::size_t depth = 0);

Answer<api::GroupBysResult> results_of(const Groupings& groupings, const FoundList& found, ReadRow read_row);

}  // namespace dinette::tablestore::search
