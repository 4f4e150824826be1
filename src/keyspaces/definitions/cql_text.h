#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Statements of CQL, which say what the operations of the API ask for.
namespace dinette::keyspaces {

/// Returns a name in double quotes, which keep it as it is.
std::string quoted_name(std::string_view name);
/// Returns "ks"."table".
std::string quoted_name(std::string_view keyspace, std::string_view name);
/// Returns the name that a text means in CQL: in lower case, or, without its double quotes, as it is; nothing
/// if it is no name.
std::optional<std::string> name_in_text(std::string_view text);
/// Returns a string in single quotes.
std::string quoted_text(std::string_view text);

/// A map as properties have it: {'name': value}.
class CqlMap {
 public:
  CqlMap& text(std::string_view name, std::string_view value);
  CqlMap& number(std::string_view name, std::int64_t value);
  CqlMap& truth(std::string_view name, bool value);
  CqlMap& map(std::string_view name, const CqlMap& value);

  bool empty() const { return entries_.empty(); }
  std::string cql() const;

 private:
  std::vector<std::pair<std::string, std::string>> entries_;
};

/// What follows WITH: properties joined by AND.
class CqlProperties {
 public:
  /// Adds a property; `value` is CQL.
  void add(std::string_view name, std::string_view value);
  /// Adds a map, unless it is empty.
  void add(std::string_view name, const CqlMap& value);
  /// Adds what is no property: "CLUSTERING ORDER BY (...)".
  void add_clause(std::string clause);

  bool empty() const { return clauses_.empty(); }
  std::size_t size() const { return clauses_.size(); }
  /// Returns " WITH a = 1 AND b = 2"; nothing without properties.
  std::string cql() const;

 private:
  std::vector<std::string> clauses_;
};

}  // namespace dinette::keyspaces
