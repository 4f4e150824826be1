#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "dinette/store/placement.h"

#include "cql/data/row_scan.h"
#include "cql/data/row_values.h"
#include "cql/error.h"
#include "cql/grammar/ast.h"
#include "cql/statements/checker.h"
#include "cql/statements/term.h"

/// WHERE clauses (docs/service-keyspaces/dml.md sections 3 to 5).
namespace dinette::cql::statements {

/// A bound of a range.
struct Bound {
  Term term;
  bool inclusive = true;
};

/// The values of IN: terms, or a marker that is bound to a list.
struct InList {
  std::vector<Term> terms{};
  std::optional<Term> list{};
};

/// What one column, or a tuple of clustering columns, must be.
struct Restriction {
  enum class Kind : std::uint8_t { equal, in, slice };

  Kind kind = Kind::equal;
  std::vector<std::size_t> columns{};  ///< places in the table
  std::optional<Term> equal{};
  InList in{};
  std::optional<Bound> lower{};
  std::optional<Bound> upper{};
  std::vector<Type> types{};  ///< of the columns
  bool is_tuple = false;      ///< values are tuples, as those of columns in parentheses are
  std::size_t number = 0;     ///< of its relation in the clause
};

/// What rows that were read must fulfil in addition.
struct Filter {
  enum class Kind : std::uint8_t { restriction, contains, contains_key, element };

  Kind kind = Kind::restriction;
  Restriction restriction{};  ///< of the other kinds only the column
  std::optional<Term> key{};  ///< of an element
  std::optional<Term> value{};
  /// Of clustering columns that a scan restricts in their order. Cassandra reads ranges of them: its messages
  /// are those of keys.
  bool in_order = false;
};

/// Which statement has the clause.
enum class WhereUse : std::uint8_t { select, update, delete_ };

/// A checked WHERE clause.
struct Where {
  std::vector<Restriction> partition{};  ///< one per column of the key, or none
  /// With restrictions in `partition` they leave out partitions whose tokens are not in the range.
  std::optional<Bound> token_lower{};
  std::optional<Bound> token_upper{};
  std::vector<Restriction> clustering{};  ///< of the first columns, in their order; a slice is the last one
  /// Slices that begin with the column of that one and go over another number of columns.
  std::vector<Restriction> more_slices{};
  std::vector<Filter> filters{};
  std::set<std::string> others{};  ///< columns outside of the key that filters restrict
  bool needs_filtering = false;
  bool has_in = false;
  /// Why clustering columns cannot be read in their order: the error without ALLOW FILTERING.
  std::optional<Error> order_error{};

  bool has_token() const { return token_lower || token_upper; }
  /// Returns how many clustering columns are restricted.
  std::size_t clustering_columns() const;
  /// Returns true if the restrictions name one row at most for each partition.
  bool names_row(const schema::Table& table) const;
  /// Returns true if each column of the key is equal to something: there is one row at most.
  bool is_point(const schema::Table& table) const;
};

/// Checks a clause against the table. It is not refused for needing ALLOW FILTERING: see needs_filtering.
Answer<Where> check_where(Checker& checker, const std::vector<grammar::Relation>& relations, WhereUse use);

/// Returns the error for a statement that needs ALLOW FILTERING.
base::Failure<Error> needs_filtering();

/// The values of several columns, of partition keys or of clustering columns.
using KeyValues = std::vector<std::string>;

/// Returns the partition keys that a clause names, each once, in the order of the statement.
Answer<std::vector<KeyValues>> partition_keys(const schema::Table& table, const Where& where,
                                              const Bindings& bindings);

/// How many bytes a key may have at most, in any mode.
inline constexpr std::size_t longest_key = 65'535;

/// Fails of values of a partition key that no partition can have: of nothing, or of more bytes than `most`.
Answer<void> check_partition_key(const KeyValues& values, std::size_t most = longest_key);
base::Failure<Error> key_too_long(std::size_t size, std::size_t most);

/// The rows of a partition that a clause names.
struct ClusteringKeys {
  /// Of each combination of values, each once and in the order of the statement: disjoint, ascending.
  std::vector<std::vector<data::Slice>> slices{};
  std::vector<KeyValues> rows{};  ///< the values of each combination that is a row
};
Answer<ClusteringKeys> clustering_keys(const schema::Table& table, const Where& where,
                                       const Bindings& bindings);

/// The key of one row.
struct PointKey {
  KeyValues partition{};
  KeyValues clustering{};
};
/// Returns the key of the row that a clause with Where::is_point() names.
Answer<PointKey> point_key(const schema::Table& table, const Where& where, const Bindings& bindings);

/// Returns the range of keys that token restrictions name; nothing if no partition is in it.
Answer<std::optional<store::KeyRange>> token_keys(const Where& where, const Bindings& bindings);

/// A filter whose terms are evaluated.
struct BoundFilter {
  const Filter* filter = nullptr;
  std::vector<KeyValues> values{};  ///< equal, or those of IN
  std::optional<KeyValues> lower{};
  std::optional<KeyValues> upper{};
  std::string key{};
};
Answer<std::vector<BoundFilter>> bind_filters(const schema::Table& table, const Where& where,
                                              const Bindings& bindings);
bool passes(const schema::Table& table, std::span<const BoundFilter> filters, const data::RowValues& row);

/// How many combinations of values IN may make at most, in any mode.
inline constexpr std::size_t most_combinations = 100'000;

/// Fails if IN has more values than that.
Answer<void> check_combinations(std::size_t count);

}  // namespace dinette::cql::statements
