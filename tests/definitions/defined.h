#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "dinette/definitions/definitions.h"

/// Reads definitions in tests, and shows them as texts.
namespace dinette::definitions::defined {

/// Returns surroundings in which one member is set: with(&Surroundings::stage, "prod").
template <class T>
Surroundings with(T Surroundings::*member, std::type_identity_t<T> value) {
  Surroundings surroundings;
  surroundings.*member = std::move(value);
  return surroundings;
}

/// Reads a file of tests/definitions/inputs.
inline Definitions read_input(std::string_view name, const Surroundings& surroundings = {}) {
  return read_definitions(std::filesystem::path(DINETTE_DEFINITIONS_INPUTS) / name, surroundings);
}

/// Returns the table of that name; fails if there is none.
inline const TableDefinition& table_in(const Definitions& definitions, std::string_view name) {
  for (const TableDefinition& table : definitions.tables) {
    if (table.name == name) return table;
  }
  for (const Note& error : definitions.errors) UNSCOPED_INFO(error.place.text() + ": " + error.text);
  FAIL("there is no table " << name);
  return definitions.tables.front();
}

/// Returns the input of CreateTable of a table as JSON.
inline std::string create_in(const Definitions& definitions, std::string_view name) {
  return to_json(table_in(definitions, name).create);
}

inline std::string follow_up_in(const Definitions& definitions, std::string_view table,
                                std::string_view operation) {
  const Node* const input = table_in(definitions, table).follow_up(operation);
  return input == nullptr ? "none" : to_json(*input);
}

inline std::string items_in(const Definitions& definitions, std::string_view name) {
  return to_json(Node::list(table_in(definitions, name).items));
}

inline std::vector<std::string> names_of(const std::vector<TableDefinition>& tables) {
  std::vector<std::string> names;
  for (const TableDefinition& table : tables) names.push_back(table.name);
  return names;
}

/// Returns the notes without their places.
inline std::vector<std::string> texts_of(const std::vector<Note>& notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(note.text);
  return texts;
}

/// Returns `id: table -> function settings`.
inline std::vector<std::string> triggers_of(const Definitions& definitions) {
  std::vector<std::string> triggers;
  for (const Trigger& trigger : definitions.triggers) {
    triggers.push_back(trigger.id + ": " + trigger.table + " -> " + trigger.function + ' ' +
                       to_json(trigger.settings));
  }
  return triggers;
}

using Texts = std::vector<std::string>;

}  // namespace dinette::definitions::defined
