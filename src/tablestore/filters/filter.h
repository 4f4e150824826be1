#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tablestore/api/messages.h"
#include "tablestore/filters/value_rule.h"
#include "tablestore/model/row.h"
#include "tablestore/request/context.h"

namespace dinette::tablestore {

enum class FilterUse : bool { read, condition };

/// Which columns of a row are returned, in the order of their names.
struct ColumnPage {
  std::size_t offset = 0;
  std::size_t limit = 0;
};

/// A filter of reads, or the column condition of a write (tablestore/filters.md). Views of the request's
/// bytes, which must outlive it.
class Filter {
 public:
  /// Returns nothing for an empty message, which is as none.
  static Answer<std::optional<Filter>> read(std::string_view message, FilterUse use,
                                            const Switches& switches);

  /// Returns true if a row passes. The cells are those that the read returns, or, for a condition, all that
  /// can be seen, by name; of a row that does not exist there are none, and no key.
  bool passes(std::span<const KeyColumn> key, std::span<const Cell> cells) const;

  /// Returns the columns that are compared, in no order. A column may be there twice.
  std::vector<std::string_view> columns() const;
  /// Returns the page of columns that the filter selects of rows that pass; nothing for all.
  const std::optional<ColumnPage>& page() const { return page_; }

 private:
  friend class FilterBuilder;

  enum class Kind : std::uint8_t { compare, exists, all_of, any_of, none_of, always };
  struct Node {
    Kind kind = Kind::always;
    std::uint8_t next = 0;  ///< the place after this node and those under it, which follow it
    // Of one that compares a column:
    api::ComparatorType comparator = api::ComparatorType::equal;
    std::string_view column = {};
    Value value = {};
    bool passes_if_missing = true;
    bool latest_only = true;
    std::optional<ValueRule> rule = {};
  };

  bool passes(std::size_t place, std::span<const KeyColumn> key, std::span<const Cell> cells) const;
  static bool holds(const Node& node, const Value& stored);
  static bool compares(const Node& node, std::span<const KeyColumn> key, std::span<const Cell> cells);

  std::vector<Node> nodes_;
  std::optional<ColumnPage> page_;
};

/// Returns the versions of a column among the cells of a row, which are ordered by name.
std::span<const Cell> cells_of(std::span<const Cell> cells, std::string_view column);

}  // namespace dinette::tablestore
