#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "dinette/store/catalog.h"

#include "dynamodb/request/api_error.h"

namespace dinette::store {
class Store;
}

namespace dinette::dynamodb {

class RequestClaims;

/// The items that ongoing requests write, and the tokens of ongoing transactions, of all worlds. With it,
/// requests in each other's way are refused as the service does (docs/service/transactions.md sections 6 and
/// 7); without it they wait for each other. Thread-safe, through the RequestClaims on it.
class ItemClaims {
 public:
  ItemClaims() = default;
  ItemClaims(const ItemClaims&) = delete;
  ItemClaims& operator=(const ItemClaims&) = delete;

 private:
  friend class RequestClaims;

  struct Holders {
    unsigned writes = 0;                         ///< single ones
    const RequestClaims* transaction = nullptr;  ///< null for none
  };
  using Items = std::map<std::tuple<const store::Store*, store::TableId, std::string>, Holders>;
  using Tokens = std::set<std::tuple<const store::Store*, std::string>>;

  std::mutex mutex_;
  Items items_;
  Tokens tokens_;
};

/// An item, by the store's key. A view.
struct ClaimedItem {
  store::TableId table;
  std::string_view key;
};

/// What one request claims, from the moment it could change something until it has been answered. One thread
/// uses it at a time. A claim that the request has already is not in its own way.
class RequestClaims {
 public:
  /// Claims in the world of `store`; both must outlive it.
  RequestClaims(ItemClaims& all, const store::Store& store) : all_(all), store_(&store) {}
  ~RequestClaims();
  RequestClaims(const RequestClaims&) = delete;
  RequestClaims& operator=(const RequestClaims&) = delete;

  /// Claims an item for a single write. TransactionConflictException if a transaction has it.
  Answer<void> write(const ClaimedItem& item);

  /// Fails with ReplicatedWriteConflictException if a request in another region, whose store that is, writes
  /// the same item of a table with multi-region strong consistency.
  Answer<void> check_elsewhere(const store::Store& store, const ClaimedItem& item) const;

  /// Claims all items for a transaction, which has one action per item, null for one that names no item.
  /// TransactionCanceledException if another request has some of them: then it claims none.
  Answer<void> transact(std::span<const std::optional<ClaimedItem>> items);

  /// Fails with TransactionCanceledException if an ongoing request writes some of the items. Claims nothing.
  Answer<void> read(std::span<const ClaimedItem> items) const;

  /// Fails with TransactionInProgressException if another request with the token is ongoing.
  Answer<void> check_token(std::string_view token) const;
  /// Claims it, or fails likewise.
  Answer<void> claim_token(std::string_view token);

 private:
  const ItemClaims::Holders* find(const ClaimedItem& item) const;
  bool has_token(std::string_view token) const;
  /// Returns the claim on an item, a new one if there is none, which is released with the request.
  ItemClaims::Holders& hold(const ClaimedItem& item);

  // Everything below is used with the mutex of `all_` locked.
  ItemClaims& all_;
  const store::Store* const store_;
  std::vector<ItemClaims::Items::iterator> items_;
  std::optional<ItemClaims::Tokens::iterator> token_;
};

/// Returns true for TransactionConflictException and ReplicatedWriteConflictException: another request has
/// the item of a single write.
bool is_conflict(const ApiError& error);

}  // namespace dinette::dynamodb
