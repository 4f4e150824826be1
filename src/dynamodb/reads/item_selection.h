#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dynamodb/expr/expressions.h"
#include "dynamodb/request/request_expressions.h"

namespace dinette::dynamodb {

/// Which part of an item a read returns: what a ProjectionExpression, the legacy AttributesToGet or the
/// select list of a statement asks for, else all of it.
class ItemSelection {
 public:
  ItemSelection() = default;
  explicit ItemSelection(expr::Projection projection);
  explicit ItemSelection(std::span<const std::string> attributes_to_get);
  explicit ItemSelection(expr::Columns columns);

  bool everything() const { return std::holds_alternative<std::monostate>(selection_); }
  /// Returns the attributes that are asked for, or reached into, ascending; none for everything.
  std::span<const std::string_view> attributes() const { return attributes_; }

  /// Returns those of them that are reached into.
  std::span<const std::string_view> reached_into() const;

  /// Appends the wire text of the selected part of a record's item. A whole item is copied without parsing;
  /// else only what is selected is parsed. Charges `work` with that and with what is appended. Returns the
  /// size of that part as the service counts it; fails if the record is corrupt.
  kv::Result<std::size_t> append_selected(std::string& json, std::string_view record,
                                          model::Work& work) const;

  /// Returns the selected part of an item, of which attributes() suffice.
  model::Item select(model::Item item) const;

  /// Returns what it charges for appending so many bytes, which may have to be compressed, too.
  static constexpr std::size_t work_of_copying(std::size_t bytes) {
    constexpr std::size_t bytes_per_unit = 3;
    return bytes / bytes_per_unit;
  }

 private:
  struct AttributesToGet {};
  std::variant<std::monostate, AttributesToGet, expr::Projection, expr::Columns> selection_;
  std::vector<std::string_view> attributes_;
};

/// The selection of a request that has passed check_families(), so that one of the two is absent.
/// Refers to the request.
Answer<ItemSelection> item_selection(RequestExpressions& expressions,
                                     const std::optional<std::string>& projection_expression,
                                     const std::optional<std::vector<std::string>>& attributes_to_get);

}  // namespace dinette::dynamodb
