#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dinette/store/placement.h"

#include "dynamodb/api/limits.h"
#include "dynamodb/codec/inputs.h"
#include "dynamodb/reads/item_filter.h"
#include "dynamodb/reads/item_selection.h"
#include "dynamodb/reads/read_target.h"
#include "dynamodb/tables/open_table.h"

namespace dinette::dynamodb {

/// For what the entries of a local index say too little, so that each row's item is read from the table.
enum class ReachBack : std::uint8_t {
  none,
  to_filter,  ///< the answer is what the index projects
  to_answer,
};

/// Those of an on-demand table's internal partitions that a Scan or its segment goes over.
struct PartitionSpan {
  static constexpr unsigned of_new_table = 4;  ///< parts of the hash space, of a size

  unsigned first = 0;
  unsigned last = of_new_table - 1;
};

/// What a page is read by. Everything referred to must outlive the reading.
struct PageRequest {
  const ReadTarget& target;
  store::KeyRange range;  ///< the start key already cut off
  store::Direction direction = store::Direction::forward;
  std::size_t limit = 0;  ///< rows to read; 0 = no limit
  const ItemFilter& filter;
  const ItemSelection& selection;
  bool count_only = false;
  bool consistent = false;
  ReachBack reach_back = ReachBack::none;
  /// The partitions that are charged each by itself if the page comes to the end; none: the page is charged
  /// as a whole.
  std::optional<PartitionSpan> charged_apart = {};
  std::size_t bytes = model::limits::page_bytes;  ///< to look at
  std::size_t work = 0;                           ///< that the request has done already
  bool look_ahead = false;                        ///< to know if the last row read was the last of all
  bool by_key_condition = false;                  ///< rows beyond the range do not meet the condition
};

/// A page of a Query or Scan (docs/service/query-scan.md sections 1 and 2).
struct ItemPage {
  codec::ItemListText items;
  std::int32_t count = 0;          ///< items that the filter admitted
  std::int32_t scanned_count = 0;  ///< rows looked at
  std::size_t bytes = 0;           ///< of these rows, as the service counts them
  std::vector<std::size_t>
      partitions;                    ///< the same bytes by partition, where these are charged each by itself
  std::vector<std::size_t> fetched;  ///< sizes of the items that were also read from the table
  /// Where the next page continues; none if there was nothing more to read, as far as the service knows.
  std::optional<codec::ItemText> last_key;
  /// With look_ahead: the store's key at that place, and whether nothing follows it in the range.
  std::string last_position;
  bool at_end = false;
  std::size_t work = 0;  ///< PageRequest::work and that of the page
};

/// Reads rows until there are no more, or `limit` of them or 1 MB have been read, or filter and selection
/// have had as much to do as a request may ask for. Items that are read from the table count in the megabyte,
/// so that no answer gets larger than by a query of the table.
Answer<ItemPage> read_page(const Context& context, const store::Table& table, PageRequest request);

}  // namespace dinette::dynamodb
