#include "cql/definitions/change_values.h"

#include <algorithm>
#include <optional>

#include "dinette/base/base64.h"
#include "dinette/base/bytes.h"

#include "cql/types/parts.h"
#include "cql/values/to_text.h"

namespace dinette::cql {
namespace {

/// Writes the elements of a list of JSON, or the members of an object, with commas between them.
class Series {
 public:
  Series(std::string& out, char open, char close) : out_(out), close_(close) { out_.push_back(open); }
  ~Series() { out_.push_back(close_); }
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  void next() {
    if (!first_) out_.push_back(',');
    first_ = false;
  }
  void member(std::string_view name) {
    next();
    append_json_string(out_, name);
    out_.push_back(':');
  }

 private:
  std::string& out_;
  const char close_;
  bool first_ = true;
};

/// Returns the member of a value that has values of the type: "textT".
std::string name_of_member(const Type& type) {
  if (type.kind == Kind::boolean) return "boolT";
  if (type.kind == Kind::udt) return "udtT";
  Type bare = type;
  bare.frozen = false;
  const std::string name = to_text(bare);
  const std::size_t start = name.starts_with("frozen<") ? std::string_view("frozen<").size() : 0;
  return name.substr(start, name.find('<', start) - start) + "T";
}

std::optional<std::string_view> read_part(PartReader& in) {
  const std::int32_t size = in.read_int().value_or(-1);
  if (size < 0) return std::nullopt;
  return in.read(static_cast<std::size_t>(size));
}

/// A cell without metadata: a part of a frozen value.
void append_part_cell(std::string& out, const Type& type, std::optional<std::string_view> value) {
  Series cell(out, '{', '}');
  if (!value) return;
  cell.member("value");
  append_change_value(out, type, *value);
}

void append_elements(std::string& out, const Type& type, std::string_view value) {
  PartReader in(value);
  in.read_int();  // how many
  Series list(out, '[', ']');
  while (!in.at_end()) {
    list.next();
    append_part_cell(out, type.arguments.front(), read_part(in));
  }
}

void append_entries(std::string& out, const Type& type, std::string_view value) {
  PartReader in(value);
  in.read_int();
  Series list(out, '[', ']');
  while (!in.at_end()) {
    list.next();
    Series entry(out, '{', '}');
    entry.member("key");
    append_change_value(out, type.arguments[0], read_part(in).value_or(""));
    entry.member("value");
    append_change_value(out, type.arguments[1], read_part(in).value_or(""));
  }
}

void append_components(std::string& out, const Type& type, std::string_view value) {
  PartReader in(value);
  Series list(out, '[', ']');
  for (const Type& component : type.arguments) {
    list.next();
    append_part_cell(out, component, read_part(in));
  }
}

void append_fields(std::string& out, const Type& type, std::string_view value) {
  PartReader in(value);
  Series fields(out, '{', '}');
  for (std::size_t i = 0; i < type.arguments.size() && !in.at_end(); ++i) {
    fields.member(type.fields[i]);
    append_part_cell(out, type.arguments[i], read_part(in));
  }
}

void append_scalar(std::string& out, const Type& type, std::string_view value) {
  if (type.kind == Kind::blob) return append_json_string(out, base::base64_encode(value));
  if (type.kind == Kind::boolean)
    out += value.empty() ? "false" : json_text(type, value);  // the member is a truth value
  else
    append_json_string(out, value.empty() ? "" : value_text(type, value));
}

void append_metadata(std::string& out, const data::Stamp& stamp) {
  Series metadata(out, '{', '}');
  if (stamp.time_to_live != 0) {
    metadata.member("expirationTime");
    append_json_string(out, std::to_string(stamp.expires));
  }
  metadata.member("writeTime");
  append_json_string(out, std::to_string(stamp.timestamp));
}

void append_cell(std::string& out, const Type& type, std::string_view value, const data::Stamp& stamp) {
  Series cell(out, '{', '}');
  cell.member("value");
  append_change_value(out, type, value);
  cell.member("metadata");
  append_metadata(out, stamp);
}

/// The fields that have cells.
void append_field_cells(std::string& out, const Type& type, std::span<const data::Cell> cells) {
  Series fields(out, '{', '}');
  for (const data::Cell& cell : cells) {
    if (cell.path.size() != sizeof(std::uint16_t)) continue;
    const auto field = base::load_big_endian<std::uint16_t>(cell.path.data());
    if (field >= type.fields.size()) continue;
    fields.member(type.fields[field]);
    append_cell(out, type.arguments[field], cell.value, cell.stamp);
  }
}

void append_element_cells(std::string& out, const Type& type, std::span<const data::Cell> cells) {
  Series list(out, '[', ']');
  for (const data::Cell& cell : cells) {
    list.next();
    if (type.kind != Kind::map) {
      append_cell(out, type.arguments[0], type.kind == Kind::set ? cell.key : cell.value, cell.stamp);
      continue;
    }
    Series entry(out, '{', '}');
    entry.member("key");
    append_change_value(out, type.arguments[0], cell.key);
    entry.member("value");
    append_change_value(out, type.arguments[1], cell.value);
    entry.member("metadata");
    append_metadata(out, cell.stamp);
  }
}

/// The cells of a column with elements or fields, as one cell.
void append_parts(std::string& out, const Type& type, std::span<const data::Cell> cells) {
  Series cell(out, '{', '}');
  cell.member("value");
  Series value(out, '{', '}');
  value.member(name_of_member(type));
  if (type.kind == Kind::udt)
    append_field_cells(out, type, cells);
  else
    append_element_cells(out, type, cells);
}

}  // namespace

void append_change_value(std::string& out, const Type& type, std::string_view value) {
  Series object(out, '{', '}');
  object.member(name_of_member(type));
  switch (type.kind) {
    case Kind::list:
    case Kind::set:
      return append_elements(out, type, value);
    case Kind::map:
      return append_entries(out, type, value);
    case Kind::tuple:
      return append_components(out, type, value);
    case Kind::udt:
      return append_fields(out, type, value);
    default:
      return append_scalar(out, type, value);
  }
}

void append_key_values(std::string& out, std::span<const schema::Column> columns,
                       std::span<const std::string_view> values) {
  Series object(out, '{', '}');
  for (std::size_t i = 0; i < std::min(columns.size(), values.size()); ++i) {
    object.member(columns[i].name);
    append_change_value(out, columns[i].type, values[i]);
  }
}

void append_change_cells(std::string& out, const schema::Table& table, const data::Cells& cells) {
  Series object(out, '{', '}');
  for (std::size_t first = 0; first < cells.size();) {
    std::size_t end = first + 1;
    while (end < cells.size() && cells[end].column == cells[first].column) ++end;
    if (const schema::Column* const column = table.find_column(cells[first].column)) {
      object.member(column->name);
      if (column->has_parts())
        append_parts(out, column->type, std::span(cells).subspan(first, end - first));
      else
        append_cell(out, column->type, cells[first].value, cells[first].stamp);
    }
    first = end;
  }
}

}  // namespace dinette::cql
