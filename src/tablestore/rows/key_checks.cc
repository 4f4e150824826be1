#include "tablestore/rows/key_checks.h"

#include <cstdint>

#include "tablestore/api/limits.h"
#include "tablestore/api/refusals.h"

namespace dinette::tablestore {
namespace {

Answer<void> check_key_type(const Value& value, KeyUse use) {
  switch (value.type()) {
    case ValueType::integer:
    case ValueType::string:
    case ValueType::binary:
      return {};
    case ValueType::inf_min:
    case ValueType::inf_max:
      if (use == KeyUse::bound) return {};
      break;
    case ValueType::auto_increment:
      if (use == KeyUse::write) return {};
      if (use == KeyUse::removal) return refuse::auto_increment_in_delete();
      return refuse::auto_increment_in_read();
    default:
      break;
  }
  return refuse::invalid_key_type(name_of(value.type()));
}

/// Returns true if a value may be in a column, or take the place of its value there.
bool fits(const Value& value, const KeyColumnMeta& column) {
  if (value.is_infinite()) return true;
  if (value.type() == ValueType::auto_increment) return column.auto_increment;
  return value.type() == column.type;
}

}  // namespace

Answer<void> check_key(const PrimaryKey& key, KeyUse use, std::size_t most) {
  if (key.empty()) return refuse::empty_key();
  if (key.size() > most) return refuse::wrong_number_of_key_columns();
  for (const KeyColumn& column : key) {
    DINETTE_CHECK(check_key_type(column.value, use));
    const std::size_t length = column.value.bytes().size();
    if (length > limits::primary_key_value_bytes)
      return refuse::key_value_too_long(column.name, limits::primary_key_value_bytes,
                                        static_cast<std::int64_t>(length));
  }
  return {};
}

Answer<void> check_key_fits(const PrimaryKey& key, std::span<const KeyColumnMeta> columns) {
  if (key.size() != columns.size())
    return refuse::wrong_key_size(static_cast<std::int64_t>(key.size()),
                                  static_cast<std::int64_t>(columns.size()));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (key[i].name != columns[i].name) return refuse::wrong_key_name(key[i].name, columns[i].name);
    if (fits(key[i].value, columns[i])) continue;
    if (key[i].value.type() == ValueType::auto_increment)
      return refuse::invalid_key_type(name_of(ValueType::auto_increment));
    return refuse::wrong_key_type(name_of(key[i].value.type()), name_of(columns[i].type));
  }
  return {};
}

}  // namespace dinette::tablestore
