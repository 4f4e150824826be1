#include "dynamodb/codec/record.h"

#include <array>
#include <cstdint>
#include <stdexcept>

#include "dynamodb/codec/decoder.h"
#include "dynamodb/codec/item_text.h"
#include "dynamodb/codec/parser_trim.h"

namespace dinette::dynamodb::codec {
namespace {

constexpr std::size_t header_bytes = 4;

/// A text buffer of this size stays with the thread; a larger one is given up.
constexpr std::size_t kept_text_bytes = 64 * 1024;

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
  // A parser of the thread's own: the request's is still in use. Nothing of its document outlives this
  // function.
  thread_local simdjson::dom::parser parser;
  const ParserTrim trim(parser);
  const std::string_view text = record_text(record);
  JsonElement json;
  ItemInput input;
  Decoder decoder(model::Generation::current);
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS || !decoder.read(json, input)) {
    throw std::runtime_error("a stored item does not read as one");
  }
  return std::move(input.attributes);
}

}  // namespace dinette::dynamodb::codec
