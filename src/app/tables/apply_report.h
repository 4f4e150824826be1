#pragma once

#include <string>
#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/tables/apply_tables.h"

namespace dinette::app {

/// Returns the name of an outcome: "created".
std::string_view name_of(AppliedTable::Outcome outcome);

/// Returns what has become of a table, in lines: "created    dev-plants (Plants): 2 indexes, TTL" and,
/// indented, differences, errors and what was left out.
std::string report_of(const AppliedTable& table);

/// Returns "3 tables: 2 created, 1 unchanged".
std::string summary_of(const std::vector<AppliedTable>& tables);

/// Returns a line per table for a file of variables, such as `.env`: PLANTS_TABLE=dev-plants. The variable is
/// called after the logical ID.
std::string environment_lines(const std::vector<definitions::TableDefinition>& tables);

/// Returns lines about what the files define and nothing serves: triggers, and seeds, which are for
/// `dinette import`.
std::vector<std::string> lines_of_unserved(const definitions::Definitions& definitions);

/// Returns "template.yaml, line 3: the text".
std::string text_of(const definitions::Note& note);

}  // namespace dinette::app
