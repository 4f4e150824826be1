#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/base/clock.h"
#include "dinette/base/ids.h"
#include "dinette/dynamodb/item_files/manifest.h"
#include "dinette/objects/object_store.h"

namespace dinette::dynamodb::item_files {

/// Returns a new id, such as 01604474914028-a1b2c3d4, of an export that begins at `moment`.
std::string new_export_id(base::TimePoint moment, base::Ids& ids);

/// An item that changed in the window of an incremental export. Its parts are attributes as JSON.
struct ItemChange {
  std::string_view keys;
  base::TimePoint written;     ///< the last time
  std::string_view new_image;  ///< empty: it was deleted
  std::string_view old_image;  ///< empty: there was none, or it is not wanted
};

/// Writes one export of a table: call begin(), add() for each item, then finish(), which writes the summary
/// and so completes the export. Names of data files depend on the export's id and their number alone, so an
/// export that is written again replaces its objects. For one thread.
class ExportWriter {
 public:
  /// Approximate size of the text per data file, in bytes, which is also what the writer keeps in memory.
  static constexpr std::size_t default_file_bytes = 8 << 20;

  /// The store of `folder` must outlive the writer. `summary` describes the source and the kind of the
  /// export; the writer adds keys, counts and the end.
  ExportWriter(ExportFolder folder, Summary summary, std::size_t file_bytes = default_file_bytes);
  ~ExportWriter();

  objects::Result<void> begin();
  /// Adds an item to a full export. `item`: the attributes as JSON, such as `{"pk":{"S":"a"}}`.
  objects::Result<void> add(std::string_view item);
  /// Adds a changed item to an incremental export.
  objects::Result<void> add(const ItemChange& change);
  /// Ends the data files of a partition of the table, which has at least one.
  objects::Result<void> end_partition();
  /// Writes what is left, and the manifests. `billed_bytes` is only named in the summary.
  objects::Result<void> finish(base::TimePoint ended, std::uint64_t billed_bytes = 0);

  std::uint64_t items() const { return items_; }
  /// Returns the key of manifest-summary.json, from the root of the bucket.
  std::string summary_key() const { return folder_.key_of(summary_name); }

 private:
  struct Ion;

  std::string data_key() const;
  void append_attributes(std::string_view json);
  objects::Result<void> end_line();
  objects::Result<void> end_file();

  const ExportFolder folder_;
  Summary summary_;
  const std::size_t file_bytes_;
  const std::unique_ptr<Ion> ion_;  ///< null for DynamoDB JSON
  std::string lines_;               ///< of the next data file
  std::uint64_t lines_items_ = 0;
  std::uint64_t items_ = 0;
  std::vector<ListedFile> files_;
  std::size_t files_before_ = 0;  ///< of the partitions that have ended
};

}  // namespace dinette::dynamodb::item_files
