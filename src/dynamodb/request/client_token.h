#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/jobs.h"
#include "dinette/base/sha256.h"
#include "dinette/store/store.h"

namespace dinette::dynamodb {

/// The ClientRequestToken of a transaction: it binds a request to a name, so that the same request is carried
/// out once in ten minutes however often it is sent (docs/service/transactions.md section 6). Tokens are
/// entries of no table (FORMAT.md), which are written together with what the request writes.
class ClientToken {
 public:
  /// `request` is a digest of everything by which two requests differ.
  ClientToken(std::string_view token, const base::Sha256Digest& request) : token_(token), request_(request) {}

  std::string_view text() const { return token_; }

  /// The entry of the token; refers to this.
  store::WriteTarget target() const;

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

 private:
  std::string token_;
  base::Sha256Digest request_;
};

/// Makes sure that tokens are forgotten when their time is over, the first at `due`.
void forget_tokens_later(store::Store& store, base::Jobs& jobs, base::TimePoint due);

/// Returns until when a token is remembered after its request has ended.
base::TimePoint forgotten_at(base::TimePoint end);

}  // namespace dinette::dynamodb
