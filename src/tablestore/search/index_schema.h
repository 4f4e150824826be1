#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/api/enums.h"
#include "tablestore/request/api_error.h"
#include "tablestore/search/analysis.h"

namespace dinette::tablestore::search {

/// A field of a search index, made from the column of its name, or, if it is virtual, from another one.
struct Field {
  std::string name;  ///< with those of the fields that it is inside of: `a`, `a.b`
  /// One of type JSON whose objects are documents of their own is NESTED here: it is queried as such.
  api::FieldType type = api::FieldType::keyword;
  bool is_array = false;
  bool indexed = true;   ///< queries may use it
  bool sortable = true;  ///< sorters, aggregations, groupings and collapse may use it
  bool highlighted = false;
  std::vector<std::string> sources = {};
  std::vector<std::string> date_formats = {};
  Analyzer analyzer = {};
  std::int32_t dimension = 0;  ///< of one of type VECTOR; 0: any
  api::VectorMetric metric = api::VectorMetric::euclidean;
  std::vector<Field> fields = {};  ///< of one of type NESTED or JSON

  /// Returns the name without those of outer fields.
  std::string_view own_name() const;
  /// Returns the column that it is made from.
  std::string_view source() const { return sources.empty() ? own_name() : std::string_view(sources.front()); }
};

/// The schema of a search index.
class IndexSchema {
 public:
  /// Reads a message IndexSchema, and checks it.
  static Answer<IndexSchema> read(std::string_view message);

  const std::vector<Field>& fields() const { return fields_; }
  /// Returns the field of a whole name, or null.
  const Field* find(std::string_view name) const;
  /// The same of a field that queries may use; fails if it is none.
  Answer<const Field*> find_indexed(std::string_view name) const;

 private:
  std::vector<Field> fields_;
};

/// Fails if sorters and aggregations may not use the field: texts, and those for which clients have switched
/// it off. `part` is what asks for it, as the text says (tablestore/search-index.md section 2).
Answer<void> check_sortable(const Field& field, std::string_view part);

/// Returns the name of a type as messages have it, such as `keyword`.
std::string_view name_of(api::FieldType type);

}  // namespace dinette::tablestore::search
