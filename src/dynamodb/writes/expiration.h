#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "dinette/base/jobs.h"
#include "dinette/store/store.h"

#include "dynamodb/indexes/expiry_entry.h"
#include "dynamodb/request/api_error.h"
#include "dynamodb/request/context.h"

/// Deletes items whose time to live is over, by jobs: behind the answers, some at a time
/// (docs/service/ttl-tags.md section 1).
namespace dinette::dynamodb {

/// Has the expired items of a table deleted from now on, each `delay` after its time is over, and puts
/// entries for items that are older than the setting.
void expire_items(store::Store& store, base::Jobs& jobs, const store::Table& table,
                  std::chrono::milliseconds delay);

/// Has a job look at the table when an item's time to live is over that was just written.
void expire_later(const Context& context, const store::Table& table, ExpiryTime end);
/// The same for the server itself.
void expire_later(store::Store& store, base::Jobs& jobs, const store::Table& table, ExpiryTime end,
                  std::chrono::milliseconds delay);

/// Deletes everything that is expired in all tables of the store, now and on this thread. Returns how many
/// items that were.
Answer<std::size_t> expire_now(store::Store& store);

}  // namespace dinette::dynamodb
