#include "cql/schema/unfinished_restores.h"

#include <chrono>
#include <string>
#include <utility>

#include "cql/schema/change_streams.h"
#include "cql/schema/table_schema.h"

namespace dinette::cql::schema {
namespace {

constexpr std::size_t tables_per_look = 100;
constexpr std::chrono::minutes interval{5};
constexpr int most_looks = 3;

}  // namespace

kv::Result<base::Jobs::Next> UnfinishedRestores::look(store::Store& store) {
  std::map<store::TableId, Seen> seen;
  std::string after;
  for (;;) {
    DINETTE_TRY(const auto page, store.catalog().list(after, tables_per_look));
    for (const store::TablePointer& one : page) {
      if (names_keyspace(one->name) || !one->schema_as<TableSchema>().table().filling) continue;
      DINETTE_TRY(const store::Count count, store.count(*one));
      const auto before = seen_.find(one->id);
      Seen now{.rows = count.rows};
      if (before != seen_.end() && before->second.rows == count.rows) now.looks = before->second.looks + 1;
      if (now.looks >= most_looks) {
        DINETTE_CHECK(drop_stored(store, *one));
      } else {
        seen.emplace(one->id, now);
      }
    }
    if (page.size() < tables_per_look) break;
    after = page.back()->name;
  }
  seen_ = std::move(seen);
  if (seen_.empty()) return base::Jobs::Next(base::Jobs::done);
  return base::Jobs::Next(store.clock().now() + interval);
}

}  // namespace dinette::cql::schema
