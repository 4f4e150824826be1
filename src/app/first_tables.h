#pragma once

#include "app/serve/first_tables.h"

namespace dinette::app {

/// See MakeFirstTables.
base::Result<std::unique_ptr<FirstTables>, std::string> make_first_tables(
    const FirstTablesPlace& place, const std::function<bool()>& interrupted);

}  // namespace dinette::app
