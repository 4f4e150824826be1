#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/aws/json.h"
#include "dinette/aws/json_writer.h"

/// What a service keeps as JSON: the structures of its api-specs/<service>/records.json.
namespace dinette::aws {

template <class Record>
std::string encode_kept(const Record& record) {
  std::string text;
  JsonWriter json(text);
  encode(json, record);
  return text;
}

/// Returns nothing if the text cannot be read.
template <class Record, class Decoder>
std::optional<Record> decode_kept(std::string_view text, Decoder decoder) {
  simdjson::dom::parser parser;
  JsonElement json;
  Record record;
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS) return std::nullopt;
  if (!decode(decoder, json, record)) return std::nullopt;
  return record;
}

}  // namespace dinette::aws
