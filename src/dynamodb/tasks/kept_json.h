#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/aws/json.h"
#include "dinette/aws/json_writer.h"

#include "dynamodb/api/codec.h"
#include "dynamodb/codec/decoder.h"

/// What the server keeps as JSON: the structures of api-specs/dynamodb/records.json.
namespace dinette::dynamodb {

template <class Record>
std::string encode_kept(const Record& record) {
  std::string text;
  aws::JsonWriter json(text);
  api::encode(json, record);
  return text;
}

/// Returns nothing if the text cannot be read.
template <class Record>
std::optional<Record> decode_kept(std::string_view text) {
  simdjson::dom::parser parser;
  codec::JsonElement json;
  codec::Decoder decoder(model::Generation::current);
  Record record;
  if (parser.parse(text.data(), text.size()).get(json) != simdjson::SUCCESS) return std::nullopt;
  if (!api::decode(decoder, json, record)) return std::nullopt;
  return record;
}

}  // namespace dinette::dynamodb
