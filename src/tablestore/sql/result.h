#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tablestore/sql/sql_value.h"

namespace dinette::tablestore::sql {

/// The types of columns of results, with the numbers of the API (tablestore/sql.md sections 1 and 4); those
/// of dates and times are, in the API, one that is complex, and which one it is.
enum class ResultType : std::uint8_t {
  none = 0,
  whole = 1,
  boolean = 2,
  real = 3,
  text = 4,
  bytes = 5,
  datetime,
  date,
  time
};

struct ResultColumn {
  std::string name;
  ResultType type = ResultType::text;
  std::vector<SqlValue> values = {};  ///< of the type, or NULL
};

/// What a statement returns: columns, all with as many values.
using Result = std::vector<ResultColumn>;

/// Returns the bytes that clients read: SQLResponseColumns of FlatBuffers.
std::string encode(const Result& result);

/// Returns the type of a value; that of NULL is none.
ResultType type_of(const SqlValue& value);

/// Returns a value as one of a type.
SqlValue converted(const SqlValue& value, ResultType type);

}  // namespace dinette::tablestore::sql
