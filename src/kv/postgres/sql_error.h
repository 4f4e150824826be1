#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "dinette/kv/error.h"

namespace dinette::kv::postgres {

/// Why a flush of statements failed.
struct SqlError {
  std::string state;          ///< SQLSTATE; empty if the connection ended or did not answer in time
  std::string message;        ///< as the database or libpq says it
  std::size_t statement = 0;  ///< which of the flush failed, from 0
};

/// The SQLSTATE of a connection that could not be made.
inline constexpr const char* no_connection = "08001";

/// What is said of a database that is not heard of in time.
inline constexpr const char* no_answer = "the database did not answer in time";

/// What an error means for the flush that it ended (docs/service-postgres.md section 9).
enum class SqlTrouble : std::uint8_t {
  check_failed,  ///< a statement that checks something: nothing was done
  conflict,      ///< a deadlock, a serialization failure: nothing was done, and it may go well next time
  unprepared,    ///< something in between forgets prepared statements: nothing was done
  overflow,      ///< a number became too large: nothing was done
  locked,        ///< the locks were not free in time: nothing was done
  lost,          ///< the connection ended: a commit may have taken place
  away,          ///< there is no connection: nothing was done
  refused,       ///< anything else: nothing was done
};

SqlTrouble trouble_of(const SqlError& error);

/// Returns true if the same statements may succeed the next time, on another connection. For those that only
/// read, or may be executed twice.
bool may_repeat(const SqlError& error);

/// Returns what an engine returns for it.
Error kv_error(const SqlError& error);

/// Returns a sentence for the user of a server that cannot start because of it. `has_tables`: the tables that
/// it needs exist.
std::string explain_at_start(const SqlError& error, bool has_tables);

template <class T>
using SqlResult = base::Result<T, SqlError>;

}  // namespace dinette::kv::postgres
