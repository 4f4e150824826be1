#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/search/index_schema.h"
#include "tablestore/sql/mappings.h"

namespace dinette::tablestore::sql {
namespace {

/// One column of an index, or of the key.
struct IndexedColumn {
  bool is_unique = false;
  std::string_view index;
  std::string_view column;
  std::optional<bool> is_defined = {};  ///< absent: the index says nothing about it
  std::string_view search_type = {};
  std::string_view index_type = {};
};

SqlValue text(std::string_view value) {
  return std::string(value);
}

std::string upper_case(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

/// The columns of SHOW INDEX (tablestore/sql.md section 3), and rows in the order of the indexes.
class IndexList {
 public:
  explicit IndexList(std::string_view table) : table_(table) {
    constexpr ResultType whole = ResultType::whole;
    constexpr ResultType words = ResultType::text;
    for (const auto& [name, type] :
         std::initializer_list<std::pair<const char*, ResultType>>{{"Table", words},
                                                                   {"Non_unique", whole},
                                                                   {"Key_name", words},
                                                                   {"Seq_in_index", whole},
                                                                   {"Column_name", words},
                                                                   {"Is_defined_column", words},
                                                                   {"Search_type", words},
                                                                   {"Collation", words},
                                                                   {"Cardinality", whole},
                                                                   {"Sub_part", whole},
                                                                   {"Packed", words},
                                                                   {"Null", words},
                                                                   {"Index_type", words},
                                                                   {"Comment", words},
                                                                   {"Index_comment", words},
                                                                   {"Visible", words},
                                                                   {"Expression", words}})
      result_.push_back({.name = name, .type = type});
  }

  void add(const IndexedColumn& one) {
    if (one.index != index_) place_ = 0;
    index_ = one.index;
    const SqlValue null;
    const SqlValue defined = one.is_defined ? text(*one.is_defined ? "YES" : "NO") : null;
    const std::vector<SqlValue> row{text(table_),
                                    std::int64_t{one.is_unique ? 0 : 1},
                                    text(one.index),
                                    ++place_,
                                    text(one.column),
                                    defined,
                                    text(one.search_type),
                                    text("A"),
                                    std::int64_t{0},
                                    null,
                                    null,
                                    text(one.is_unique ? "" : "YES"),
                                    text(one.index_type),
                                    text(""),
                                    text(""),
                                    text("YES"),
                                    text("NULL")};
    for (std::size_t i = 0; i < row.size(); ++i) result_[i].values.push_back(row[i]);
  }

  Result take() && { return std::move(result_); }

 private:
  std::string table_;
  std::string index_;
  std::int64_t place_ = 0;
  Result result_;
};

void add_key(const TableMeta& table, IndexList& list) {
  for (const KeyColumnMeta& column : table.key)
    list.add({.is_unique = true, .index = "PRIMARY", .column = column.name});
}

void add_secondary(const TableMeta& table, const IndexMeta& index, IndexList& list) {
  const std::string_view type = index.kind == IndexKind::local ? "LocalIndex" : "GlobalIndex";
  const auto add = [&](std::string_view column) {
    list.add({.index = index.name,
              .column = column,
              .is_defined = table.defined_column(column) != nullptr,
              .index_type = type});
  };
  for (const KeyColumnMeta& column : completed_key(table, index)) add(column.name);
  for (const std::string& column : index.attributes) add(column);
}

Answer<void> add_search(const TableMeta& table, const SearchIndexMeta& index, IndexList& list) {
  DINETTE_TRY(const search::IndexSchema schema, search::IndexSchema::read(index.schema));
  for (const search::Field& field : schema.fields()) {
    const std::string type = upper_case(search::name_of(field.type));
    list.add({.index = index.name,
              .column = field.name,
              .is_defined = table.defined_column(field.source()) != nullptr,
              .search_type = type,
              .index_type = "SearchIndex"});
  }
  return {};
}

}  // namespace

/// A mapping of an index has that index alone.
Answer<Result> show_index(const Context& context, const ShowIndex& statement) {
  DINETTE_TRY(const MappedTable mapped, open_mapping(context, statement.table));
  const TableMeta& table = mapped.table.meta();
  IndexList list(statement.table);
  const auto is_shown = [&](const std::string& index, bool searches) {
    return mapped.mapping == nullptr ||
           (mapped.mapping->index == index && mapped.mapping->searches == searches);
  };
  if (mapped.mapping == nullptr) add_key(table, list);
  for (const IndexMeta& index : table.indexes)
    if (is_shown(index.name, false)) add_secondary(table, index, list);
  for (const SearchIndexMeta& index : table.search_indexes)
    if (is_shown(index.name, true)) DINETTE_CHECK(add_search(table, index, list));
  return std::move(list).take();
}

}  // namespace dinette::tablestore::sql
