#include "dynamodb/codec/record.h"

#include <array>
#include <cstdint>
#include <new>

#include "dynamodb/codec/attribute_cursor.h"
#include "dynamodb/codec/decoder.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/parser_trim.h"
#include "dynamodb/codec/pooled_text.h"

namespace dinette::dynamodb::codec {
namespace {

constexpr std::size_t header_bytes = 4;

/// The item of a text that append_item wrote. The parser is the thread's own, the request's being still in
/// use.
model::Item read_item(std::string_view text) {
  thread_local simdjson::dom::parser parser;
  const ParserTrim trim(parser);
  JsonElement json;
  const simdjson::error_code failure = parser.parse(text.data(), text.size()).get(json);
  if (failure == simdjson::MEMALLOC) throw std::bad_alloc();
  ItemInput input;
  Decoder decoder(model::Generation::current, Decoder::Source::record);
  if (failure != simdjson::SUCCESS || !decoder.read(json, input)) throw_unreadable();
  return std::move(input.attributes);
}

/// The text of an item, put together attribute by attribute.
class GrowingItem {
 public:
  void add(std::string_view attribute_text) {
    separate();
    *text_ += attribute_text;
  }
  void add(const model::Attribute& attribute) {
    separate();
    append_attribute(*text_, attribute);
  }

  bool empty() const { return (*text_).empty(); }
  /// Nothing may be added any more; lives as long as this.
  std::string_view finished() {
    *text_ += empty() ? "{}" : "}";
    return *text_;
  }

 private:
  void separate() { *text_ += empty() ? '{' : ','; }

  PooledText text_;
};

/// Names stand in ascending order in records, too: one walk along both finds what both have.
template <class Name>
model::Item read_some(std::string_view record, std::span<const Name> names) {
  GrowingItem found;
  AttributeCursor attribute(record_text(record));
  auto name = names.begin();
  while (name != names.end() && attribute.next()) {
    while (name != names.end() && *name < attribute.name()) ++name;
    if (name != names.end() && *name == attribute.name()) found.add(attribute.text());
  }
  return found.empty() ? model::Item() : read_item(found.finished());
}

kv::Value join(std::size_t size_in_bytes, std::string_view text) {
  std::array<char, header_bytes> header;
  for (std::size_t i = 0; i < header_bytes; ++i) header[i] = static_cast<char>(size_in_bytes >> (8 * i));
  return kv::Value::join({std::string_view(header.data(), header.size()), text});
}

}  // namespace

kv::Value make_record(const model::Item& item, std::size_t size_in_bytes) {
  PooledText text;
  append_item(*text, item);
  return join(size_in_bytes, *text);
}

kv::Value replace_attributes(std::string_view record, std::span<const std::string_view> names,
                             const model::Item& attributes, std::size_t size_in_bytes) {
  GrowingItem item;
  auto added = attributes.begin();
  auto replaced = names.begin();
  for (AttributeCursor attribute(record_text(record)); attribute.next();) {
    const std::string_view name = attribute.name();
    while (replaced != names.end() && *replaced < name) ++replaced;
    if (replaced != names.end() && *replaced == name) continue;
    for (; added != attributes.end() && added->name < name; ++added) item.add(*added);
    item.add(attribute.text());
  }
  for (; added != attributes.end(); ++added) item.add(*added);
  return join(size_in_bytes, item.finished());
}

std::size_t record_size(std::string_view record) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < header_bytes; ++i)
    size |= std::size_t{static_cast<unsigned char>(record[i])} << (8 * i);
  return size;
}

std::string_view record_text(std::string_view record) {
  return record.substr(header_bytes);
}

model::Item read_attributes(std::string_view record, std::span<const std::string_view> names) {
  return read_some(record, names);
}

model::Item read_attributes(std::string_view record, std::span<const std::string> names) {
  return read_some(record, names);
}

}  // namespace dinette::dynamodb::codec
