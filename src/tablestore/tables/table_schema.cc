#include "tablestore/tables/table_schema.h"

#include <algorithm>

#include "dinette/base/record_bytes.h"

namespace dinette::tablestore {
namespace {

using base::RecordReader;
using base::RecordWriter;

// Kept on disk: never renumber.
constexpr std::uint8_t table_format = 1;
constexpr std::uint8_t index_name_format = 2;

void add_options(RecordWriter& out, const TableOptions& options) {
  out.add(options.time_to_live);
  out.add(options.max_versions);
  out.add(options.max_deviation);
  out.add(options.allow_update);
  out.add(options.update_full_row);
}

TableOptions read_options(RecordReader& in) {
  TableOptions options;
  options.time_to_live = in.int32();
  options.max_versions = in.int32();
  options.max_deviation = in.int64();
  options.allow_update = in.truth();
  options.update_full_row = in.truth();
  return options;
}

void add_names(RecordWriter& out, const std::vector<std::string>& names) {
  out.add_list(names, [&](const std::string& name) { out.add(std::string_view(name)); });
}

std::vector<std::string> read_names(RecordReader& in) {
  std::vector<std::string> names;
  in.read_list([&] { names.emplace_back(in.text()); });
  return names;
}

void add_stream(RecordWriter& out, const StreamMeta& stream) {
  out.add(stream.stream);
  out.add(stream.expiration_hours);
  out.add(stream.enabled);
  add_names(out, stream.origin_columns);
}

StreamMeta read_stream(RecordReader& in) {
  StreamMeta stream;
  stream.stream = in.number<std::uint64_t>();
  stream.expiration_hours = in.int32();
  stream.enabled = in.int64();
  stream.origin_columns = read_names(in);
  return stream;
}

void add_index(RecordWriter& out, const IndexMeta& index) {
  out.add(index.id);
  out.add(std::string_view(index.name));
  add_names(out, index.key_columns);
  add_names(out, index.attributes);
  out.add(static_cast<std::uint8_t>(index.kind));
  out.add(index.synchronous);
  out.add(index.partial);
  out.add(index.building);
}

IndexMeta read_index(RecordReader& in) {
  IndexMeta index;
  index.id = in.number<std::uint32_t>();
  index.name = in.text();
  index.key_columns = read_names(in);
  index.attributes = read_names(in);
  index.kind = IndexKind{in.number<std::uint8_t>()};
  index.synchronous = in.truth();
  index.partial = in.truth();
  index.building = in.truth();
  return index;
}

void add_search_index(RecordWriter& out, const SearchIndexMeta& index) {
  out.add(std::string_view(index.name));
  out.add(std::string_view(index.schema));
  out.add(index.created);
  out.add(index.time_to_live);
  out.add(std::string_view(index.source));
}

SearchIndexMeta read_search_index(RecordReader& in) {
  SearchIndexMeta index;
  index.name = in.text();
  index.schema = in.text();
  index.created = in.int64();
  index.time_to_live = in.int32();
  index.source = in.text();
  return index;
}

void add_query_weight(RecordWriter& out, const QueryWeight& weight) {
  out.add(std::string_view(weight.index));
  out.add(weight.weight);
}

QueryWeight read_query_weight(RecordReader& in) {
  QueryWeight weight;
  weight.index = in.text();
  weight.weight = in.int32();
  return weight;
}

void add_sql_column(RecordWriter& out, const SqlColumn& column) {
  out.add(std::string_view(column.name));
  out.add(std::string_view(column.type.shown));
  out.add(static_cast<std::uint8_t>(column.type.values));
  out.add(column.is_nullable);
  out.add(column.key_place);
}

SqlColumn read_sql_column(RecordReader& in) {
  SqlColumn column;
  column.name = in.text();
  column.type.shown = in.text();
  column.type.values = ValueType{in.number<std::uint8_t>()};
  column.is_nullable = in.truth();
  column.key_place = in.number<std::uint8_t>();
  return column;
}

void add_sql_mapping(RecordWriter& out, const SqlMapping& mapping) {
  out.add(std::string_view(mapping.name));
  out.add(std::string_view(mapping.index));
  out.add(mapping.searches);
  out.add_list(mapping.columns, [&](const SqlColumn& column) { add_sql_column(out, column); });
}

SqlMapping read_sql_mapping(RecordReader& in) {
  SqlMapping mapping;
  mapping.name = in.text();
  mapping.index = in.text();
  mapping.searches = in.truth();
  in.read_list([&] { mapping.columns.push_back(read_sql_column(in)); });
  return mapping;
}

/// Adds what tables of earlier versions do not have, as far as there is any.
void add_later_parts(RecordWriter& out, const TableMeta& meta) {
  const bool has_weights = std::ranges::any_of(
      meta.search_indexes, [](const SearchIndexMeta& index) { return !index.query_weights.empty(); });
  if (!has_weights && meta.sql_mappings.empty()) return;
  out.add_list(meta.sql_mappings, [&](const SqlMapping& mapping) { add_sql_mapping(out, mapping); });
  if (!has_weights) return;
  for (const SearchIndexMeta& index : meta.search_indexes)
    out.add_list(index.query_weights, [&](const QueryWeight& weight) { add_query_weight(out, weight); });
}

void read_later_parts(RecordReader& in, TableMeta& meta) {
  if (in.complete()) return;
  in.read_list([&] { meta.sql_mappings.push_back(read_sql_mapping(in)); });
  if (in.complete()) return;
  for (SearchIndexMeta& index : meta.search_indexes)
    in.read_list([&] { index.query_weights.push_back(read_query_weight(in)); });
}

void add_key_column(RecordWriter& out, const KeyColumnMeta& column) {
  out.add(std::string_view(column.name));
  out.add(static_cast<std::uint8_t>(column.type));
  out.add(column.auto_increment);
}

KeyColumnMeta read_key_column(RecordReader& in) {
  KeyColumnMeta column;
  column.name = in.text();
  column.type = ValueType{in.number<std::uint8_t>()};
  column.auto_increment = in.truth();
  return column;
}

void add_encryption(RecordWriter& out, const EncryptionMeta& encryption) {
  out.add(encryption.key_type);
  out.add(std::string_view(encryption.key_id));
  out.add(std::string_view(encryption.role));
}

EncryptionMeta read_encryption(RecordReader& in) {
  EncryptionMeta encryption;
  encryption.key_type = in.int32();
  encryption.key_id = in.text();
  encryption.role = in.text();
  return encryption;
}

/// Reads the fields in the order in which encode_table() adds them.
TableMeta read_table(RecordReader& in) {
  TableMeta meta;
  meta.name = in.text();
  in.read_list([&] { meta.key.push_back(read_key_column(in)); });
  in.read_list([&] {
    DefinedColumnMeta column;
    column.name = in.text();
    column.type = ValueType{in.number<std::uint8_t>()};
    meta.defined_columns.push_back(std::move(column));
  });
  meta.options = read_options(in);
  meta.reserved.read = in.int32();
  meta.reserved.write = in.int32();
  meta.created = in.int64();
  meta.units_raised = in.int64();
  meta.units_lowered = in.int64();
  meta.local_transactions = in.truth();
  if (in.truth()) meta.stream = read_stream(in);
  if (in.truth()) meta.encryption = read_encryption(in);
  in.read_list([&] { meta.indexes.push_back(read_index(in)); });
  meta.next_index = in.number<std::uint32_t>();
  meta.split_points = read_names(in);
  in.read_list([&] { meta.search_indexes.push_back(read_search_index(in)); });
  in.read_list([&] { meta.sql_columns.push_back(read_sql_column(in)); });
  read_later_parts(in, meta);
  return meta;
}

}  // namespace

TableSchema::TableSchema(TableMeta meta) : meta_(std::move(meta)) {
  for (const IndexMeta& index : meta_.indexes) index_keys_.push_back(completed_key(meta_, index));
}

std::shared_ptr<const TableSchema> TableSchema::of_index(std::string main_table) {
  auto schema = std::make_shared<TableSchema>(TableMeta());
  schema->main_table_ = std::move(main_table);
  return schema;
}

std::shared_ptr<const store::Schema> TableSchema::decode(std::string_view description) {
  RecordReader in(description);
  const auto format = in.number<std::uint8_t>();
  if (format == index_name_format) {
    std::string main_table(in.text());
    return in.complete() && !main_table.empty() ? of_index(std::move(main_table)) : nullptr;
  }
  if (format != table_format) return nullptr;
  TableMeta meta = read_table(in);
  if (!in.complete() || meta.key.empty()) return nullptr;
  return std::make_shared<TableSchema>(std::move(meta));
}

std::string encode_table(const TableMeta& meta) {
  RecordWriter out;
  out.add(table_format);
  out.add(std::string_view(meta.name));
  out.add_list(meta.key, [&](const KeyColumnMeta& column) { add_key_column(out, column); });
  out.add_list(meta.defined_columns, [&](const DefinedColumnMeta& column) {
    out.add(std::string_view(column.name));
    out.add(static_cast<std::uint8_t>(column.type));
  });
  add_options(out, meta.options);
  out.add(meta.reserved.read);
  out.add(meta.reserved.write);
  out.add(meta.created);
  out.add(meta.units_raised);
  out.add(meta.units_lowered);
  out.add(meta.local_transactions);
  out.add(meta.stream.has_value());
  if (meta.stream) add_stream(out, *meta.stream);
  out.add(meta.encryption.has_value());
  if (meta.encryption) add_encryption(out, *meta.encryption);
  out.add_list(meta.indexes, [&](const IndexMeta& index) { add_index(out, index); });
  out.add(meta.next_index);
  add_names(out, meta.split_points);
  out.add_list(meta.search_indexes, [&](const SearchIndexMeta& index) { add_search_index(out, index); });
  out.add_list(meta.sql_columns, [&](const SqlColumn& column) { add_sql_column(out, column); });
  add_later_parts(out, meta);
  return std::move(out).take();
}

std::string encode_index_name(std::string_view main_table) {
  RecordWriter out;
  out.add(index_name_format);
  out.add(main_table);
  return std::move(out).take();
}

}  // namespace dinette::tablestore
