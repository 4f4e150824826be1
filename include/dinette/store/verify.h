#pragma once

#include <cstdint>
#include <string>

#include "dinette/base/function_ref.h"
#include "dinette/kv/engine.h"

namespace dinette::store {

/// Receives a message about each fault that a check finds.
using ReportFault = base::FunctionRef<void(std::string fault)>;

/// Checks what the store keeps of the tables of a face in addition to their contents (FORMAT.md): each name
/// record can be decoded and has the stamp of its version, and there are no keys of tables that do not exist.
/// Fails if the engine cannot be read.
kv::Result<void> verify_tables(const kv::Engine& engine, std::uint8_t face_id, ReportFault report);

}  // namespace dinette::store
