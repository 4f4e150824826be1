#include "tablestore/search/aggregations.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"
#include "tablestore/codec/field_reader.h"
#include "tablestore/codec/field_writer.h"
#include "tablestore/plainbuffer/variant.h"

namespace dinette::tablestore::search {
namespace {

using api::AggregationType;
using api::FieldType;

/// Returns the word of a type in messages.
std::string_view word_of(AggregationType type) {
  switch (type) {
    case AggregationType::avg:
      return "avg";
    case AggregationType::max:
      return "max";
    case AggregationType::min:
      return "min";
    case AggregationType::sum:
      return "sum";
    case AggregationType::count:
      return "count";
    case AggregationType::distinct_count:
      return "distinct count";
    case AggregationType::top_rows:
      return "top rows";
    case AggregationType::percentiles:
      return "percentiles";
  }
  return "";
}

bool counts(AggregationType type) {
  return type == AggregationType::count || type == AggregationType::distinct_count;
}

Answer<void> check_type(AggregationType type, const Field& field) {
  const bool number =
      field.type == FieldType::long_ || field.type == FieldType::double_ || field.type == FieldType::date;
  const bool counted = field.type == FieldType::boolean || field.type == FieldType::keyword ||
                       field.type == FieldType::geo_point;
  if (number || (counts(type) && counted)) return {};
  const std::string_view allowed =
      counts(type) ? "long, double, boolean, keyword, geo_point" : "long, double";
  return refuse::invalid_aggregation_type(word_of(type), field.name, name_of(field.type), allowed);
}

std::string variant_of(const FieldValue& value) {
  std::string variant;
  if (const auto* const whole = std::get_if<std::int64_t>(&value))
    plainbuffer::append_variant(variant, Value::integer(*whole));
  else
    plainbuffer::append_variant(variant, Value::real(number_of(value).value_or(0)));
  return variant;
}

double sum_of(const std::vector<FieldValue>& values) {
  double sum = 0;
  for (const FieldValue& value : values) sum += number_of(value).value_or(0);
  return sum;
}

}  // namespace

Answer<Aggregation> Aggregation::read(const api::Aggregation& message, const IndexSchema& schema) {
  if (!message.type) return refuse::aggregation_not_served();
  Aggregation read;
  read.name_ = message.name.value_or(std::string_view());
  read.type_ = *message.type;
  DINETTE_CHECK(read.read_body(message.body.value_or(std::string_view()), schema));
  return read;
}

Answer<void> Aggregation::read_body(std::string_view body, const IndexSchema& schema) {
  if (type_ == AggregationType::top_rows) return read_top_rows(body, schema);
  if (type_ == AggregationType::percentiles) return read_percentiles(body, schema);
  const auto message = codec::decode_message<api::FieldAggregation>(body);
  if (!message) return refuse::unreadable_message();
  return set_field(message->field_name, message->missing, schema);
}

Answer<void> Aggregation::read_percentiles(std::string_view body, const IndexSchema& schema) {
  const auto message = codec::decode_message<api::PercentilesAggregation>(body);
  if (!message) return refuse::unreadable_message();
  percentiles_ = message->percentiles;
  for (const double percentile : percentiles_)
    if (!(percentile >= 0 && percentile <= 100)) return refuse::invalid_percentile();
  return set_field(message->field_name, message->missing_value, schema);
}

Answer<void> Aggregation::read_top_rows(std::string_view body, const IndexSchema& schema) {
  const auto message = codec::decode_message<api::TopRowsAggregation>(body);
  if (!message) return refuse::unreadable_message();
  limit_ = static_cast<std::size_t>(std::clamp(message->limit.value_or(1), 0, limits::search_page));
  DINETTE_TRY(order_, Order::read(message->sort.value_or(api::Sort()), schema));
  return {};
}

Answer<void> Aggregation::set_field(const std::optional<std::string_view>& name,
                                    const std::optional<std::string_view>& missing,
                                    const IndexSchema& schema) {
  const std::string_view asked = name.value_or(std::string_view());
  if (type_ == AggregationType::count && asked == "*") return {};  // rows, and no values of a field
  field_ = schema.find(asked);
  if (field_ == nullptr) return refuse::no_such_aggregation_field(word_of(type_), asked);
  DINETTE_CHECK(check_type(type_, *field_));
  DINETTE_CHECK(check_sortable(*field_, std::string(word_of(type_)) + " agg"));
  if (!missing) return {};
  DINETTE_TRY(const Value value, plainbuffer::decode_variant(*missing));
  missing_ = field_value_of(*field_, value);
  return {};
}

std::vector<FieldValue> Aggregation::values_of(const FoundList& found) const {
  std::vector<FieldValue> values;
  for (const Found* const one : found) {
    const std::size_t before = values.size();
    append_values(one->document, field_->name, values);
    if (values.size() == before && missing_) values.push_back(*missing_);
  }
  return values;
}

std::optional<double> Aggregation::number(const FoundList& found) const {
  if (type_ == AggregationType::count && field_ == nullptr) return static_cast<double>(found.size());
  if (field_ == nullptr) return std::nullopt;
  const std::vector<FieldValue> values = values_of(found);
  if (type_ == AggregationType::count) return static_cast<double>(values.size());
  if (type_ == AggregationType::distinct_count)
    return static_cast<double>(std::set<FieldValue, LessValue>(values.begin(), values.end()).size());
  if (type_ == AggregationType::sum) return sum_of(values);
  if (values.empty()) return std::nullopt;
  switch (type_) {
    case AggregationType::avg:
      return sum_of(values) / static_cast<double>(values.size());
    case AggregationType::max:
      return number_of(*std::ranges::max_element(values, LessValue()));
    case AggregationType::min:
      return number_of(*std::ranges::min_element(values, LessValue()));
    default:
      return std::nullopt;
  }
}

Answer<api::AggregationResult> Aggregation::result(const FoundList& found, ReadRow read_row) const {
  api::AggregationResult result{.name = name_, .type = type_};
  if (type_ == AggregationType::top_rows) {
    DINETTE_TRY(result.agg_result, top_rows_of(found, read_row));
  } else if (type_ == AggregationType::percentiles) {
    result.agg_result = percentiles_of(found);
  } else if (const auto value = number(found); counts(type_)) {
    result.agg_result = codec::encode_message(api::CountResult{static_cast<std::int64_t>(value.value_or(0))});
  } else {
    result.agg_result = codec::encode_message(api::DoubleResult{value});
  }
  return result;
}

/// The value at the rank next to the part of all values.
std::string Aggregation::percentiles_of(const FoundList& found) const {
  std::vector<FieldValue> values = values_of(found);
  std::ranges::sort(values, LessValue());
  api::PercentilesResult result;
  for (const double percentile : percentiles_) {
    if (values.empty()) break;
    const auto rank =
        static_cast<std::size_t>(std::ceil(percentile / 100 * static_cast<double>(values.size())));
    const FieldValue& value = values[rank == 0 ? 0 : std::min(rank, values.size()) - 1];
    result.percentiles_aggregation_items.push_back({.key = percentile, .value = variant_of(value)});
  }
  return codec::encode_message(result);
}

Answer<std::string> Aggregation::top_rows_of(const FoundList& found, ReadRow read_row) const {
  std::vector<Hit> hits;
  for (const Found* const one : found)
    hits.push_back({one->document.row_key, order_.values_of(one->document, one->score)});
  const std::size_t most = std::min(limit_, hits.size());
  std::ranges::partial_sort(hits, hits.begin() + static_cast<std::ptrdiff_t>(most),
                            [&](const Hit& a, const Hit& b) { return order_.precedes(a, b); });
  api::TopRowsResult result;
  for (std::size_t i = 0; i < most; ++i) {
    DINETTE_TRY(std::string row, read_row(hits[i].row_key));
    result.rows.push_back(std::move(row));
  }
  return codec::encode_message(result);
}

Answer<Aggregations> read_aggregations(const std::optional<api::Aggregations>& message,
                                       const IndexSchema& schema) {
  Aggregations aggregations;
  if (!message) return aggregations;
  if (message->aggs.size() > limits::aggregations) return refuse::too_many_aggregations(limits::aggregations);
  for (const api::Aggregation& one : message->aggs) {
    DINETTE_TRY(Aggregation aggregation, Aggregation::read(one, schema));
    aggregations.push_back(std::move(aggregation));
  }
  return aggregations;
}

Answer<api::AggregationsResult> results_of(const Aggregations& aggregations, const FoundList& found,
                                           ReadRow read_row) {
  api::AggregationsResult results;
  for (const Aggregation& aggregation : aggregations) {
    DINETTE_TRY(api::AggregationResult result, aggregation.result(found, read_row));
    results.agg_results.push_back(std::move(result));
  }
  return results;
}

}  // namespace dinette::tablestore::search
