#pragma once

#include <string>
#include <vector>

#include "dinette/definitions/definitions.h"

#include "app/options.h"

namespace dinette::app {

/// Tables in a format, and what it cannot express.
struct ShownTables {
  std::string text;
  std::vector<std::string> left_out;  ///< sentences without a full stop, which name the table
};

/// Writes tables in a format of other tools. What is written means the same tables when it is read again,
/// but for what is left out.
ShownTables show_tables(const std::vector<definitions::TableDefinition>& tables, TableFormat format);

// The writers of the formats.

/// A template of CloudFormation, in YAML.
ShownTables as_cloudformation(const std::vector<definitions::TableDefinition>& tables);
/// Resources of Terraform's and OpenTofu's provider for AWS, in HCL.
ShownTables as_terraform(const std::vector<definitions::TableDefinition>& tables);
/// Commands of the AWS CLI, for a shell.
ShownTables as_commands(const std::vector<definitions::TableDefinition>& tables);
/// A data model of NoSQL Workbench, in JSON.
ShownTables as_workbench(const std::vector<definitions::TableDefinition>& tables);
/// A list of inputs of CreateTable, in JSON, with the members that CloudFormation has in addition.
ShownTables as_requests(const std::vector<definitions::TableDefinition>& tables);

}  // namespace dinette::app
