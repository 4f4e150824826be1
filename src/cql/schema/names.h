#pragma once

#include <string_view>

#include "cql/error.h"

/// Which names may be given (docs/service-keyspaces/grammar.md section 1).
namespace dinette::cql::schema {

Answer<void> check_keyspace_name(std::string_view name);
Answer<void> check_table_name(std::string_view name);
Answer<void> check_user_type_name(std::string_view name);
Answer<void> check_field_name(std::string_view name);

/// Returns true if this looks like the name of a region: "eu-central-1".
bool is_region(std::string_view name);

}  // namespace dinette::cql::schema
