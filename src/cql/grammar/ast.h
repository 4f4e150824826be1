#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cql/types/type.h"

/// Statements as they are written (docs/service-keyspaces/grammar.md): nothing is looked up or checked yet.
/// Names are folded to lower case unless they were quoted. Plain values; threads may share them.
namespace dinette::cql::grammar {

/// The name of a table, a type or a function, in a keyspace if it has one.
struct QualifiedName {
  std::string keyspace{};  ///< empty: none was given
  std::string name{};
};

/// A type as it is written: the user types that it names are to be found in their keyspace.
struct TypeName {
  enum class Shape : std::uint8_t { native, list, set, map, tuple, frozen, user, custom };

  Shape shape = Shape::native;
  Kind kind = Kind::blob;             ///< of native
  std::vector<TypeName> arguments{};  ///< elements, key and value, components, what is frozen
  QualifiedName name{};               ///< of user; of custom the name of the class
};

/// Kinds of constants, as messages name them.
enum class ConstantKind : std::uint8_t { string, integer, uuid, floating, boolean, hex, duration };

struct Term;

struct Null {};

/// Strings without quotes, everything else as it was written.
struct Constant {
  ConstantKind kind = ConstantKind::string;
  std::string text{};
};

/// `?` or `:name`. Markers of a statement are numbered from 0 in the order of their places.
struct Marker {
  std::size_t index = 0;
};

struct ListLiteral {
  std::vector<Term> elements;
};

/// Also `{}`, which may be a map.
struct SetLiteral {
  std::vector<Term> elements;
};

struct MapLiteral {
  std::vector<std::pair<Term, Term>> entries;
};

struct UserTypeLiteral {
  std::vector<std::pair<std::string, Term>> fields;
};

struct TupleLiteral {
  std::vector<Term> components;
};

struct FunctionCall {
  QualifiedName function{};
  std::vector<Term> arguments;
};

/// `(int) ?`
struct TypeHint {
  TypeName type{};
  std::vector<Term> term;  ///< one
};

struct Term {
  std::variant<Null, Constant, Marker, ListLiteral, SetLiteral, MapLiteral, UserTypeLiteral, TupleLiteral,
               FunctionCall, TypeHint>
      value{};
};

enum class Operator : std::uint8_t {
  equal,
  less,
  less_or_equal,
  greater,
  greater_or_equal,
  not_equal,
  in,
  contains,
  contains_key,
  like,
  is_not_null,
};

/// What an operator compares with: one term; of IN a list, or a marker that is bound to one; of IS NOT NULL
/// nothing.
struct Operand {
  std::vector<Term> terms{};
  bool is_list = false;  ///< of IN: the terms are its elements
};

/// A part of a WHERE clause.
struct Relation {
  enum class Target : std::uint8_t { column, element, token, tuple };

  Target target = Target::column;
  std::vector<std::string> columns{};  ///< one, of token and tuple as many as were named
  std::vector<Term> key{};             ///< of an element: one
  Operator comparison = Operator::equal;
  Operand operand{};
};

/// A column, an element of it by its key or index, or one of its fields.
struct ColumnPart {
  std::string column{};
  std::vector<Term> key{};             ///< of an element: one
  std::optional<std::string> field{};  ///< of a field
};

/// A part of an IF clause.
struct Condition {
  ColumnPart part{};
  Operator comparison = Operator::equal;
  Operand operand{};
};

/// What IF demands of a row.
struct Conditions {
  enum class Existence : std::uint8_t { any, exists, not_exists };

  Existence existence = Existence::any;
  std::vector<Condition> all{};  ///< only if `any`

  bool none() const { return existence == Existence::any && all.empty(); }
};

/// USING: constants or markers.
struct Using {
  std::optional<Term> timestamp{};
  std::optional<Term> time_to_live{};
};

struct Selector;

struct ColumnSelector {
  std::string column{};
};

struct CountAll {};

struct WriteTimeSelector {
  std::string column{};
  bool time_to_live = false;  ///< TTL instead of WRITETIME
};

struct FunctionSelector {
  QualifiedName function{};
  std::vector<Selector> arguments;
};

struct CastSelector {
  std::vector<Selector> argument;  ///< one
  TypeName type{};
};

struct FieldSelector {
  std::vector<Selector> of;  ///< one
  std::string field{};
};

/// A constant, a marker, or a literal with a type hint.
struct TermSelector {
  Term term{};
};

struct Selector {
  std::variant<ColumnSelector, CountAll, WriteTimeSelector, FunctionSelector, CastSelector, FieldSelector,
               TermSelector>
      value{};
};

struct Selection {
  Selector selector{};
  std::optional<std::string> alias{};
};

struct Ordering {
  std::string column{};
  bool descending = false;
};

struct Select {
  QualifiedName table{};
  bool json = false;
  bool distinct = false;
  std::vector<Selection> selections{};  ///< none: `*`
  std::vector<Relation> where{};
  std::vector<std::string> group_by{};
  std::vector<Ordering> order_by{};
  std::optional<Term> per_partition_limit{};
  std::optional<Term> limit{};
  bool allow_filtering = false;
};

/// The text or marker of an INSERT JSON.
struct JsonValues {
  Term text{};
  bool unset_by_default = false;  ///< DEFAULT UNSET
};

struct Insert {
  QualifiedName table{};
  std::vector<std::string> columns{};
  std::vector<Term> values{};
  std::optional<JsonValues> json{};  ///< then there are no columns and values
  Conditions conditions{};           ///< IF NOT EXISTS or none
  Using using_{};
};

struct Assignment {
  enum class Kind : std::uint8_t {
    set,       ///< part = value
    add,       ///< column = column + value
    subtract,  ///< column = column - value
    prepend,   ///< column = value + column
  };

  Kind kind = Kind::set;
  ColumnPart part{};
  Term value{};
};

struct Update {
  QualifiedName table{};
  Using using_{};
  std::vector<Assignment> assignments{};
  std::vector<Relation> where{};
  Conditions conditions{};
};

struct Delete {
  QualifiedName table{};
  std::vector<ColumnPart> deletions{};  ///< none: whole rows
  Using using_{};                       ///< without a time to live
  std::vector<Relation> where{};
  Conditions conditions{};
};

using Modification = std::variant<Insert, Update, Delete>;

struct Batch {
  enum class Type : std::uint8_t { logged, unlogged, counter };

  Type type = Type::logged;
  Using using_{};
  std::vector<Modification> statements{};
};

/// The value of a property: a constant, a word, or a map of such.
struct PropertyValue {
  bool is_map = false;
  bool is_string = false;  ///< was written in quotes
  std::string text{};      ///< of what is no map
  std::vector<std::pair<std::string, PropertyValue>> entries{};
};

/// `name = value` in lower case, in the order of the statement, each name once.
using Properties = std::vector<std::pair<std::string, PropertyValue>>;

struct Use {
  std::string keyspace{};
};

struct CreateKeyspace {
  std::string name{};
  bool if_not_exists = false;
  Properties properties{};
};

struct AddTags {
  PropertyValue tags{};
};
struct DropTags {
  PropertyValue tags{};
};

struct AlterKeyspace {
  std::string name{};
  std::variant<Properties, AddTags, DropTags> change{};
};

struct DropKeyspace {
  std::string name{};
  bool if_exists = false;
};

struct ColumnDefinition {
  std::string name{};
  TypeName type{};
  bool is_static = false;
  bool primary_key = false;  ///< marked so by itself
};

struct PrimaryKey {
  std::vector<std::string> partition{};
  std::vector<std::string> clustering{};
};

/// What follows WITH of a table.
struct TableProperties {
  Properties properties{};
  std::vector<Ordering> clustering_order{};
  bool compact_storage = false;
};

struct CreateTable {
  QualifiedName table{};
  bool if_not_exists = false;
  std::vector<ColumnDefinition> columns{};
  std::vector<PrimaryKey> primary_keys{};  ///< of the PRIMARY KEY clauses: more than one is an error
  TableProperties with{};
};

struct AddColumns {
  std::vector<ColumnDefinition> columns{};
};
struct DropColumns {
  std::vector<std::string> columns{};
  std::optional<std::int64_t> timestamp{};  ///< in microseconds since 1970
};
struct DropCompactStorage {};
struct RenameColumns {
  std::vector<std::pair<std::string, std::string>> names{};  ///< from, to
};
struct ChangeType {
  std::string column{};
  TypeName type{};
};

struct AlterTable {
  QualifiedName table{};
  std::variant<AddColumns, DropColumns, DropCompactStorage, RenameColumns, ChangeType, TableProperties,
               AddTags, DropTags>
      change{};
};

struct DropTable {
  QualifiedName table{};
  bool if_exists = false;
};

struct RestoreTable {
  QualifiedName table{};
  QualifiedName source{};
  TableProperties with{};
};

struct CreateType {
  QualifiedName type{};
  bool if_not_exists = false;
  std::vector<std::pair<std::string, TypeName>> fields{};
};

struct AlterType {
  QualifiedName type{};
  std::vector<std::pair<std::string, TypeName>> added{};
  std::vector<std::pair<std::string, std::string>> renamed{};  ///< from, to
  std::vector<std::pair<std::string, TypeName>> changed{};
};

struct DropType {
  QualifiedName type{};
  bool if_exists = false;
};

struct Truncate {
  QualifiedName table{};
};

/// A statement that Cassandra has, and that is refused in all modes: indexes, views, triggers, functions,
/// aggregates, roles, permissions.
struct Unsupported {
  std::string statement_class{};  ///< as messages name it: "CreateIndexStatement"
};

struct Statement {
  std::variant<Select, Insert, Update, Delete, Batch, Use, CreateKeyspace, AlterKeyspace, DropKeyspace,
               CreateTable, AlterTable, DropTable, RestoreTable, CreateType, AlterType, DropType, Truncate,
               Unsupported>
      value{};
  std::vector<std::string> markers{};  ///< their names; empty for `?`
};

/// Returns a part of a statement as messages show it.
std::string to_text(const Term& term);
std::string to_text(const Relation& relation);
std::string to_text(const TypeName& type);
std::string to_text(const Selector& selector);
/// Returns "=", "<", "CONTAINS KEY" and so on.
std::string_view to_text(Operator comparison);
/// Returns "STRING", "INTEGER" and so on.
std::string_view to_text(ConstantKind kind);

}  // namespace dinette::cql::grammar
