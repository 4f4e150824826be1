#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tablestore/table.h"

/// A table with a search index, and what clients send to it.
namespace dinette::tablestore::test {

/// A query, and the bytes that its message is a view of.
struct QueryText {
  api::QueryType type = api::QueryType::match_all;
  std::string body = {};

  api::Query message() const { return {.type = type, .query = body}; }
};

template <class Body>
QueryText query_of(api::QueryType type, const Body& body) {
  return {type, codec::encode_message(body)};
}

/// Returns a value as queries have it.
std::string variant(const Value& value);

inline QueryText everything() {
  return {};
}
QueryText term(std::string_view field, const Value& value);
QueryText terms(std::string_view field, const std::vector<Value>& values);
/// Bounds are inclusive or not; infinite ones are none.
QueryText range(std::string_view field, const Value& from, bool with_from, const Value& to, bool with_to);
QueryText match(std::string_view field, std::string_view text, api::MatchQuery more = {});
QueryText nested(std::string_view path, const QueryText& inner);

/// The parts of a bool query.
struct Junction {
  std::vector<QueryText> must = {};
  std::vector<QueryText> must_not = {};
  std::vector<QueryText> filter = {};
  std::vector<QueryText> should = {};
  std::optional<std::int32_t> least = {};
};
QueryText junction(const Junction& parts);

// Columns of rows.

inline CellChange whole(std::string_view name, std::int64_t number) {
  return {.name = name, .value = Value::integer(number)};
}
inline CellChange real(std::string_view name, double number) {
  return {.name = name, .value = Value::real(number)};
}
inline CellChange truth(std::string_view name, bool value) {
  return {.name = name, .value = Value::boolean(value)};
}
inline CellChange words(std::string_view name, std::string_view value) {
  return {.name = name, .value = Value::string(value)};
}

/// A field of an index, with the bytes that its message is a view of.
struct FieldText {
  std::string name = {};
  api::FieldType type = api::FieldType::keyword;
  bool is_array = false;
  std::vector<FieldText> inner = {};
  std::string analyzer = {};
  std::string source = {};  ///< of a virtual field
  std::string format = {};  ///< of a date
  bool indexed = true;
  std::int32_t dimension = 0;  ///< of a vector
  api::VectorMetric metric = api::VectorMetric::euclidean;
  std::string analyzer_parameter = {};         ///< the message AnalyzerParameter, or that of another analyzer
  std::vector<std::string> more_formats = {};  ///< of a date, after `format`
  std::optional<bool> sortable = {};
  std::optional<bool> highlighted = {};
  std::optional<api::JsonType> json_type = {};
};
/// Returns the message IndexSchema.
std::string schema_of(const std::vector<FieldText>& fields);

/// The parts of a search that tests use.
struct SearchMore {
  std::optional<std::int32_t> offset = {};
  std::optional<std::int32_t> limit = {};
  std::string sort = {};
  std::string token = {};
  std::string collapse = {};
  std::optional<QueryText> filter = {};
  std::optional<api::Highlight> highlight = {};
  std::string aggregations = {};  ///< the message Aggregations
  std::string groupings = {};     ///< the message GroupBys
  std::optional<std::int32_t> track_total_count = {};
  std::optional<bool> get_total_count = {};  ///< of earlier clients
  api::ColumnReturnType columns = api::ColumnReturnType::none;
  std::vector<std::string_view> names = {};
};

/// Returns the message Sort that orders by a field.
std::string sort_by(std::string_view field, api::SortOrder order = api::SortOrder::asc,
                    std::optional<Value> missing = {});

/// A table `T` with the search index `I`.
class Searched {
 public:
  /// `index_sort`: the message Sort that the index is sorted by; empty: none.
  explicit Searched(const std::vector<FieldText>& fields, std::string_view index_sort = {});

  Server& server() { return server_; }
  Table& table() { return table_; }
  void put(std::int64_t gid, const std::vector<CellChange>& cells) { table_.put(key(gid, "a"), cells); }

  std::optional<api::SearchResponse> response(const QueryText& query, const SearchMore& more = {});
  /// Returns the `gid` of the rows that are found, in their order: "1 3"; an error as "code: message".
  std::string find(const QueryText& query, const SearchMore& more = {});
  std::string refusal(const QueryText& query, const SearchMore& more = {});

 private:
  Reply send(const QueryText& query, const SearchMore& more);

  Server server_;
  Table table_{server_};
};

}  // namespace dinette::tablestore::test
