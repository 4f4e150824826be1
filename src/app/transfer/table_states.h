#pragma once

#include <optional>
#include <string>

#include "dinette/base/result.h"

#include "app/transfer/transfer.h"

namespace dinette::app {

// The states of tables, and waiting for them. All errors are sentences for the user.

/// Returns the output of DescribeTable; nothing if there is no such table.
base::Result<std::optional<std::string>, std::string> describe_if_there(const Transfer& transfer,
                                                                        const std::string& table);

/// Returns when the table and all of its indexes are ACTIVE.
base::Result<void, std::string> wait_until_active(const Transfer& transfer, const std::string& table);

/// Returns when there is no such table.
base::Result<void, std::string> wait_until_gone(const Transfer& transfer, const std::string& table);

}  // namespace dinette::app
