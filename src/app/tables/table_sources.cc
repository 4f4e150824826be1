#include "app/tables/table_sources.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "app/tables/table_index.h"

namespace dinette::app {
namespace {

namespace fs = std::filesystem;
using definitions::Definitions;
using definitions::KeyspacesResource;
using definitions::Node;
using definitions::Note;
using definitions::Place;
using definitions::Surroundings;
using definitions::TableDefinition;

std::optional<std::string> variable_of_environment(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

/// Returns the surroundings with a reader of other files that notes which it reads.
Surroundings noting_files(const Surroundings& from, const fs::path& path, FileStamps& stamps) {
  std::error_code ignored;
  const bool is_folder = fs::is_directory(path, ignored);
  stamps.add(path);
  if (is_folder) stamps.add(path / "manifest.json");
  for (const fs::path& file : from.variable_files) stamps.add(file);
  Surroundings surroundings = from;
  surroundings.read_file = [&stamps, read = definitions::reader_within(
                                         is_folder ? path : path.parent_path())](const fs::path& file) {
    stamps.add(file);
    return read(file);
  };
  return surroundings;
}

template <class T>
void move_all(std::vector<T>& from, std::vector<T>& to) {
  std::ranges::move(from, std::back_inserter(to));
}

void add_tables(std::vector<TableDefinition>& from, Definitions& to) {
  for (TableDefinition& table : from) {
    const auto [at, is_new] = to.positions.try_emplace(table.name, to.tables.size());
    if (is_new) {
      to.tables.push_back(std::move(table));
    } else {
      to.errors.push_back({table.place, "table \"" + table.name + "\" is defined twice, also at " +
                                            to.tables[at->second].place.text()});
    }
  }
}

void add_keyspaces(std::vector<KeyspacesResource>& from, Definitions& to) {
  for (KeyspacesResource& resource : from) {
    const auto [at, is_new] =
        to.keyspaces_positions.try_emplace(definitions::keyspaces_key(resource), to.keyspaces.size());
    if (is_new) {
      to.keyspaces.push_back(std::move(resource));
    } else {
      to.errors.push_back({resource.place, at->first + " is defined twice, also at " +
                                               to.keyspaces[at->second].place.text()});
    }
  }
}

void add_definitions(Definitions from, Definitions& to) {
  to.format = std::move(from.format);
  add_tables(from.tables, to);
  add_keyspaces(from.keyspaces, to);
  move_all(from.triggers, to.triggers);
  move_all(from.seeds, to.seeds);
  move_all(from.warnings, to.warnings);
  move_all(from.errors, to.errors);
}

}  // namespace

TableSources sources_of(const Options& options, const std::string& region) {
  TableSources sources;
  sources.files = options.definitions.files;
  Surroundings& to = sources.surroundings;
  to.region = region;
  to.account = options.account;
  to.stack = options.definitions.stack;
  to.stage = options.definitions.stage;
  to.parameters = options.definitions.parameters;
  to.imports = options.definitions.imports;
  to.names = options.definitions.names;
  to.variable_files.assign(options.definitions.variable_files.begin(),
                           options.definitions.variable_files.end());
  to.environment = variable_of_environment;
  return sources;
}

Definitions read_sources(const TableSources& sources, FileStamps* stamps) {
  FileStamps unused;
  Definitions all;
  for (const std::string& file : sources.files) {
    const auto surroundings = noting_files(sources.surroundings, file, stamps == nullptr ? unused : *stamps);
    Definitions found = definitions::read_definitions(fs::path(file), surroundings);
    if (found.tables.empty() && found.keyspaces.empty() && found.errors.empty())
      found.errors.push_back(
          {Place{std::make_shared<const std::string>(file), 0}, "there are no tables in it"});
    add_definitions(std::move(found), all);
  }
  return all;
}

void select_tables(const std::vector<std::string>& names, Definitions& definitions) {
  if (names.empty()) return;
  const std::set<std::string> wanted(names.begin(), names.end());
  std::set<std::string> found;
  const auto is_other = [&](const std::string& its_name, const std::string& its_id) {
    for (const std::string& name : {its_name, its_id}) {
      if (wanted.contains(name)) found.insert(name);
    }
    return !wanted.contains(its_name) && !wanted.contains(its_id);
  };
  std::erase_if(definitions.tables,
                [&](const TableDefinition& table) { return is_other(table.name, table.id); });
  std::erase_if(definitions.keyspaces, [&](const KeyspacesResource& resource) {
    return is_other(resource.full_name(), resource.id);
  });
  definitions.positions.clear();
  definitions.keyspaces_positions.clear();
  for (const std::string& name : names) {
    if (!found.contains(name)) definitions.errors.push_back({{}, "no file defines a table " + name});
  }
  const TableIndex left(definitions.tables);
  std::erase_if(definitions.triggers,
                [&](const definitions::Trigger& trigger) { return !left.has(trigger.table); });
}

}  // namespace dinette::app
