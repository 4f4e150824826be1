#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "dinette/definitions/definitions.h"

#include "resource.h"

namespace dinette::definitions {

/// Finds resources of one type by references to them.
class AddressIndex {
 public:
  explicit AddressIndex(std::string_view type) : type_(type) {}

  /// The resources have the positions 0, 1, ...
  void add(const std::string& address);

  /// Returns true if a reference is to a resource of the type.
  bool is_of_type(std::string_view reference) const;

  /// Returns the position of the resource that a reference means, for a resource at `from`. Of several
  /// instances, the one whose key the reference has wins, then the one in the same instance of a module,
  /// then the one with the key that `from` has. Nothing: it cannot be told.
  std::optional<std::size_t> find(std::string_view reference, std::string_view from) const;

 private:
  struct Entry {
    std::size_t position;
    std::string module;  ///< address of its instance
    std::string key;     ///< with brackets
  };

  const std::string_view type_;
  std::unordered_map<std::string, std::vector<Entry>> entries_;  ///< by address without keys
  std::size_t count_ = 0;
};

/// A table of the resources, and the region that it is in.
struct LinkedTable {
  TableDefinition definition;
  std::string region;  ///< empty: not known
};

/// The table that a resource belongs to.
struct TableLink {
  TableDefinition* table = nullptr;  ///< null: it is not among the resources
  std::string name;                  ///< the table's; empty: not known
};

/// Finds the tables that resources belong to.
class TableLinks {
 public:
  /// `tables` must outlive this, and stay where they are.
  explicit TableLinks(std::vector<LinkedTable>& tables);

  /// Returns the table that an attribute of a resource means by a name, an ARN or a reference.
  TableLink find(const Resource& resource, std::string_view attribute) const;

 private:
  std::vector<LinkedTable>& tables_;
  AddressIndex addresses_;
  std::unordered_map<std::string, TableDefinition*> names_;
};

/// Returns the name of the table that an ARN of a table, an index or a stream has; empty if it has none.
std::string table_name_of_arn(std::string_view arn);

}  // namespace dinette::definitions
