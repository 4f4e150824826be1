#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "dinette/aws/json.h"
#include "dinette/aws/output_shape.h"

/// CBOR (RFC 8949) as AWS services speak it: the same members as in JSON, but bytes are byte strings, and
/// times have a tag. Requests become the JSON that the services read; their responses, which are JSON, become
/// CBOR (docs/service/wire.md section 10).
namespace dinette::aws {

/// What the number after the tag of a time counts, since 1970.
enum class CborTime {
  seconds,       ///< as in RFC 8949, with a fraction: Smithy RPC v2
  milliseconds,  ///< application/x-amz-cbor-1.0 and 1.1
};

struct CborRules {
  CborTime time = CborTime::seconds;
  /// The members whose values, or elements of their lists, may be byte strings; none: all members.
  std::span<const std::string_view> blob_members = {};
  std::size_t most_json_bytes = 0;  ///< of the JSON that a request becomes
};

struct CborError {
  std::string_view reason;  ///< of static storage
  std::size_t byte;         ///< where it was found, from 0
};

/// Appends to `json` what one value of CBOR is in JSON: byte strings in base64, times as epoch seconds,
/// undefined as null. Returns what is wrong with it, if anything is; `json` then ends anywhere.
///
/// Refused are: more than one value; keys that are not text; byte strings where none may be; other tags than
/// that of times; other simple values than true, false, null and undefined; floats that are no numbers;
/// integers below the smallest of 64 bits; what is nested deeper than JSON may be (json_levels); and what
/// becomes longer JSON than `rules` allow. Text is not checked: it may be no UTF-8, which readers of the JSON
/// refuse. Names may repeat. Needs no more memory than the JSON, and does not recurse.
std::optional<CborError> cbor_to_json(std::string_view cbor, const CborRules& rules, std::string& json);

/// Appends the CBOR of a response. Maps and lists have indefinite lengths, as in those of the services. The
/// shape may be null.
void json_to_cbor(JsonElement json, const OutputShape* shape, CborTime time, std::string& cbor);

}  // namespace dinette::aws
