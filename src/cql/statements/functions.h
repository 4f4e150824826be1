#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"

#include "cql/error.h"
#include "cql/types/type.h"

/// The native functions (docs/service-keyspaces/grammar.md section 6).
namespace dinette::cql::statements {

/// What functions use besides their arguments.
struct CallContext {
  base::TimePoint now;
  base::Ids& ids;
};

using Argument = std::optional<std::string_view>;
using Returned = std::optional<std::string>;

/// One signature of a function. Immutable, of static storage.
struct Function {
  std::string name{};  ///< in lower case
  std::vector<Type> arguments{};
  Type returns{};
  /// None of the arguments is null.
  Answer<Returned> (*call)(const Function& function, const CallContext& context,
                           std::span<const Argument> arguments) = nullptr;
};

/// Returns the signatures of a name in lower case; none if there is no such function.
std::span<const Function> find_functions(std::string_view name);

/// Calls a function: null if one of the arguments is.
Answer<Returned> call(const Function& function, const CallContext& context,
                      std::span<const Argument> arguments);

/// Returns "system.todate : (timestamp) -> date", as messages show signatures.
std::string signature_of(const Function& function);

/// Returns a new uuid of version 1, at that time.
std::string new_timeuuid(const CallContext& context);
/// Returns milliseconds since 1970 of a uuid of version 1.
std::int64_t milliseconds_of(std::string_view timeuuid);

/// Returns true if CAST can make the one of the other (section 7).
bool can_cast(const Type& from, const Type& to);
/// Makes it. `value` is one of `from`.
Answer<std::string> cast_value(const Type& from, const Type& to, std::string_view value);

}  // namespace dinette::cql::statements
