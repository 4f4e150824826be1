#pragma once

#include <span>
#include <vector>

#include "dinette/kv/engine.h"

#include "dynamodb/model/work.h"
#include "dynamodb/request/context.h"
#include "dynamodb/tables/open_table.h"
#include "dynamodb/writes/item_action.h"
#include "dynamodb/writes/write_item.h"

namespace dinette::dynamodb {

/// One of several actions, on a table that was opened for it. Both must outlive the call.
struct ActionOnTable {
  const OpenTable& table;
  ItemAction& action;
};

/// Carries out actions on different items by a single commit, which a disk takes in a fraction of the time of
/// one for each. Returns what became of the items, one per action; nothing if the actions are better carried
/// out one by one, because one of them fails, a table was altered, others are in the way until the
/// `deadline`, or more was to be done than a request may ask for. Nothing is done then.
Answer<std::vector<WrittenItem>> write_together(const Context& context,
                                                std::span<const ActionOnTable> actions,
                                                kv::Deadline deadline);

}  // namespace dinette::dynamodb
