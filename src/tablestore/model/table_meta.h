#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tablestore/model/value.h"

/// What is kept of a table (tablestore/tables.md).
namespace dinette::tablestore {

/// A column of a primary key: Integer, String or Binary.
struct KeyColumnMeta {
  std::string name;
  ValueType type = ValueType::integer;
  bool auto_increment = false;

  friend bool operator==(const KeyColumnMeta&, const KeyColumnMeta&) = default;
};

struct DefinedColumnMeta {
  std::string name;
  ValueType type = ValueType::integer;

  friend bool operator==(const DefinedColumnMeta&, const DefinedColumnMeta&) = default;
};

struct TableOptions {
  std::int32_t time_to_live = -1;  ///< seconds; -1: cells never expire
  std::int32_t max_versions = 1;
  std::int64_t max_deviation = 86'400;  ///< seconds by which versions may differ from the time of their write
  bool allow_update = true;
  bool update_full_row = false;

  bool expires() const { return time_to_live >= 0; }
  friend bool operator==(const TableOptions&, const TableOptions&) = default;
};

struct StreamMeta {
  std::uint64_t stream = 0;  ///< the store's stream that has the records
  std::int32_t expiration_hours = 0;
  std::int64_t enabled = 0;  ///< microseconds since 1970
  std::vector<std::string> origin_columns = {};

  friend bool operator==(const StreamMeta&, const StreamMeta&) = default;
};

enum class IndexKind : std::uint8_t { global = 0, local = 1 };

/// A secondary index (tablestore/indexes.md).
struct IndexMeta {
  std::uint32_t id = 0;  ///< the store's IndexId, from 1
  std::string name;
  std::vector<std::string> key_columns;  ///< as they were named; completed_key() has all
  std::vector<std::string> attributes;
  IndexKind kind = IndexKind::global;
  bool synchronous = false;  ///< as the client said; all are
  bool partial = false;      ///< rows from before the index have no entries until they are written
  bool building = false;     ///< the rows that were there before do not have all their entries yet

  friend bool operator==(const IndexMeta&, const IndexMeta&) = default;
};

/// How many of a hundred queries of a search index another one is to answer, as the client said; without
/// effect.
struct QueryWeight {
  std::string index;
  std::int32_t weight = 0;

  friend bool operator==(const QueryWeight&, const QueryWeight&) = default;
};

/// A search index (tablestore/search-index.md). Nothing but this is kept of it: queries look at the rows.
struct SearchIndexMeta {
  std::string name;
  std::string schema;              ///< the message IndexSchema, as it was sent
  std::int64_t created = 0;        ///< microseconds since 1970
  std::int32_t time_to_live = -1;  ///< seconds, as the client said; -1: rows never expire
  std::string source;              ///< the index that it is to take the place of; may be empty
  std::vector<QueryWeight> query_weights = {};

  friend bool operator==(const SearchIndexMeta&, const SearchIndexMeta&) = default;
};

/// The type of a column in SQL (tablestore/sql.md section 2).
struct SqlType {
  std::string shown;  ///< such as `bigint(20)`
  ValueType values = ValueType::string;

  friend bool operator==(const SqlType&, const SqlType&) = default;
};

/// A column of the mapping by which SQL sees a table.
struct SqlColumn {
  std::string name;
  SqlType type;
  bool is_nullable = true;
  std::uint8_t key_place = 0;  ///< among the columns of the key, from 1; 0: not in it

  friend bool operator==(const SqlColumn&, const SqlColumn&) = default;
};

/// A mapping of an index (tablestore/sql.md section 2), whose columns are like those of a table.
struct SqlMapping {
  std::string name;       ///< as SQL sees it; of a secondary index that of the index
  std::string index;      ///< the secondary index or the search index
  bool searches = false;  ///< it is a search index
  std::vector<SqlColumn> columns;

  friend bool operator==(const SqlMapping&, const SqlMapping&) = default;
};

struct ReservedUnits {
  std::int32_t read = 0;
  std::int32_t write = 0;

  friend bool operator==(const ReservedUnits&, const ReservedUnits&) = default;
};

/// Encryption as the client has asked for it; without effect.
struct EncryptionMeta {
  std::int32_t key_type = 0;  ///< as the API has it; 0: not given
  std::string key_id;
  std::string role;

  friend bool operator==(const EncryptionMeta&, const EncryptionMeta&) = default;
};

struct TableMeta {
  std::string name;
  std::vector<KeyColumnMeta> key;  ///< the first one is the partition key
  std::vector<DefinedColumnMeta> defined_columns;
  TableOptions options;
  ReservedUnits reserved;
  std::int64_t created = 0;        ///< microseconds since 1970
  std::int64_t units_raised = 0;   ///< microseconds since 1970
  std::int64_t units_lowered = 0;  ///< microseconds since 1970; 0: never
  bool local_transactions = true;
  std::optional<StreamMeta> stream;
  std::optional<EncryptionMeta> encryption;
  std::vector<IndexMeta> indexes;  ///< in the order in which they were created
  std::uint32_t next_index = 1;
  std::vector<std::string> split_points;  ///< as the client gave them: PlainBuffer values
  std::vector<SearchIndexMeta> search_indexes;
  std::vector<SqlColumn> sql_columns;    ///< empty: SQL does not see the table
  std::vector<SqlMapping> sql_mappings;  ///< those of its indexes

  /// Returns the column's place in the key, or nothing.
  std::optional<std::size_t> auto_increment_column() const;
  const DefinedColumnMeta* defined_column(std::string_view column) const;
  const IndexMeta* index(std::string_view index_name) const;
  const SearchIndexMeta* search_index(std::string_view index_name) const;
  /// Returns the id of the stream, of a table that has one: the name of the table, and when it was enabled.
  std::string stream_id() const;

  friend bool operator==(const TableMeta&, const TableMeta&) = default;
};

/// Returns the columns that an index's entries have as their key: those named, then those of the table's key
/// that are not among them. All columns must be known.
std::vector<KeyColumnMeta> completed_key(const TableMeta& table, const IndexMeta& index);

}  // namespace dinette::tablestore
