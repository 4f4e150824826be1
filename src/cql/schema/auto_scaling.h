#pragma once

#include <cstdint>
#include <string>

#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/schema/schema.h"

/// AUTOSCALING_SETTINGS (docs/service-keyspaces/ddl.md section 3).
namespace dinette::cql::schema {

/// What a table may have per second, of reads and of writes (docs/service-keyspaces/limits.md).
inline constexpr std::int64_t most_capacity_units = 40'000;

/// Sets what a statement says of the scaling of a table, which is kept and shown: nothing scales.
Answer<void> apply_auto_scaling(const grammar::PropertyValue& settings, TableOptions& options);

/// Returns the settings as system_schema_mcs.autoscaling shows them (system-tables.md section 6).
std::string to_text(const AutoScaling& scaling);

}  // namespace dinette::cql::schema
