#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "dynamodb/api/attribute_value_update.h"
#include "dynamodb/expr/expressions.h"
#include "dynamodb/expr/legacy_updates.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/request/attribute_names.h"

namespace dinette::dynamodb {

using UpdatesInput = std::optional<codec::Entries<api::AttributeValueUpdate>>;

/// What an UpdateItem does to an item: an UpdateExpression, the legacy AttributeUpdates, or nothing beyond
/// making sure that the item is there.
class ItemUpdate {
 public:
  ItemUpdate() = default;
  explicit ItemUpdate(expr::Update update);
  explicit ItemUpdate(std::vector<expr::legacy::AttributeUpdate> updates);
  ItemUpdate(ItemUpdate&&) = default;  // a copy would refer to the names in the original
  ItemUpdate& operator=(ItemUpdate&&) = default;

  /// Returns the item after the update of `old`, or of one made of `key` if there is none; nothing if there
  /// was none and the update creates none. Reads only interest() of `old`. May fail at run time.
  base::Result<std::optional<model::Item>, expr::ExpressionError> apply(const model::Item* old,
                                                                        const model::Item& key) const;

  /// Returns what `item`, before or after, has at the places that the update names.
  model::Item touched(const model::Item& item) const;

  /// The top-level attributes that are written or removed, in written order; changed() has them ascending.
  const std::vector<std::string_view>& attributes() const { return attributes_; }
  const AttributeNames& changed() const { return changed_; }

  /// Returns the attributes whose elements it writes or reads.
  std::span<const std::string_view> reached_into() const;

  /// Returns true if `attribute` gets a value that comes from the item `before` and not from the request.
  bool takes_from_item(std::string_view attribute, const model::Item& before) const;

  /// Returns all top-level attributes on which the result depends.
  const AttributeNames& interest() const { return interest_; }

  /// Returns true if the statement's own size is within the item limit (docs/service/values.md section 6).
  bool within_statement_limit(const model::Item* old) const;

 private:
  std::variant<std::monostate, expr::Update, std::vector<expr::legacy::AttributeUpdate>> update_;
  std::vector<std::string_view> attributes_;
  AttributeNames changed_;
  AttributeNames interest_;
};

/// Returns AttributeUpdates, after the checks that need no table. Takes the values out of `sent`.
Answer<ItemUpdate> attribute_updates(Envelope envelope, UpdatesInput& sent);

/// The problem of a name or value that is reported (codec::FirstProblem), null when there is none.
const codec::ValueProblem* problem_of(const UpdatesInput& updates);

}  // namespace dinette::dynamodb
