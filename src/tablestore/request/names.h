#pragma once

#include <cstddef>
#include <string_view>

#include "tablestore/request/api_error.h"
#include "tablestore/request/context.h"

/// What names may be (tablestore/names-limits.md section 1). Errors echo the name as it was sent.
namespace dinette::tablestore {

/// Returns how many characters of Unicode a text in UTF-8 has.
std::size_t characters_in(std::string_view text);

/// Returns true for the name of an instance. The words that the service reserves are allowed.
bool is_instance_name(std::string_view name);

/// Of a table or an index.
Answer<void> check_table_name(std::string_view name);
/// Of a column of a primary key, and of a defined column.
Answer<void> check_column_name(std::string_view name);
/// Of an attribute column, which with Switches::loose_names may have nearly any name.
Answer<void> check_attribute_name(std::string_view name, const Switches& switches);

}  // namespace dinette::tablestore
