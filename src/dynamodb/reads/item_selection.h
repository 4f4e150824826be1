#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dynamodb/expr/expressions.h"
#include "dynamodb/request/context.h"

namespace dinette::dynamodb {

/// Which part of an item a read returns: what a ProjectionExpression or the legacy AttributesToGet asks for,
/// else all of it.
class ItemSelection {
 public:
  ItemSelection() = default;
  explicit ItemSelection(expr::Projection projection);
  explicit ItemSelection(std::span<const std::string> attributes_to_get);

  bool everything() const { return std::holds_alternative<std::monostate>(selection_); }
  /// The attributes that are asked for, or reached into, ascending; none for everything.
  std::span<const std::string_view> attributes() const { return attributes_; }

  /// Those of them that are reached into.
  std::span<const std::string_view> reached_into() const;

  /// Appends the wire text of the selected part of a stored item. The whole item needs no reading, only
  /// copying; of another one only what is selected is read. Charges `work` with that and with what is
  /// appended; returns its size as the service counts it.
  std::size_t append_selected(std::string& json, std::string_view record, model::Work& work) const;

 private:
  struct AttributesToGet {};
  std::variant<std::monostate, AttributesToGet, expr::Projection> selection_;
  std::vector<std::string_view> attributes_;
};

/// The selection of a request that has passed ExpressionFamilies::check, so that one of the two is absent.
/// Refers to the request.
Answer<ItemSelection> item_selection(const Context& context,
                                     const std::optional<std::string>& projection_expression,
                                     const std::optional<std::vector<std::string>>& attributes_to_get,
                                     expr::Placeholders& placeholders);

}  // namespace dinette::dynamodb
