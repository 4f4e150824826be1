#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "dynamodb/tasks/client_token.h"

namespace dinette::dynamodb {

/// The ClientRequestToken of a transaction, which is known for ten minutes after its request has ended
/// (docs/service/transactions.md section 6).
class TransactionToken {
 public:
  TransactionToken(const Context& context, std::string_view text, const base::Sha256Digest& request)
      : token_(context, "transaction", text, request) {}

  const std::string& key() const { return token_.key(); }
  store::WriteTarget target() const { return token_.target(); }

  enum class State : std::uint8_t {
    unbound,     ///< also if that was too long ago
    bound,       ///< to this request, which has not succeeded yet
    succeeded,   ///< this request has
    mismatched,  ///< bound to another request
  };
  /// Says what a stored entry, null for none, means to a request at `moment`.
  State state(const kv::Value* entry, base::TimePoint moment) const;

  /// Returns the read units of each action that an entry of State::succeeded keeps, for its replay.
  static std::vector<std::uint32_t> read_units(const kv::Value& entry);

  /// Adds to `change`, of target(), that the request ended at `moment`: `read_units` if it succeeded.
  /// `before` is the entry until now, null for none.
  void bind(store::RowChange& change, const kv::Value* before, base::TimePoint moment,
            std::optional<std::span<const std::uint32_t>> read_units) const;

  /// Makes sure that the token is erased after a request that ended at the context's moment.
  static void forget_later(const Context& context);

 private:
  ClientToken token_;
};

}  // namespace dinette::dynamodb
