#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/definitions/definitions.h"

namespace dinette::app {

/// Returns a value as JSON over several lines, without a line break at its end. `column`: where the lines
/// after the first begin.
std::string json_lines(const definitions::Node& node, std::size_t column = 0);

/// Returns a map or a list as YAML, each line indented by `column` and ended.
std::string yaml_lines(const definitions::Node& node, std::size_t column = 0);

/// Returns a text as a scalar of YAML that every reader takes for a text.
std::string yaml_text(std::string_view text);

/// Returns unique names for the resources of tables, made of their IDs: letters and digits stay, others are
/// left out (`other` 0) or replaced. The first character is a letter.
std::vector<std::string> resource_names(const std::vector<definitions::TableDefinition>& tables, char other);

/// Returns a sentence about a part of a table that a format cannot express.
std::string left_out_of(const definitions::TableDefinition& table, std::string_view part);

}  // namespace dinette::app
