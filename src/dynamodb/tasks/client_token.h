#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/jobs.h"
#include "dinette/base/sha256.h"
#include "dinette/store/scan.h"
#include "dinette/store/store.h"

#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// The token of a client: it binds a request to a name, so that the same request is carried out once however
/// often it is sent, until the token's time is over. Tokens are entries of no table (FORMAT.md), which are
/// written together with what the request writes.
class ClientToken {
 public:
  /// Of the context's account and region. `operation` names what has tokens of its own; `request` is a digest
  /// of everything by which two requests differ.
  ClientToken(const Context& context, std::string_view operation, std::string_view text,
              const base::Sha256Digest& request);

  /// Returns the token's key, which no other token has.
  const std::string& key() const { return key_; }

  /// The entry of the token; refers to this.
  store::WriteTarget target() const;

  enum class State : std::uint8_t {
    unbound,     ///< also if its time is over
    bound,       ///< to this request
    mismatched,  ///< to another request
  };
  /// Says what a stored entry, null for none, means to a request at `moment`.
  State state(const kv::Value* entry, base::TimePoint moment) const;
  /// Returns the stored entry; nothing if there is none.
  kv::Result<std::optional<kv::Value>> read(const store::View& view) const;

  /// Returns what the request has noted with an entry that is not State::unbound: a view of it.
  static std::string_view note_of(const kv::Value& entry);

  /// Adds to `change`, of target(), that the token is bound until `end`. `before` is the entry until now,
  /// null for none; `note` comes back from note_of().
  void bind(store::RowChange& change, const kv::Value* before, base::TimePoint end,
            std::string_view note) const;
  /// Adds the same to what is written along with the change of a table.
  void bind(std::vector<store::EntryWrite>& entries, const kv::Value* before, base::TimePoint end,
            std::string_view note) const;

 private:
  struct Binding {
    kv::Value entry;                        ///< of target()
    std::vector<store::EntryWrite> by_end;  ///< written along with it
  };
  Binding binding(const kv::Value* before, base::TimePoint end, std::string_view note) const;

  std::string key_;
  base::Sha256Digest request_;
};

/// Makes sure that tokens are erased when their time is over, the first at `due`.
void forget_tokens_later(store::Store& store, base::Jobs& jobs, base::TimePoint due);

/// Does so for the tokens that are stored: for a server that starts. Erases those of former formats, which
/// are not known any more.
void resume_tokens(store::Store& store, base::Jobs& jobs);

}  // namespace dinette::dynamodb
