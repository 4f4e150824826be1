#pragma once

#include <string>
#include <vector>

#include "app/tables/table_difference.h"

namespace dinette::app {

/// What becomes of a table that exists and differs from its definition. What cannot be replaced without harm
/// to others, a keyspace, a type or a trigger, is updated where tables are replaced.
enum class OnDifference {
  keep,    ///< its differences are reported
  skip,    ///< it is not even compared
  update,  ///< it is changed as far as the service can change a table
  replace  ///< it is deleted with its items and created
};

struct ApplySettings {
  OnDifference existing = OnDifference::keep;
  bool prune = false;  ///< tables of DynamoDB that nothing defines are deleted, unless there are errors
};

/// What has become of something that files define.
struct AppliedResource {
  enum class Kind { table, keyspace, type, keyspaces_table, trigger };
  enum class Outcome { created, unchanged, differs, updated, replaced, skipped, deleted, failed };

  Kind kind = Kind::table;
  std::string id;    ///< what its file calls it
  std::string name;  ///< "dev-plants", "shop.baskets", "On: plants -> on-plant"
  Outcome outcome = Outcome::failed;
  std::vector<std::string> parts;       ///< of what was created: "2 indexes", "stream", "TTL", "3 items"
  std::vector<Difference> differences;  ///< from its definition, before anything was done
  std::vector<std::string> remarks;     ///< what the server does not have, and was left out
  std::vector<std::string> errors;      ///< sentences; not empty if it failed
};

/// Returns true if it is now as it is defined, except for what the server does not have.
bool is_as_defined(const AppliedResource& resource);

}  // namespace dinette::app
