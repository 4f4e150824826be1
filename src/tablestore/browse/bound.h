#pragma once

#include <deque>
#include <span>
#include <string>

#include "tablestore/model/row.h"
#include "tablestore/model/table_meta.h"
#include "tablestore/request/api_error.h"

namespace dinette::tablestore::browse {

/// A bound of a range whose values are written as texts (RowQuestion::begin): integers in decimal digits,
/// binary values in base64.
class Bound {
 public:
  /// Reads the values of the first columns. Columns without one are `rest`: INF_MIN or INF_MAX. `key`: that
  /// of the table or index; it must outlive the bound.
  static Answer<Bound> read(std::span<const std::string> texts, std::span<const KeyColumnMeta> key,
                            Value rest);

  /// Returns it as a request has it: PlainBuffer.
  std::string encode() const;

 private:
  Answer<Value> value_of(const KeyColumnMeta& column, const std::string& text);

  PrimaryKey columns_;
  std::deque<std::string> bytes_;  ///< that values are views of; they stay where they are
};

}  // namespace dinette::tablestore::browse
