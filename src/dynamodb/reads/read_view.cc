#include "dynamodb/reads/read_view.h"

#include <chrono>
#include <utility>

#include "dynamodb/codec/record_layout.h"

namespace dinette::dynamodb {
namespace {

using std::chrono::microseconds;

Answer<std::optional<kv::Value>> checked(std::optional<kv::Value> row) {
  if (row && !codec::is_record(row->view())) return storage_failure(codec::corrupt_record());
  return row;
}

/// Returns the lag of this read: a random time up to the bound, from the server's source of randomness.
microseconds drawn_lag(const Context& context) {
  const microseconds bound = context.settings.stale_reads;
  return microseconds(static_cast<std::int64_t>(context.store.ids().random() %
                                                (static_cast<std::uint64_t>(bound.count()) + 1)));
}

}  // namespace

bool sees_present(const Settings& settings, bool consistent, bool global_index) {
  if (global_index && settings.index_lag.count() > 0) return false;
  return consistent || settings.stale_reads.count() == 0;
}

Answer<std::optional<kv::Value>> read_item(const Context& context, const store::Table& table,
                                           std::string_view key, bool consistent) {
  if (sees_present(context.settings, consistent, false)) {
    DINETTE_STORED(auto present, context.store.read_row(table, key));
    return checked(std::move(present));
  }
  DINETTE_TRY(const store::View past, read_view(context, consistent, false));
  return read_item(past, table, key);
}

Answer<std::optional<kv::Value>> read_item(const store::View& view, const store::Table& table,
                                           std::string_view key) {
  DINETTE_STORED(auto row, view.read(table, key));
  return checked(std::move(row));
}

Answer<store::View> read_view(const Context& context, bool consistent, bool global_index) {
  if (sees_present(context.settings, consistent, global_index)) {
    DINETTE_STORED(store::View present, context.store.view_at_first_read());
    return present;
  }
  microseconds lag{0};
  if (global_index) lag += context.settings.index_lag;
  if (!consistent && context.settings.stale_reads.count() > 0) lag += drawn_lag(context);
  DINETTE_STORED(store::View past, context.store.view_at(context.now - lag));
  return past;
}

}  // namespace dinette::dynamodb
