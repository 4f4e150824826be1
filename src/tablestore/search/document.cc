#include "tablestore/search/document.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <system_error>

#include "tablestore/filters/filter.h"
#include "tablestore/plainbuffer/byte_reader.h"
#include "tablestore/rows/row_key.h"
#include "tablestore/search/dates.h"
#include "tablestore/search/places.h"

namespace dinette::tablestore::search {
namespace {

/// Returns the value of a column, or null.
const Value* find_value(const PrimaryKey& key, const Cells& cells, std::string_view column) {
  const auto in_key = std::ranges::find(key, column, &KeyColumn::name);
  if (in_key != key.end()) return &in_key->value;
  const auto versions = cells_of(cells, column);
  return versions.empty() ? nullptr : &versions.front().value;
}

/// Returns true if a field is inside of another one, both by their whole names.
bool is_inside(std::string_view field, std::string_view outer) {
  return field.starts_with(outer) && field.substr(outer.size()).starts_with('.');
}

/// Returns the numbers of single precision that bytes have, the lowest byte first. Nothing for other bytes.
std::optional<Vector> unpacked_vector(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  Vector vector;
  plainbuffer::ByteReader reader(bytes);
  while (!reader.at_end()) {
    const auto bits = reader.number<std::uint32_t>();
    if (!bits) return std::nullopt;
    vector.push_back(std::bit_cast<float>(*bits));
  }
  return vector;
}

/// A vector is a text in JSON, or bytes (tablestore/search-index.md section 2).
std::optional<Vector> vector_of(const Value& value) {
  if (value.type() == ValueType::string) return read_vector(value.bytes());
  if (value.type() == ValueType::binary) return unpacked_vector(value.bytes());
  return std::nullopt;
}

void add_vector(const Field& field, const Value& value, Document& document) {
  auto vector = vector_of(value);
  const bool fits =
      vector && (field.dimension == 0 || static_cast<std::size_t>(field.dimension) == vector->size());
  if (fits) document.vectors[field.name] = *std::move(vector);
}

/// Returns the number that a text is, whole; nothing for other texts.
template <class Number>
std::optional<FieldValue> number_read_from(std::string_view text) {
  Number number{};
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = read.ec == std::errc() && read.ptr == text.data() + text.size();
  if (!is_number || !std::isfinite(static_cast<double>(number))) return std::nullopt;
  return number;
}

/// Returns a value of a column as a virtual field has it, which may be of another type: a number as a text, a
/// text as the number that it is (tablestore/search-index.md section 2).
std::optional<FieldValue> converted_value(const Field& field, const Value& value) {
  auto own = field_value_of(field, value);
  if (own) return own;
  switch (field.type) {
    case api::FieldType::keyword:
    case api::FieldType::fuzzy_keyword:
    case api::FieldType::text:
      if (value.type() == ValueType::integer) return text_of(FieldValue(value.as_integer()));
      if (value.type() == ValueType::real) return text_of(FieldValue(value.as_real()));
      return std::nullopt;
    case api::FieldType::long_:
      return value.type() == ValueType::string ? number_read_from<std::int64_t>(value.bytes()) : std::nullopt;
    case api::FieldType::double_:
      return value.type() == ValueType::string ? number_read_from<double>(value.bytes()) : std::nullopt;
    default:
      return std::nullopt;
  }
}

void add_value(const Field& field, const Value& value, Document& document) {
  const bool is_json =
      field.is_array || field.type == api::FieldType::nested || field.type == api::FieldType::json;
  if (is_json) {
    if (value.type() == ValueType::string) add_json(field, value.bytes(), document);
    return;
  }
  if (field.type == api::FieldType::vector) return add_vector(field, value, document);
  auto one = field.sources.empty() ? field_value_of(field, value) : converted_value(field, value);
  if (one) document.values[field.name].push_back(*std::move(one));
}

std::optional<FieldValue> date_of(const Field& field, const Value& value) {
  if (value.type() == ValueType::integer) return read_epoch(value.as_integer(), field.date_formats);
  if (value.type() != ValueType::string) return std::nullopt;
  if (const auto date = read_date(value.bytes(), field.date_formats)) return *date;
  return std::nullopt;
}

std::optional<FieldValue> address_of(const Value& value) {
  if (value.type() != ValueType::string) return std::nullopt;
  if (const auto address = read_ip_address(value.bytes())) return *address;
  return std::nullopt;
}

std::optional<FieldValue> string_of(const Value& value) {
  if (value.type() != ValueType::string) return std::nullopt;
  return std::string(value.bytes());
}

}  // namespace

const std::vector<FieldValue>& Document::values_of(std::string_view field) const {
  static const std::vector<FieldValue> none;
  const auto found = values.find(field);
  return found == values.end() ? none : found->second;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
bool any_inner(const Document& document, std::string_view field, TestInner test) {
  for (const auto& [path, documents] : document.nested) {
    const bool is_outer = is_inside(field, path);
    if (path != field && !is_outer) continue;
    std::int32_t place = 0;
    for (const Document& inner : documents)
      if (is_outer ? any_inner(inner, field, test) : test(inner, place++)) return true;
  }
  return false;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as fields may be inside others
bool has_value(const Document& document, const Field& field) {
  if (!document.values_of(field.name).empty() || document.nested.contains(field.name) ||
      document.vectors.contains(field.name))
    return true;
  return field.type == api::FieldType::json &&
         std::ranges::any_of(field.fields, [&](const Field& inner) { return has_value(document, inner); });
}

// NOLINTNEXTLINE(misc-no-recursion)
void append_values(const Document& document, std::string_view field, std::vector<FieldValue>& values) {
  const std::vector<FieldValue>& own = document.values_of(field);
  values.insert(values.end(), own.begin(), own.end());
  for (const auto& [path, inner] : document.nested)
    if (is_inside(field, path))
      for (const Document& one : inner) append_values(one, field, values);
}

Document document_of(const IndexSchema& schema, const PrimaryKey& key, const Cells& cells) {
  Document document{.row_key = encode_key(key)};
  for (const Field& field : schema.fields())
    if (const Value* const value = find_value(key, cells, field.source())) add_value(field, *value, document);
  return document;
}

std::optional<FieldValue> field_value_of(const Field& field, const Value& value) {
  switch (field.type) {
    case api::FieldType::long_:
      if (value.type() == ValueType::integer) return value.as_integer();
      return std::nullopt;
    case api::FieldType::double_:
      if (value.type() == ValueType::real) return value.as_real();
      if (value.type() == ValueType::integer) return static_cast<double>(value.as_integer());
      return std::nullopt;
    case api::FieldType::boolean:
      if (value.type() == ValueType::boolean) return value.as_boolean();
      return std::nullopt;
    case api::FieldType::date:
      return date_of(field, value);
    case api::FieldType::geo_point:
      if (value.type() != ValueType::string || !read_place(value.bytes())) return std::nullopt;
      return std::string(value.bytes());
    case api::FieldType::ip:
      return address_of(value);
    default:
      return string_of(value);
  }
}

}  // namespace dinette::tablestore::search
