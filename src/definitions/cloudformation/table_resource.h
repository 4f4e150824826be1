#pragma once

#include <string>

#include "dinette/definitions/definitions.h"

namespace dinette::definitions::cloudformation {

/// A table of a template, evaluated.
struct TableResource {
  std::string id;    ///< the logical ID
  std::string name;  ///< the table's
  Node properties;   ///< without functions
  Place place;
};

/// Adds a table with the properties of AWS::DynamoDB::Table, or its errors.
void add_table_resource(TableResource table, Definitions& to);

/// Adds a warning: `table "Orders": text`.
void warn_of(const TableResource& table, const std::string& text, Definitions& to);

}  // namespace dinette::definitions::cloudformation
