#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/result.h"

#include "app/transfer/transfer.h"

namespace dinette::app {

// What a DynamoDB says about its tables. All errors are sentences for the user.

/// The type of the error with which a server answers an operation that it does not have.
inline constexpr std::string_view unknown_operation = "UnknownOperationException";

/// Returns the output of an operation, or an empty text if the server does not have it.
base::Result<std::string, std::string> output_if_known(const Transfer& transfer, std::string_view operation,
                                                       std::string_view request);

/// Returns the names of all tables.
base::Result<std::vector<std::string>, std::string> all_tables(const Transfer& transfer);

/// Asks for what DescribeTable does not say, and returns the file from which the table can be created again
/// (item_files/table_file.h). `description`: the output of DescribeTable.
base::Result<std::string, std::string> table_file_of(const Transfer& transfer, const std::string& table,
                                                     const std::string& description);

}  // namespace dinette::app
