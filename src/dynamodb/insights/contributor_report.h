#pragma once

#include <vector>

#include "dinette/observe/contributors.h"
#include "dinette/store/store.h"

#include "dynamodb/codec/inputs.h"
#include "dynamodb/insights/key_counts.h"

namespace dinette::dynamodb {

/// Appends what the rules of all tables of a store have counted, by table.
kv::Result<void> append_contributors(store::Store& store, const KeyCounts& counts, codec::Timestamp now,
                                     std::vector<observe::ContributorRule>& out);

}  // namespace dinette::dynamodb
