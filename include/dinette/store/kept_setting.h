#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dinette/base/function_ref.h"
#include "dinette/kv/engine.h"

/// What a world keeps under a name in its engine, besides its data: for servers that share the engine. A fork
/// has it as well.
namespace dinette::store {

kv::Result<std::optional<kv::Value>> read_setting(const kv::Engine& engine, std::string_view name);

kv::Result<void> keep_setting(kv::Engine& engine, std::string_view name, std::string_view value);

/// Changes it while no other server does. `change` gets what is kept, "" if nothing is, and may run more than
/// once.
kv::Result<void> change_setting(kv::Engine& engine, std::string_view name,
                                base::FunctionRef<std::string(std::string_view kept)> change);

}  // namespace dinette::store
