#pragma once

#include <cstdint>
#include <string>

#include "dinette/base/result.h"

namespace dinette::kv {

/// What can go wrong below the store. "Not found" is no error: it is an empty optional.
enum class ErrorKind : std::uint8_t {
  conflict,     ///< others changed what the transaction stood on, more often than the engine would try again
  timed_out,    ///< the deadline passed before the locks were free
  io,           ///< the medium or the connection failed; whether the write took place is unknown
  corrupt,      ///< stored bytes do not read as what they should be
  unsupported,  ///< this engine cannot do it
  too_large,    ///< a key or value beyond the limits of engine.h; nothing was written
};

struct Error {
  ErrorKind kind;
  std::string message;  ///< one sentence for a log; never shown to clients
};

template <class T>
using Result = base::Result<T, Error>;

}  // namespace dinette::kv
