#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dynamodb/api/enums.h"
#include "dynamodb/items/item_condition.h"
#include "dynamodb/items/item_image.h"
#include "dynamodb/items/stored_item.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/request/attribute_names.h"
#include "dynamodb/tables/table_schema.h"

namespace dinette::dynamodb {

/// A condition that an action depends on, null for none, and what the client sees of the item when it fails.
/// The condition must outlive the action.
struct ActionCondition {
  const ItemCondition* condition = nullptr;
  api::ReturnValuesOnConditionCheckFailure on_failure = api::ReturnValuesOnConditionCheckFailure::none;
  bool of_stored_item = false;  ///< met by an item that is not there, whatever it says
};

/// What a request does to one item: which one it is, what has to be known of it, and what becomes of it.
/// There is one kind for each way in which items are written, and one way to carry them all out
/// (write_item.h).
class ItemAction {
 public:
  ItemAction(const ItemAction&) = delete;
  ItemAction& operator=(const ItemAction&) = delete;
  virtual ~ItemAction() = default;

  /// The store's key of the item.
  const std::string& key() const { return key_; }

  /// The attributes of the item's key, and maybe more.
  virtual const model::Item& key_attributes() const = 0;

  /// Returns true if the item stays as it is in any case: decide() then returns it.
  virtual bool only_checks() const { return false; }

  /// Refuses what no item of the table may become, whatever is stored.
  virtual Answer<void> check([[maybe_unused]] const TableSchema& schema) const { return {}; }

  /// Returns the attributes of the stored item that decide() reads, ascending.
  virtual AttributeNames interest() const = 0;

  /// Returns what `old` becomes, which may be no item, or an error, which leaves everything as it is. What is
  /// returned may refer to this action. `old` has the attributes of interest() and
  /// TableSchema::indexed_attributes(). May run more than once; the last time counts.
  virtual Answer<ItemImage> decide(StoredItem& old) = 0;

  /// Frees what the last decision has made, when nothing that it returned is needed any longer.
  virtual void forget_decision() {}

 protected:
  ItemAction(std::string key, ActionCondition condition) : key_(std::move(key)), condition_(condition) {}

  /// Fails with ConditionalCheckFailedException unless the condition holds.
  Answer<void> check_condition(StoredItem& old) const;
  AttributeNames attributes_of_condition() const {
    return condition_.condition ? condition_.condition->attributes() : AttributeNames();
  }

 private:
  std::string key_;
  ActionCondition condition_;
};

}  // namespace dinette::dynamodb
