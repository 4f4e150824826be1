#include "dynamodb/writes/transactions/transaction_token.h"

#include <chrono>
#include <string>

#include "dinette/base/bytes.h"

#include "dynamodb/api/limits.h"

namespace dinette::dynamodb {
namespace {

constexpr std::chrono::minutes token_lifetime{model::limits::transaction_token_minutes};

/// The note of a token (FORMAT.md) begins with a byte that is this once the request has succeeded.
constexpr char succeeded_mark = 1;

}  // namespace

TransactionToken::State TransactionToken::state(const kv::Value* entry, base::TimePoint moment) const {
  const ClientToken::State state = token_.state(entry, moment);
  if (state == ClientToken::State::unbound) return State::unbound;
  if (state == ClientToken::State::mismatched) return State::mismatched;
  return ClientToken::note_of(*entry).starts_with(succeeded_mark) ? State::succeeded : State::bound;
}

std::vector<std::uint32_t> TransactionToken::read_units(const kv::Value& entry) {
  std::vector<std::uint32_t> units;
  std::string_view rest = ClientToken::note_of(entry).substr(sizeof succeeded_mark);
  for (; rest.size() >= sizeof(std::uint32_t); rest.remove_prefix(sizeof(std::uint32_t)))
    units.push_back(base::load_big_endian<std::uint32_t>(rest.data()));
  return units;
}

void TransactionToken::bind(store::RowChange& change, const kv::Value* before, base::TimePoint moment,
                            std::optional<std::span<const std::uint32_t>> read_units) const {
  std::string note(1, read_units ? succeeded_mark : '\0');
  if (read_units) {
    for (const std::uint32_t units : *read_units) base::append_big_endian(note, units);
  }
  token_.bind(change, before, moment + token_lifetime, note);
}

void TransactionToken::forget_later(const Context& context) {
  forget_tokens_later(context.store, context.jobs, context.now + token_lifetime);
}

}  // namespace dinette::dynamodb
