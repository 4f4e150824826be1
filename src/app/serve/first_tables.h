#pragma once

#include <functional>
#include <memory>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/dynamodb/service.h"
#include "dinette/lambda/service.h"
#include "dinette/tenancy/worlds.h"

#include "app/options.h"

namespace dinette::app {

/// The server whose default world gets tables. What is passed by reference must outlive them.
struct FirstTablesPlace {
  const Options& options;
  dynamodb::ServiceOptions service;
  lambda::MappingsChanged mappings_changed;  ///< for what polls the streams of event source mappings
  tenancy::Worlds& worlds;
  const base::Clock& clock;
  base::Ids& ids;
};

/// The tables with which a server begins, and what watches the files that describe them, until it is
/// destroyed.
class FirstTables {
 public:
  FirstTables() = default;
  FirstTables(const FirstTables&) = delete;
  FirstTables& operator=(const FirstTables&) = delete;
  virtual ~FirstTables() = default;
};

/// Makes the tables of --tables and, with --watch, begins to watch their files; then imports what --load
/// names, also into these tables. Ends early if `interrupted`. The error is a sentence for the user.
using MakeFirstTables = base::Result<std::unique_ptr<FirstTables>, std::string> (*)(
    const FirstTablesPlace& place, const std::function<bool()>& interrupted);

/// Returns true if the options name tables with which the server begins.
inline bool has_first_tables(const Options& options) {
  return !options.load_folder.empty() || !options.definitions.files.empty();
}

}  // namespace dinette::app
