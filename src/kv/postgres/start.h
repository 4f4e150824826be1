#pragma once

#include <memory>

#include "kv/postgres/pool.h"

namespace dinette::kv::postgres {

/// Connects, checks that the database can be used, makes the tables unless they exist, and gives this server
/// its number; if the database is only to be read, checks that the tables exist. The error is a sentence for
/// the user.
Result<std::shared_ptr<Pool>> start(Pool::Settings settings);

}  // namespace dinette::kv::postgres
