#pragma once

#include <string>
#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/tables/table_difference.h"
#include "app/transfer/transfer.h"

namespace dinette::app {

/// What becomes of a table that exists and differs from its definition.
enum class OnDifference {
  keep,    ///< its differences are reported
  skip,    ///< it is not even compared
  update,  ///< it is changed as far as the service can change a table
  replace  ///< it is deleted with its items and created
};

struct ApplySettings {
  OnDifference existing = OnDifference::keep;
  bool prune = false;  ///< tables that nothing defines are deleted, unless there are errors
};

/// What has become of a table.
struct AppliedTable {
  enum class Outcome { created, unchanged, differs, updated, replaced, skipped, deleted, failed };

  std::string id;  ///< what its file calls it
  std::string name;
  Outcome outcome = Outcome::failed;
  std::vector<std::string> parts;       ///< of what was created: "2 indexes", "stream", "TTL", "3 items"
  std::vector<Difference> differences;  ///< of the table and its definition, before anything was done
  std::vector<std::string> remarks;     ///< what the server does not have, and was left out
  std::vector<std::string> errors;      ///< sentences; not empty if it failed
};

/// Returns true if the table is now as it is defined, but for what the server does not have.
bool is_as_defined(const AppliedTable& table);

/// Makes the tables of definitions, one after the other: creates each, waits until it is active, writes its
/// items, then calls what follows. Only new tables get items. A table that fails does not hinder the others.
std::vector<AppliedTable> apply_tables(const Transfer& transfer, const definitions::Definitions& definitions,
                                       const ApplySettings& settings);

}  // namespace dinette::app
