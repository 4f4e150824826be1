#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/function_ref.h"

#include "tablestore/model/row.h"
#include "tablestore/search/field_value.h"
#include "tablestore/search/index_schema.h"

namespace dinette::tablestore::search {

using Vector = std::vector<float>;

/// A row as a search index sees it: the values of its fields, by their whole names. Fields without a value,
/// and those whose column has another type, are missing; virtual ones convert what they can.
struct Document {
  std::string row_key = {};  ///< of the store; empty for one inside others
  std::map<std::string, std::vector<FieldValue>, std::less<>> values = {};
  std::map<std::string, std::vector<Document>, std::less<>> nested = {};  ///< of fields of type NESTED
  std::map<std::string, Vector, std::less<>> vectors = {};                ///< of fields of type VECTOR

  /// Returns the values of a field; none if it is missing.
  const std::vector<FieldValue>& values_of(std::string_view field) const;
};

/// Is given a document inside another one, and its place in its array.
using TestInner = base::FunctionRef<bool(const Document& inner, std::int32_t place)>;

/// Returns true if one of the documents of a field of type NESTED passes a test, which is then the last one.
/// The field may be inside of others of that type: `a.b`.
bool any_inner(const Document& document, std::string_view field, TestInner test);

/// Returns true if a field has a value, or one that is inside of it, of type JSON.
bool has_value(const Document& document, const Field& field);

/// Appends the values of a field, also of one inside others.
void append_values(const Document& document, std::string_view field, std::vector<FieldValue>& values);

/// Returns the document of a row. The newest version of each column counts.
Document document_of(const IndexSchema& schema, const PrimaryKey& key, const Cells& cells);

/// Returns a value of a column, or of a query, as a field has it; nothing if the field has no such values.
std::optional<FieldValue> field_value_of(const Field& field, const Value& value);

/// Returns the vector that a text has: an array of numbers in JSON. Nothing for other texts.
std::optional<Vector> read_vector(std::string_view text);

/// Adds what a text in JSON has for a field that is an array, or of type NESTED or JSON.
void add_json(const Field& field, std::string_view text, Document& document);

}  // namespace dinette::tablestore::search
