#include "tablestore/plainbuffer/row_writer.h"

#include <cstdint>
#include <cstring>

#include "tablestore/plainbuffer/byte_writer.h"
#include "tablestore/plainbuffer/tags.h"
#include "tablestore/plainbuffer/variant.h"

namespace dinette::tablestore::plainbuffer {
namespace {

void append_tag(std::string& out, Tag tag) {
  append_number(out, static_cast<std::uint8_t>(tag));
}

void append_checksum(std::string& out, Tag tag, std::uint8_t sum) {
  append_tag(out, tag);
  append_number(out, sum);
}

constexpr std::size_t tag_size = 1;
constexpr std::size_t text_length_size = sizeof(std::uint32_t);
constexpr std::size_t byte_part_size = tag_size + sizeof(std::uint8_t);

std::size_t size_of_cell(const CellChange& cell) {
  std::size_t size = tag_size + tag_size + text_length_size + cell.name.size() + byte_part_size;
  if (cell.value) size += tag_size + text_length_size + variant_size(*cell.value);
  if (cell.operation) size += byte_part_size;
  if (cell.version) size += tag_size + sizeof *cell.version;
  return size;
}

/// Writes the parts of a cell to memory that is known to suffice. Returns what it has written, for checksums.
class CellWriter {
 public:
  explicit CellWriter(char* at) : at_(at) {}

  template <class Number>
  std::string_view number(Number number) {
    store_number(at_, number);
    return advance(sizeof number);
  }
  void tag(Tag tag) { number(static_cast<std::uint8_t>(tag)); }
  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    if (!text.empty()) std::memcpy(at_, text.data(), text.size());
    advance(text.size());
  }
  std::string_view variant(const Value& value) {
    store_variant(at_, value);
    return advance(variant_size(value));
  }

 private:
  std::string_view advance(std::size_t size) {
    at_ += size;
    return {at_ - size, size};
  }

  char* at_;
};

}  // namespace

void RowWriter::add(const Row& row) {
  begin(row.key);
  for (const Cell& one : row.cells) cell(one.name, one.value, one.version);
  end();
}

void RowWriter::add(const RowMessage& row) {
  begin(row.key);
  for (const CellChange& one : row.cells) cell(one);
  end(row.deletes);
}

void RowWriter::begin(const PrimaryKey& key) {
  if (out_.empty()) append_number(out_, header);
  sum_ = {};
  has_attributes_ = false;
  append_tag(out_, Tag::key);
  for (const KeyColumn& column : key) write_cell({.name = column.name, .value = column.value});
}

void RowWriter::cell(std::string_view name, const Value& value, CellVersion version) {
  cell({.name = name, .value = value, .version = version});
}

void RowWriter::cell(const CellChange& change) {
  if (!has_attributes_) append_tag(out_, Tag::attributes);
  has_attributes_ = true;
  write_cell(change);
}

void RowWriter::end(bool deletes) {
  if (deletes) append_tag(out_, Tag::delete_marker);
  sum_.add(static_cast<std::uint8_t>(deletes));
  append_checksum(out_, Tag::row_checksum, sum_.value());
}

/// The operation is written before the version, and summed up after it (tablestore/plainbuffer.md section 4).
void RowWriter::write_cell(const CellChange& change) {
  const std::size_t begin = out_.size();
  out_.resize(begin + size_of_cell(change));
  CellWriter out(out_.data() + begin);
  out.tag(Tag::cell);
  out.tag(Tag::name);
  out.text(change.name);
  Crc8 sum;
  sum.add(change.name);
  if (change.value) {
    out.tag(Tag::value);
    out.number(static_cast<std::uint32_t>(variant_size(*change.value)));
    sum.add(out.variant(*change.value));
  }
  if (change.operation) {
    out.tag(Tag::operation);
    out.number(static_cast<std::uint8_t>(*change.operation));
  }
  if (change.version) {
    out.tag(Tag::version);
    sum.add(out.number(*change.version));
  }
  if (change.operation) sum.add(static_cast<std::uint8_t>(*change.operation));
  out.tag(Tag::cell_checksum);
  out.number(sum.value());
  sum_.add(sum.value());
}

std::string encode_key(const PrimaryKey& key) {
  std::string bytes;
  RowWriter writer(bytes);
  writer.begin(key);
  writer.end();
  return bytes;
}

}  // namespace dinette::tablestore::plainbuffer
