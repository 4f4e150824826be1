#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dinette/store/placement.h"

#include "dynamodb/partiql/bound.h"
#include "dynamodb/reads/read_target.h"

namespace dinette::dynamodb::partiql {

/// The rows of one partition within a range of the sort key.
struct KeyRead {
  const model::AttributeValue* hash = nullptr;  ///< null: a scan, of all there is
  store::KeyRange range;
  bool whole_key = false;  ///< the key of one item of the table
  std::vector<std::string_view> filtered = {};
};

/// How a SELECT is executed.
struct ReadPlan {
  std::vector<KeyRead> reads;  ///< in the order in which their rows are returned
  store::Direction direction = store::Direction::forward;
  bool filters = false;  ///< rows are held to WHERE once more
  bool several = false;  ///< an IN with several values names keys

  bool scans() const { return reads.size() == 1 && !reads.front().hash; }
};

enum class OrderBy : bool { ignored, heeded };

/// Plans the reading of `target`, and refuses keys, an order or a filter that it cannot be read by
/// (docs/service/partiql.md sections 3 and 6). `bindings` are those of WHERE, if there is one. A plan that
/// ignores ORDER BY has the same reads in another order.
Answer<ReadPlan> plan_read(const Bound& bound, const ReadTarget& target, const expr::Bindings& bindings,
                           OrderBy order = OrderBy::heeded);

}  // namespace dinette::dynamodb::partiql
