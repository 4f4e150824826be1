#pragma once

#include "dinette/aws/json_decoder.h"

namespace dinette::keyspaces::codec {

/// Reads JSON into the types of the API. One object per request, one thread.
class Decoder : public aws::JsonDecoder<Decoder> {};

}  // namespace dinette::keyspaces::codec
