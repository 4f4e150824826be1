#pragma once

#include <optional>
#include <string_view>

#include "dinette/aws/kept_json.h"

#include "dynamodb/api/codec.h"
#include "dynamodb/codec/decoder.h"

/// What the server keeps as JSON: the structures of api-specs/dynamodb/records.json.
namespace dinette::dynamodb {

using aws::encode_kept;

/// Returns nothing if the text cannot be read.
template <class Record>
std::optional<Record> decode_kept(std::string_view text) {
  return aws::decode_kept<Record>(text, codec::Decoder(model::Generation::current));
}

}  // namespace dinette::dynamodb
