#pragma once

#include <cstdint>
#include <memory>

#include "dinette/objects/object_store.h"

#include "s3/call.h"

namespace dinette::s3 {

/// Copies the next `size` bytes, through little memory.
Done copy_bytes(objects::ObjectReader& from, objects::ObjectWriter& to, std::uint64_t size);

/// Opens the object that the header x-amz-copy-source names.
Outcome<std::unique_ptr<objects::ObjectReader>> open_copy_source(const Call& call);
/// Returns true if it names the object of the request.
bool copies_onto_itself(const Call& call);

}  // namespace dinette::s3
