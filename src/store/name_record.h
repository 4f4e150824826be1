#pragma once

#include <cstddef>
#include <string_view>

#include "dinette/base/bytes.h"
#include "dinette/kv/error.h"
#include "dinette/store/catalog.h"

#include "store/stamp.h"

namespace dinette::store {

// What precedes the description in a name record (FORMAT.md).
inline constexpr char name_record_format = 1;  // kept on disk
inline constexpr std::size_t name_record_header_size = 1 + sizeof(TableId) + stamp_size;

/// Returns true if the header of a name record can be read.
inline bool is_name_record(std::string_view record) {
  return record.size() >= name_record_header_size && record.front() == name_record_format;
}

/// Returns the table's id; `record` as is_name_record() admits it.
inline TableId id_in_name_record(std::string_view record) {
  return base::load_big_endian<TableId>(record.data() + 1);
}

}  // namespace dinette::store
