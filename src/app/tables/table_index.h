#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "dinette/definitions/definitions.h"

namespace dinette::app {

/// Finds tables by their names. The tables must outlive it and not change.
class TableIndex {
 public:
  explicit TableIndex(const std::vector<definitions::TableDefinition>& tables) {
    for (const definitions::TableDefinition& table : tables) by_name_.emplace(table.name, &table);
  }

  /// Returns null if there is none.
  const definitions::TableDefinition* find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : found->second;
  }
  bool has(std::string_view name) const { return by_name_.contains(name); }

 private:
  std::unordered_map<std::string_view, const definitions::TableDefinition*> by_name_;
};

}  // namespace dinette::app
