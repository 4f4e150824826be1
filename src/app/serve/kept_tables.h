#pragma once

#include <functional>
#include <string>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/base/result.h"
#include "dinette/dynamodb/service.h"
#include "dinette/tenancy/worlds.h"

#include "app/options.h"
#include "app/tables/keep_tables.h"
#include "app/transfer/local_operations.h"

namespace dinette::app {

/// The tables of --tables, in the default world of a server.
class KeptTables {
 public:
  /// What is passed by reference must outlive the object.
  KeptTables(const Options& options, const dynamodb::ServiceOptions& service, tenancy::Worlds& worlds,
             const base::Clock& clock, base::Ids& ids);

  /// Makes the tables; with --watch also begins to watch the files, and nothing is an error. Else the error
  /// is for the user.
  base::Result<void, std::string> begin(const std::function<bool()>& interrupted);

 private:
  const bool watches_;
  dynamodb::Service service_;
  LocalOperations operations_;
  TableKeeper keeper_;
};

}  // namespace dinette::app
