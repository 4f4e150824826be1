#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "dinette/store/store.h"

#include "dynamodb/api/bulk_entry.h"
#include "dynamodb/bulk/bulk_line.h"
#include "dynamodb/bulk/bulk_report.h"
#include "dynamodb/indexes/expiry_entry.h"
#include "dynamodb/streams/change_record.h"
#include "dynamodb/tables/table_schema.h"
#include "dynamodb/writes/item_batch.h"

namespace dinette::dynamodb {

/// Some items of one object of a bulk operation, each of another key, which are put by one commit.
class BulkBatch {
 public:
  /// `entry`, which must outlive this, is that of the operation, as it is kept in `kept`.
  BulkBatch(const api::BulkEntry& entry, const kv::Value& kept) : entry_(entry), kept_(kept), after_(entry) {}

  /// Returns the entry after the batch, for the reader to update; commit() fills in the results.
  api::BulkEntry& after() { return after_; }

  bool is_full() const;
  bool has(const PutAction& put) const { return keys_.contains(put.key()); }
  /// Adds the next item of the object.
  void add(BulkPut put);
  /// Counts an invalid line instead of the next item, which cannot be put.
  void add_failure(std::string_view reason, std::string_view item = {});

  enum class Outcome : std::uint8_t { applied, table_changed, entry_changed };
  /// Puts the items whose conditions hold, unless the table was altered, or the entry is not what is kept.
  kv::Result<Outcome> commit(store::Store& store, const store::Table& table);

  // When it is applied:
  const kv::Value& written() const { return written_; }                  ///< the entry
  const std::optional<ExpiryTime>& expires() const { return expires_; }  ///< the first of the items

 private:
  kv::Result<bool> decide(const ItemBatch& batch, WriteOrigin origin, const store::Rows& rows,
                          store::RowChanges changes);
  void count(api::BulkEntry& done, const WritePlan& plan) const;
  void fail(std::size_t put);

  const api::BulkEntry& entry_;
  const kv::Value& kept_;
  api::BulkEntry after_;
  std::vector<BulkPut> puts_;
  std::set<std::string_view> keys_;  ///< of the store
  std::size_t bytes_ = 0;            ///< of their texts
  std::vector<BulkReportLine> failures_;
  kv::Value written_;
  std::optional<ExpiryTime> expires_;
};

}  // namespace dinette::dynamodb
