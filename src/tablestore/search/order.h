#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/request/api_error.h"
#include "tablestore/search/document.h"
#include "tablestore/search/places.h"
#include "tablestore/search/query.h"

namespace dinette::tablestore::search {

/// What a document is ordered by: a value per sorter that has values, or nothing for a missing one.
using SortValues = std::vector<std::optional<FieldValue>>;

/// A document that a query has found, in its place among others.
struct Hit {
  std::string row_key;  ///< of the store
  SortValues values = {};
  double score = 1;
};

/// The order of what a search finds (tablestore/search-index.md section 1): by sorters, and then by primary
/// key. The schema must outlive it.
class Order {
 public:
  /// Reads a message Sort; an empty one is the order of keys.
  static Answer<Order> read(std::string_view sort, const IndexSchema& schema);
  static Answer<Order> read(const api::Sort& sort, const IndexSchema& schema);

  SortValues values_of(const Document& document, double score = 1) const;
  bool precedes(const Hit& a, const Hit& b) const { return order_of(a, b) < 0; }
  /// Returns how many values a hit has.
  std::size_t size() const;
  bool by_score() const;

 private:
  struct Sorter {
    enum class Kind : std::uint8_t { field, distance, score, key };
    enum class Missing : std::uint8_t { last, first, replaced };

    Kind kind = Kind::key;
    bool descending = false;
    api::SortMode mode = api::SortMode::min;
    const Field* field = nullptr;
    std::string nested_path = {};  ///< of a field inside others; empty: of the document itself
    Condition nested_filter = {};  ///< which of these count; empty: all
    Missing missing = Missing::last;
    std::optional<FieldValue> missing_value = {};
    const Field* missing_field = nullptr;
    std::vector<Place> places = {};  ///< of one by distance
  };

  Answer<void> add(const api::FieldSort& sort, const IndexSchema& schema);
  Answer<void> add(const api::GeoDistanceSort& sort, const IndexSchema& schema);
  static std::optional<FieldValue> value_of(const Sorter& sorter, const Document& document);
  static int order_of(const Sorter& sorter, const std::optional<FieldValue>& a,
                      const std::optional<FieldValue>& b);
  int order_of(const Hit& a, const Hit& b) const;

  std::vector<Sorter> sorters_;
};

}  // namespace dinette::tablestore::search
