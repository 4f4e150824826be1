#include "dynamodb/request/item_claims.h"

#include "dynamodb/request/cancellation.h"

namespace dinette::dynamodb {
namespace {

/// As the reason of a cancellation the sentence has a full stop, alone it has none
/// (docs/service/transactions.md sections 5 and 7).
constexpr std::string_view ongoing = "Transaction is ongoing for the item";

ApiError conflict_reason() {
  return {api::ErrorCode::transaction_conflict_exception, std::string(ongoing) + "."};
}

base::Failure<ApiError> token_in_progress() {
  return base::Failure{ApiError{api::ErrorCode::transaction_in_progress_exception,
                                "Transaction from previous request is still in progress"}};
}

}  // namespace

RequestClaims::~RequestClaims() {
  const std::lock_guard lock(all_.mutex_);
  for (const auto item : items_) {
    ItemClaims::Holders& holders = item->second;
    if (holders.transaction == this)
      holders.transaction = nullptr;
    else
      --holders.writes;
    if (!holders.transaction && holders.writes == 0) all_.items_.erase(item);
  }
  if (token_) all_.tokens_.erase(*token_);
}

Answer<void> RequestClaims::write(const ClaimedItem& item) {
  const std::lock_guard lock(all_.mutex_);
  const ItemClaims::Holders* const holders = find(item);
  if (holders && holders->transaction)
    return base::Failure{ApiError{api::ErrorCode::transaction_conflict_exception, std::string(ongoing)}};
  ++hold(item).writes;
  return {};
}

Answer<void> RequestClaims::check_elsewhere(const store::Store& store, const ClaimedItem& item) const {
  const std::lock_guard lock(all_.mutex_);
  const auto found = all_.items_.find({&store, item.table, std::string(item.key)});
  if (found == all_.items_.end()) return {};
  return base::Failure{ApiError{api::ErrorCode::replicated_write_conflict_exception,
                                "One or more items in this request are being modified by a request in "
                                "another Region."}};
}

Answer<void> RequestClaims::transact(std::span<const std::optional<ClaimedItem>> items) {
  const std::lock_guard lock(all_.mutex_);
  std::vector<std::optional<ApiError>> reasons(items.size());
  bool conflict = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const ItemClaims::Holders* const holders = items[i] ? find(*items[i]) : nullptr;
    if (!holders || holders->transaction == this) continue;
    reasons[i] = conflict_reason();
    conflict = true;
  }
  if (conflict) return cancelled(std::move(reasons));
  for (const std::optional<ClaimedItem>& item : items) {
    if (item && !find(*item)) hold(*item).transaction = this;
  }
  return {};
}

Answer<void> RequestClaims::read(std::span<const ClaimedItem> items) const {
  const std::lock_guard lock(all_.mutex_);
  std::vector<std::optional<ApiError>> reasons(items.size());
  bool conflict = false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!find(items[i])) continue;
    reasons[i] = conflict_reason();
    conflict = true;
  }
  if (conflict) return cancelled(std::move(reasons));
  return {};
}

Answer<void> RequestClaims::check_token(std::string_view token) const {
  const std::lock_guard lock(all_.mutex_);
  if (!token_ && has_token(token)) return token_in_progress();
  return {};
}

Answer<void> RequestClaims::claim_token(std::string_view token) {
  const std::lock_guard lock(all_.mutex_);
  if (token_) return {};
  if (has_token(token)) return token_in_progress();
  token_ = all_.tokens_.emplace(store_, token).first;
  return {};
}

const ItemClaims::Holders* RequestClaims::find(const ClaimedItem& item) const {
  const auto found = all_.items_.find({store_, item.table, std::string(item.key)});
  return found == all_.items_.end() ? nullptr : &found->second;
}

bool RequestClaims::has_token(std::string_view token) const {
  return all_.tokens_.contains({store_, std::string(token)});
}

ItemClaims::Holders& RequestClaims::hold(const ClaimedItem& item) {
  const auto held =
      all_.items_.try_emplace({store_, item.table, std::string(item.key)}, ItemClaims::Holders()).first;
  items_.push_back(held);
  return held->second;
}

bool is_conflict(const ApiError& error) {
  return error.code == api::ErrorCode::transaction_conflict_exception ||
         error.code == api::ErrorCode::replicated_write_conflict_exception;
}

}  // namespace dinette::dynamodb
