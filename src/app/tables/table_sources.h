#pragma once

#include <string>
#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/options.h"
#include "app/tables/file_stamps.h"

namespace dinette::app {

/// Files of table definitions, and what they leave to those who use them.
struct TableSources {
  std::vector<std::string> files;
  definitions::Surroundings surroundings;
};

/// Returns the files and settings of --tables, or of `dinette tables`. `region`: that of the tables.
TableSources sources_of(const Options& options, const std::string& region);

/// Reads all files; a table that two of them define is an error. Adds to `stamps`, unless it is null, what
/// is read, also the files that they refer to.
definitions::Definitions read_sources(const TableSources& sources, FileStamps* stamps = nullptr);

/// Leaves only the tables, and what is in Amazon Keyspaces, with these names ("shop.baskets") or logical IDs;
/// all if none is named. A name that nothing has is an error.
void select_tables(const std::vector<std::string>& names, definitions::Definitions& definitions);

}  // namespace dinette::app
