#include "dynamodb/writes/transactions/transaction.h"

#include <algorithm>
#include <set>
#include <utility>

#include "dynamodb/items/touched_keys.h"
#include "dynamodb/request/cancellation.h"
#include "dynamodb/request/charge.h"
#include "dynamodb/request/gate.h"
#include "dynamodb/request/hand_to_worker.h"
#include "dynamodb/request/item_claims.h"
#include "dynamodb/request/table_charges.h"
#include "dynamodb/writes/expiration.h"
#include "dynamodb/writes/item_batch.h"
#include "dynamodb/writes/transactions/transaction_output.h"
#include "dynamodb/writes/write_throughput.h"

namespace dinette::dynamodb {
namespace {

ApiError token_mismatch() {
  return {
      api::ErrorCode::idempotent_parameter_mismatch_exception,
      "Specified idempotent token was used with different request parameters within the idempotency window"};
}

std::uint32_t read_units_of(const WritePlan& plan) {
  return static_cast<std::uint32_t>(read_units(std::max(plan.before_size, plan.after_size), true));
}

class Transaction {
 public:
  Transaction(const Context& context, std::span<const TransactionAction> actions,
              const TransactionToken* token)
      : context_(context), actions_(actions), token_(token), reasons_(actions.size()) {
    note_fault();
    if (is_hindered()) return;
    for (const TransactionAction& action : actions) batch_.add(*action.table.table, *action.action);
  }

  Answer<std::optional<WrittenTransaction>> run() {
    if (context_.claims) DINETTE_CHECK(claim());
    if (context_.gate && !is_hindered()) [[unlikely]]
      DINETTE_CHECK(admit());
    const std::vector<store::WriteTarget> targets = this->targets();
    const auto decide = [this](const store::Rows& rows, store::RowChanges changes) {
      return this->decide(rows, changes);
    };
    DINETTE_STORED(const auto end, context_.store.write(targets, decide));
    if (end.outcome == store::WriteOutcome::table_changed) return std::optional<WrittenTransaction>();
    if (refusal_) return refuse(*std::move(refusal_));
    if (end.outcome == store::WriteOutcome::partition_full) reasons_[end.target] = collection_full().error();
    if (is_cancelled()) return cancel();
    if (token_ && !written_.replayed()) TransactionToken::forget_later(context_);
    if (context_.gate) [[unlikely]]
      take();
    for (std::size_t i = 0; i < written_.items.size(); ++i) {
      if (wants_keys(context_)) note_item(i);
      if (const auto& expires = written_.items[i].expires)
        expire_later(context_, *actions_[i].table.table, *expires);
    }
    return std::optional(std::move(written_));
  }

 private:
  void note_item(std::size_t i) const {
    dynamodb::note_item(context_, actions_[i].table, actions_[i].action->key_attributes(),
                        written_.items[i].plan.after_size);
  }

  /// The first fault is the only reason (docs/service/transactions.md section 4, step 8).
  void note_fault() {
    const auto first =
        std::ranges::find_if(actions_, [](const auto& action) { return action.fault.has_value(); });
    if (first == actions_.end()) return;
    hindrances_.resize(actions_.size());
    hindrances_[static_cast<std::size_t>(first - actions_.begin())] =
        ApiError{first->fault->code, first->fault->message};
  }

  /// Claims token and items if conflicts are refused. A conflict replaces other failures
  /// (docs/service/transactions.md section 4, step 7).
  Answer<void> claim() {
    if (token_) {
      DINETTE_CHECK(context_.claims->check_token(token_->key()));
      DINETTE_TRY(const bool accepted, is_accepted());
      if (!accepted) return {};  // a replay blocks no other request
      DINETTE_CHECK(context_.claims->claim_token(token_->key()));
    }
    std::vector<std::optional<ClaimedItem>> items;
    for (const TransactionAction& action : actions_) {
      items.emplace_back();
      if (action.action) items.back() = ClaimedItem{action.table.table->id, action.action->key()};
    }
    if (auto claimed = context_.claims->transact(items); !claimed)
      hindrances_ = std::move(claimed).error().reasons;
    return {};
  }

  /// Asks the gate about all tables, then about all partitions: for writes, or for the reads that a replay
  /// is charged as.
  Answer<void> admit() {
    bool writes = true;
    if (token_) {
      DINETTE_TRY(writes, is_accepted());
      if (refusal_) return {};  // found again by the decision
    }
    for (const bool partitions : {false, true}) {
      for (const TransactionAction& action : actions_) {
        auto admitted = admit(action, writes, partitions);
        if (!admitted) return refuse(std::move(admitted).error());
      }
    }
    return {};
  }

  Answer<void> admit(const TransactionAction& action, bool writes, bool partition) const {
    const store::Table& table = *action.table.table;
    const std::string& key = action.action->key();
    if (writes)
      return partition ? admit_write_to_partition(context_, table, key)
                       : admit_write_to_table(context_, table, key);
    const Throughput reads{table, nullptr, Axis::read, key};
    return partition ? context_.gate->admit_partition(context_, {reads, store::hash_at(key)}, 1)
                     : context_.gate->admit_throughput(context_, reads, 1);
  }

  void take() const {
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      const store::Table& table = *actions_[i].table.table;
      const std::string& key = actions_[i].action->key();
      const double units = charge_of_action(written_, i).table;
      if (written_.replayed())
        take_of_table(context_, table, key, Axis::read, units);
      else
        take_write(context_, table, key, written_.items[i].plan, units);
    }
  }

  /// Refuses the transaction. If throttled, it binds the token as if cancelled (docs/service/throttling.md
  /// section 4).
  base::Failure<ApiError> refuse(ApiError error) {
    if (!error.throttling.empty()) {
      if (auto bound = bind_token(); !bound) return base::Failure{std::move(bound).error()};
    }
    return base::Failure{std::move(error)};
  }

  /// Returns false if what the token is bound to decides.
  Answer<bool> is_accepted() {
    const store::WriteTarget target = token_->target();
    bool accepted = false;
    const auto look = [&](const store::Rows& rows, store::RowChanges) {
      accepted = accept(rows[0]);
      return false;
    };
    DINETTE_STORED([[maybe_unused]] const auto looked, context_.store.write(std::span(&target, 1), look));
    return accepted;
  }

  bool is_hindered() const { return !hindrances_.empty(); }
  bool is_cancelled() const {
    return std::ranges::any_of(reasons_, [](const auto& reason) { return reason.has_value(); });
  }

  /// The items, unless they cannot be written, and then the token.
  std::vector<store::WriteTarget> targets() {
    std::vector<store::WriteTarget> targets;
    if (!is_hindered()) targets = batch_.targets();
    if (token_) targets.push_back(token_->target());
    return targets;
  }

  /// Returns false to leave everything as it is; why that is so is in the members.
  bool decide(const store::Rows& rows, store::RowChanges changes) {
    written_ = {};
    refusal_.reset();
    std::ranges::fill(reasons_, std::nullopt);
    if (token_ && !accept(rows[changes.size() - 1])) return false;
    if (is_hindered()) {
      report_hindrances();
      return false;
    }
    std::size_t work = 0;
    for (std::size_t i = 0; i < actions_.size(); ++i) {
      if (!decide_one(i, rows, changes[i])) return false;
      work += work_of(written_.items[i]);
      if (auto within = check_loop_work(work); !within) {
        refusal_ = std::move(within).error();
        return false;
      }
      written_.items[i].old.forget_item();
      actions_[i].action->forget_decision();
    }
    if (is_cancelled()) return false;
    if (token_)
      token_->bind(changes.back(), rows[changes.size() - 1], context_.now, std::span(written_.read_units));
    return true;
  }

  /// Returns false if what the token is bound to decides.
  bool accept(const kv::Value* entry) {
    const TransactionToken::State state = token_->state(entry, context_.now);
    if (state == TransactionToken::State::mismatched) refusal_ = token_mismatch();
    if (state == TransactionToken::State::succeeded)
      written_.read_units = TransactionToken::read_units(*entry);
    return state == TransactionToken::State::unbound || state == TransactionToken::State::bound;
  }

  void report_hindrances() {
    for (std::size_t i = 0; i < hindrances_.size(); ++i) {
      if (hindrances_[i]) reasons_[i] = ApiError{hindrances_[i]->code, hindrances_[i]->message};
    }
  }

  /// Goes on after a failure, since all of them are reported; returns false after one of the whole request.
  bool decide_one(std::size_t index, const store::Rows& rows, store::RowChange& change) {
    const TransactionAction& action = actions_[index];
    WrittenItem& written = written_.items.emplace_back();
    WriteOrigin origin = batch_.origin_of(context_, index);
    origin.in_transaction = true;
    auto decided = batch_.decide(index, rows, origin, written);
    if (context_.gate) [[unlikely]] {
      decided =
          admit_write_to_indexes(context_, *action.table.table, *action.action, written, std::move(decided));
    }
    if (!decided && decided.error().of_request) {
      refusal_ = std::move(decided).error();
      return false;
    }
    if (!decided) {
      reasons_[index] = std::move(decided).error();
      return true;
    }
    change = std::move(written.plan.change);
    written_.read_units.push_back(read_units_of(written.plan));
    return true;
  }

  /// Binds the token, if there is one, though nothing was done: a retry must be the same request
  /// (docs/service/transactions.md section 6).
  Answer<void> bind_token() {
    if (!token_) return {};
    const store::WriteTarget target = token_->target();
    const auto bind = [this](const store::Rows& rows, store::RowChanges changes) {
      const bool binds = token_->state(rows[0], context_.now) == TransactionToken::State::unbound;
      if (binds) token_->bind(changes[0], rows[0], context_.now, std::nullopt);
      return binds;
    };
    DINETTE_STORED([[maybe_unused]] const auto bound, context_.store.write(std::span(&target, 1), bind));
    TransactionToken::forget_later(context_);
    return {};
  }

  Answer<std::optional<WrittenTransaction>> cancel() {
    DINETTE_CHECK(bind_token());
    charge_failure();
    return cancelled(std::move(reasons_));
  }

  /// Charges each action whose item was read, failing or not, the cost of writing that item again
  /// (docs/service/capacity.md section 3).
  void charge_failure() const {
    if (!context_.gate && !context_.capacity && !context_.details) return;
    TableCharges charges;
    for (std::size_t i = 0; i < written_.items.size(); ++i) {
      const double units = 2 * write_units(written_.items[i].old.size());
      charges.add(actions_[i].table_name, {.failed = units});
      if (context_.gate)
        take_of_table(context_, *actions_[i].table.table, actions_[i].action->key(), Axis::write, units);
    }
    charges.tell_gate(context_);
  }

  const Context& context_;
  const std::span<const TransactionAction> actions_;
  const TransactionToken* const token_;
  /// Reasons to cancel that are known before the items are read: one per action, or none at all.
  std::vector<std::optional<ApiError>> hindrances_;
  ItemBatch batch_;  ///< empty if an action has a fault

  // What the last decision came to:
  WrittenTransaction written_;       ///< an item per action, also of one that failed
  std::optional<ApiError> refusal_;  ///< of the whole request
  std::vector<std::optional<ApiError>> reasons_;
};

}  // namespace

Answer<void> check_may_transact(const OpenTable& table) {
  const ReplicationSchema* const replication = table.table ? table.schema().replication() : nullptr;
  if (!replication || !replication->strong) return {};
  return validation(
      "Transactions are not supported on global tables with MultiRegionConsistency set to STRONG.");
}

Answer<void> check_each_item_once(std::span<const TransactionAction> actions) {
  if (std::ranges::any_of(actions, [](const auto& action) { return action.fault.has_value(); })) return {};
  std::set<std::pair<store::TableId, std::string_view>> seen;
  for (const TransactionAction& action : actions) {
    if (!seen.emplace(action.table.table->id, action.action->key()).second)
      return validation("Transaction request cannot include multiple operations on one item");
  }
  return {};
}

Answer<std::optional<WrittenTransaction>> write_transaction(const Context& context,
                                                            std::span<const TransactionAction> actions,
                                                            const TransactionToken* token) {
  for (const TransactionAction& action : actions) DINETTE_CHECK(check_may_transact(action.table));
  return Transaction(context, actions, token).run();
}

}  // namespace dinette::dynamodb
