#pragma once

#include <cstdint>
#include <string>

#include "dinette/base/result.h"

namespace dinette::kv {

/// The errors below the store. An absent key is not an error but an empty optional.
enum class ErrorKind : std::uint8_t {
  conflict,     ///< other commits changed what the transaction had read, more often than the engine retries
  timed_out,    ///< the deadline passed before the locks were free
  would_block,  ///< this thread may not wait (base::may_wait), and the call would have to; nothing was done
  io,           ///< the medium or the connection failed; whether the write took place is unknown
  corrupt,      ///< stored bytes cannot be decoded
  unsupported,  ///< this engine cannot do it
  exhausted,    ///< a limit of this machine is reached, such as that of open files; nothing was done
  too_large,    ///< a key or value beyond the limits of engine.h; nothing was written
};

struct Error {
  ErrorKind kind;
  std::string message;  ///< for a log, never for clients; of `exhausted` for those who administrate, too
};

/// Returns true if others were in the way: the same may succeed when it is done again, or where it may wait.
constexpr bool is_contention(const Error& error) {
  return error.kind == ErrorKind::conflict || error.kind == ErrorKind::timed_out ||
         error.kind == ErrorKind::would_block;
}

template <class T>
using Result = base::Result<T, Error>;

}  // namespace dinette::kv
