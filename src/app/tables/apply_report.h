#pragma once

#include <string>
#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/tables/applied.h"

namespace dinette::app {

/// Returns the name of an outcome: "created".
std::string_view name_of(AppliedResource::Outcome outcome);

/// Returns what messages call a resource of this kind: "table".
std::string_view noun_of(AppliedResource::Kind kind);

/// Returns what has become of a resource, in lines: "created    dev-plants (Plants): 2 indexes, TTL" and,
/// indented, differences, errors and what was left out.
std::string report_of(const AppliedResource& resource);

/// Returns a difference of a resource from its definition: "BillingMode: A in the table, B in the file".
std::string text_of_difference(const AppliedResource& resource, const Difference& difference);

/// Returns "3 tables: 2 created, 1 unchanged; 1 keyspace: 1 created".
std::string summary_of(const std::vector<AppliedResource>& resources);

/// Returns a line per table for a file of variables, such as `.env`: PLANTS_TABLE=dev-plants. The variable is
/// called after the logical ID.
std::string environment_lines(const std::vector<definitions::TableDefinition>& tables);

/// Returns "template.yaml, line 3: the text".
std::string text_of(const definitions::Note& note);

}  // namespace dinette::app
