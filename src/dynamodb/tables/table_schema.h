#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/store/catalog.h"
#include "dinette/store/placement.h"
#include "dinette/store/row.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/projection.h"
#include "dynamodb/api/table_record.h"
#include "dynamodb/model/attribute_value.h"

namespace dinette::iam {
struct Policy;
}  // namespace dinette::iam

namespace dinette::dynamodb {

struct KeyAttribute {
  std::string name;
  model::Type type;
  bool hash = false;  ///< else a RANGE element
};

/// An enabled stream as writes need it.
struct StreamSchema {
  struct Shard {
    store::PartitionHash first_hash;  ///< the shard has partitions from here to where the next one begins
    store::StreamId stream;           ///< of the shard's records
  };

  api::StreamViewType view_type{};
  std::vector<Shard> shards;  ///< by first_hash, ascending; the first one's is 0

  /// Returns where the changes of the row with that key are recorded.
  store::StreamId shard_of(std::string_view row_key) const;
};

/// A live Kinesis destination as writes need it.
struct DestinationSchema {
  store::StreamId log;        ///< where changes are recorded until they are delivered
  bool microseconds = false;  ///< the precision of their times; else milliseconds
};

/// A replica of a global table as writes need it.
struct ReplicationSchema {
  store::StreamId log;  ///< where changes are recorded until all other regions have them
  std::string region;   ///< of this replica
  bool strong = false;  ///< a write is carried out in all regions, or in none
};

/// What makes an index one of vectors (docs/service/vector-search.md, "Model").
struct VectorSchema {
  std::string attribute;
  std::size_t dimensions = 0;
  api::VectorDistanceFunction distance{};
  std::vector<KeyAttribute> search;  ///< the search schema, in its order: at most one HASH, and filters

  /// Returns null if there is no such attribute.
  const KeyAttribute* find_search(std::string_view name) const;
};

/// A secondary index as writes and reads need it: a local one, one of vectors, else a global one.
struct IndexSchema {
  store::IndexId id = 0;
  std::string name;
  bool local = false;
  /// True while rows from before the index may lack their entries.
  bool building = false;
  /// HASH elements, then RANGE elements, in schema order; of an index of vectors the HASH of its search
  /// schema, or none.
  std::vector<KeyAttribute> keys;
  api::Projection projection;
  std::optional<VectorSchema> vector;

  bool global() const { return !local && !vector; }
  /// Returns true if an entry has the very record of its item.
  bool shares_records() const { return projects_all() && !vector; }
  bool projects_all() const { return projection.projection_type == api::ProjectionType::all; }
  bool is_key(std::string_view attribute) const;
};

/// A table's record, decoded, with what every request asks of it worked out once. Immutable.
class TableSchema final : public store::Schema {
 public:
  explicit TableSchema(api::TableRecord record);

  /// The store's decoder of descriptions that `encode_record` made.
  static std::shared_ptr<const store::Schema> decode(std::string_view description);

  const api::TableRecord& record() const { return record_; }
  const KeyAttribute& hash_key() const { return hash_key_; }
  const std::optional<KeyAttribute>& range_key() const { return range_key_; }
  std::size_t key_size() const { return range_key_ ? 2 : 1; }
  bool is_key(std::string_view attribute) const;
  /// Returns true if entries of `index` have that attribute of their items.
  bool projects(const IndexSchema& index, std::string_view attribute) const;
  /// Returns the indexes that writes maintain, ascending by name.
  const std::vector<IndexSchema>& indexes() const { return indexes_; }
  /// Returns null if there is none of that name.
  const IndexSchema* find_index(std::string_view name) const;
  /// Returns the attributes that determine an item's index entries and, unless an index projects everything,
  /// their contents; ascending. None if there are no indexes.
  std::span<const std::string> indexed_attributes() const {
    return indexes_.empty() ? std::span<const std::string>() : key_and_indexed_attributes_;
  }
  /// Returns the attributes needed to write an item: those, and the table's key; ascending.
  const std::vector<std::string>& key_and_indexed_attributes() const { return key_and_indexed_attributes_; }
  bool has_vector_indexes() const { return !record_.settings.vector_indexes.empty(); }
  /// Returns true if there are item collections: partitions with their entries in local indexes.
  bool has_local_indexes() const { return !record_.local_secondary_indexes.empty(); }

  std::string_view counted_partition(std::string_view row_key) const override;
  bool keeps_versions() const override { return keeps_versions_; }

  /// As arn_of_table() gives it.
  const std::string& arn() const { return arn_; }
  /// The table's stream; null if it has none that is enabled.
  const StreamSchema* stream() const { return stream_ ? &*stream_ : nullptr; }
  /// The Kinesis destination that changes are recorded for; null for none.
  const DestinationSchema* destination() const { return destination_ ? &*destination_ : nullptr; }
  /// True if contributor insights are enabled for the table or an index.
  bool has_insights() const { return has_insights_; }
  /// Returns true once this process has seen such a table.
  static bool any_has_insights();
  /// The policies of the table and of its stream; null for none.
  const iam::Policy* policy() const { return policy_.get(); }
  const iam::Policy* stream_policy() const { return stream_policy_.get(); }
  /// What writes do for the replicas in other regions; null if there are none.
  const ReplicationSchema* replication() const { return replication_ ? &*replication_ : nullptr; }
  /// The label of the enabled stream, or of the last one there was; empty if there was none.
  std::string_view latest_stream_label() const {
    return record_.stream ? std::string_view(record_.stream->label) : std::string_view();
  }

 private:
  std::vector<std::string> collect_key_and_indexed_attributes() const;

  api::TableRecord record_;
  KeyAttribute hash_key_;
  std::optional<KeyAttribute> range_key_;
  std::vector<IndexSchema> indexes_;
  std::vector<std::string> key_and_indexed_attributes_;
  std::string arn_;
  std::optional<StreamSchema> stream_;
  std::optional<DestinationSchema> destination_;
  bool has_insights_ = false;
  std::shared_ptr<const iam::Policy> policy_;
  std::shared_ptr<const iam::Policy> stream_policy_;
  std::optional<ReplicationSchema> replication_;
  bool keeps_versions_;  ///< for point-in-time recovery, or while its past is read
};

std::string encode_record(const api::TableRecord& record);

/// Returns `arn:<partition>:dynamodb:<region>:<account>:table/<name>`.
std::string arn_of_table(const api::TableRecord& record);

/// Returns true while backups are made of the table, or other tables restored from it.
bool has_copies(const api::TableRecord& record);

/// Returns true while anything reads the past of the table: those, and exports.
bool has_readers(const api::TableRecord& record);

}  // namespace dinette::dynamodb
