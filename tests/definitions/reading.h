#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/definitions/definitions.h"

/// Reads definitions in tests, and shows them as texts that are easy to compare.
namespace dinette::definitions::reading {

using Texts = std::vector<std::string>;

inline Definitions read(std::string_view content, const Surroundings& surroundings = {},
                        const std::string& file = "template.yaml") {
  return read_definitions(content, file, surroundings);
}

inline Definitions read_input(const std::string& name, const Surroundings& surroundings = {}) {
  return read_definitions(std::filesystem::path(DINETTE_DEFINITIONS_INPUTS) / name, surroundings);
}

inline Surroundings in_region(const std::string& region) {
  Surroundings surroundings;
  surroundings.region = region;
  return surroundings;
}

inline Surroundings in_stack(const std::string& stack) {
  Surroundings surroundings;
  surroundings.stack = stack;
  return surroundings;
}

inline Texts texts(const std::vector<Note>& notes) {
  Texts all;
  for (const Note& note : notes) all.push_back(note.text);
  return all;
}

inline Texts names(const Definitions& definitions) {
  Texts all;
  for (const TableDefinition& table : definitions.tables) all.push_back(table.name);
  return all;
}

inline const TableDefinition& table(const Definitions& definitions, const std::string& name) {
  const auto found = std::ranges::find(definitions.tables, name, &TableDefinition::name);
  if (found == definitions.tables.end()) FAIL("there is no table " << name);
  return *found;
}

/// Returns a member of the input of CreateTable as JSON; empty if there is none.
inline std::string member(const TableDefinition& table, std::string_view name) {
  const Node* const value = table.create.find(name);
  return value == nullptr ? std::string() : to_json(*value);
}

inline std::string follow_up(const TableDefinition& table, std::string_view operation) {
  const Node* const input = table.follow_up(operation);
  return input == nullptr ? std::string() : to_json(*input);
}

/// Properties that every table needs, in the flow style of YAML, without braces.
inline constexpr std::string_view smallest =
    "BillingMode: PAY_PER_REQUEST, AttributeDefinitions: [{AttributeName: id, AttributeType: S}], "
    "KeySchema: [{AttributeName: id, KeyType: HASH}]";

/// Returns a template with one table, which has these properties as well.
inline std::string template_with(std::string_view properties, std::string_view sections = {}) {
  return std::string(sections) +
         "\nResources:\n  Things:\n    Type: AWS::DynamoDB::Table\n    Properties: {" +
         std::string(smallest) + (properties.empty() ? "" : ", ") + std::string(properties) + "}\n";
}

}  // namespace dinette::definitions::reading
