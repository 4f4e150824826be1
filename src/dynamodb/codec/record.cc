#include "dynamodb/codec/record.h"

#include <array>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <vector>

#include "dynamodb/codec/decoder.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/parser_trim.h"

namespace dinette::dynamodb::codec {
namespace {

constexpr std::size_t header_bytes = 4;

/// A text buffer of this size stays with the thread; a larger one is given up.
constexpr std::size_t kept_text_bytes = 64 * 1024;

[[noreturn]] void throw_unreadable() {
  throw std::runtime_error("a stored item does not read as one");
}

/// A record, parsed, for as long as this lives: one at a time in a thread. The parser is the thread's own,
/// the request's being still in use.
class ParsedRecord {
 public:
  explicit ParsedRecord(std::string_view record) : trim_(parser()) {
    const std::string_view text = record_text(record);
    const simdjson::error_code failure = parser().parse(text.data(), text.size()).get(item_);
    if (failure == simdjson::MEMALLOC) throw std::bad_alloc();
    if (failure != simdjson::SUCCESS || !item_.is_object()) throw_unreadable();
  }

  JsonElement item() const { return item_; }

 private:
  static simdjson::dom::parser& parser() {
    thread_local simdjson::dom::parser parser;
    return parser;
  }

  ParserTrim trim_;
  JsonElement item_;
};

/// Names stand in ascending order in records, too: one walk along both finds what both have.
template <class Name>
model::Item read_some(std::string_view record, std::span<const Name> names) {
  std::vector<model::Attribute> found;
  found.reserve(names.size());
  Decoder decoder(model::Generation::current);
  auto name = names.begin();
  const ParsedRecord parsed(record);
  const JsonObject attributes = parsed.item().get_object().value_unsafe();
  for (const auto field : attributes) {
    while (name != names.end() && *name < field.key) ++name;
    if (name == names.end()) break;
    if (*name != field.key) continue;
    AttributeValueInput input;
    if (!decoder.read(field.value, input)) throw_unreadable();
    found.push_back({std::string(field.key), std::move(input.value)});
  }
  return model::Item::from_unsorted(std::move(found));
}

}  // namespace

kv::Value make_record(const model::Item& item, std::size_t size_in_bytes) {
  // The text is at most a few times the item's size; the buffer stays with the thread.
  thread_local std::string text;
  text.clear();
  append_item(text, item);
  std::array<char, header_bytes> header;
  for (std::size_t i = 0; i < header_bytes; ++i) header[i] = static_cast<char>(size_in_bytes >> (8 * i));
  kv::Value record = kv::Value::join({std::string_view(header.data(), header.size()), text});
  if (text.capacity() > kept_text_bytes) std::string().swap(text);
  return record;
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

model::Item read_record(std::string_view record) {
  ItemInput input;
  Decoder decoder(model::Generation::current);
  const ParsedRecord parsed(record);
  if (!decoder.read(parsed.item(), input)) throw_unreadable();
  return std::move(input.attributes);
}

model::Item read_attributes(std::string_view record, std::span<const std::string_view> names) {
  return read_some(record, names);
}

model::Item read_attributes(std::string_view record, std::span<const std::string> names) {
  return read_some(record, names);
}

}  // namespace dinette::dynamodb::codec
