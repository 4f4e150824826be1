#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cql/error.h"
#include "cql/schema/place.h"
#include "cql/schema/schema.h"

namespace dinette::cql::schema {

/// A row of a system table: a value per column, in the order of Table::columns; null is nullopt.
using VirtualRow = std::vector<std::optional<std::string>>;

/// A table of a system keyspace, whose rows are made when they are read. Immutable; threads share it.
class VirtualTable {
 public:
  virtual ~VirtualTable() = default;

  virtual const Table& description() const = 0;
  /// Returns all rows, in the order of a scan: by token, then by key.
  virtual Answer<std::vector<VirtualRow>> rows(const Place& place) const = 0;
};

}  // namespace dinette::cql::schema
