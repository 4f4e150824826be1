#pragma once

#include <string_view>

#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// An entry of an index of vectors: what is searched, which needs no parsing, and what is answered
/// (src/dynamodb/FORMAT.md). Views of the entry.
struct VectorEntry {
  std::string_view floats;  ///< four bytes each, lowest byte first
  std::string_view record;  ///< of the projected attributes without the vector
};

/// Both are empty if the entry is too short to be one.
VectorEntry parts_of(const VectorSchema& vector, std::string_view entry);

/// Returns the record in an entry of any index.
std::string_view record_in_entry(const IndexSchema& index, std::string_view entry);

}  // namespace dinette::dynamodb
