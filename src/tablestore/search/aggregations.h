#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/search/found.h"
#include "tablestore/search/order.h"

namespace dinette::tablestore::search {

/// One number, or a few rows, that sum up what was found (tablestore/search-index.md sections 1 and 2).
class Aggregation {
 public:
  static Answer<Aggregation> read(const api::Aggregation& message, const IndexSchema& schema);

  const std::string& name() const { return name_; }
  /// Returns true if the scores of what was found make a difference.
  bool by_score() const { return order_.by_score(); }
  Answer<api::AggregationResult> result(const FoundList& found, ReadRow read_row) const;
  /// Returns the result if it is a number, and there is one.
  std::optional<double> number(const FoundList& found) const;

 private:
  Answer<void> read_body(std::string_view body, const IndexSchema& schema);
  Answer<void> read_percentiles(std::string_view body, const IndexSchema& schema);
  Answer<void> read_top_rows(std::string_view body, const IndexSchema& schema);
  Answer<void> set_field(const std::optional<std::string_view>& name,
                         const std::optional<std::string_view>& missing, const IndexSchema& schema);
  std::vector<FieldValue> values_of(const FoundList& found) const;
  std::string percentiles_of(const FoundList& found) const;
  Answer<std::string> top_rows_of(const FoundList& found, ReadRow read_row) const;

  std::string name_;
  api::AggregationType type_ = api::AggregationType::count;
  const Field* field_ = nullptr;       ///< null: of top rows, and where rows are counted
  std::optional<FieldValue> missing_;  ///< of documents without a value
  std::vector<double> percentiles_;
  std::size_t limit_ = 1;  ///< of top rows
  Order order_;            ///< of top rows
};

using Aggregations = std::vector<Aggregation>;

/// Makes those that a request asks for, of which there may be a few. The schema must outlive them.
Answer<Aggregations> read_aggregations(const std::optional<api::Aggregations>& message,
                                       const IndexSchema& schema);

Answer<api::AggregationsResult> results_of(const Aggregations& aggregations, const FoundList& found,
                                           ReadRow read_row);

}  // namespace dinette::tablestore::search
