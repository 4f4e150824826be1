#pragma once

#include <string>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/definitions/definitions.h"

#include "app/transfer/transfer.h"

namespace dinette::app {

// Tables of a DynamoDB as definitions. All errors are sentences for the user.

/// Reads a table's definition, of which `description` is the output of DescribeTable.
base::Result<definitions::TableDefinition, std::string> definition_of(const Transfer& transfer,
                                                                      const std::string& table,
                                                                      const std::string& description);

/// Reads the definitions of these tables, which must exist; of all if none is named.
base::Result<std::vector<definitions::TableDefinition>, std::string> server_tables(
    const Transfer& transfer, std::vector<std::string> names);

/// Returns the table's ARN, from the output of DescribeTable; empty if there is none.
std::string arn_in(const std::string& description);

}  // namespace dinette::app
