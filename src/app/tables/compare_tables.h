#pragma once

#include <string>
#include <vector>

#include "dinette/base/result.h"
#include "dinette/definitions/definitions.h"

#include "app/transfer/transfer.h"

namespace dinette::app {

/// What has come of comparing the tables of two places.
struct Comparison {
  std::string left_name;
  std::string right_name;
  std::string text;     ///< lines for the user
  bool is_same = true;  ///< no table differs, and none is only in one of them
};

/// Compares tables with tables.
void compare_with_tables(const std::vector<definitions::TableDefinition>& left,
                         const std::vector<definitions::TableDefinition>& right, Comparison& comparison);

/// Compares tables with those of a server. Tables that only the server has are named if `name_others`, and
/// count for nothing: others may have made them. The error is a sentence for the user.
base::Result<void, std::string> compare_with_server(const Transfer& transfer,
                                                    const std::vector<definitions::TableDefinition>& left,
                                                    bool name_others, Comparison& comparison);

}  // namespace dinette::app
