#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "dinette/dynamodb/item_files/csv_reader.h"
#include "dinette/dynamodb/item_files/item_source.h"
#include "dinette/objects/object_store.h"

#include "dynamodb/api/enums.h"
#include "dynamodb/api/import_entry.h"

namespace dinette::dynamodb {

/// The objects of an import or of a bulk operation, and how they are read.
struct SourceObjects {
  std::string bucket;
  std::string prefix;
  api::InputFormat format{};
  std::optional<api::InputCompressionType> compression = {};
  item_files::CsvOptions csv = {};
};

SourceObjects objects_of(const api::ImportEntry& import);

/// Reads them in the order of their keys. For one thread.
class ImportSource {
 public:
  /// `store` must outlive it. Reading fails once `stop` is requested, even within an item.
  ImportSource(objects::ObjectStore& store, SourceObjects objects, std::stop_token stop);

  /// Opens the first object after the key `after` that is not empty. Returns its key; nothing if there is
  /// none.
  objects::Result<std::optional<std::string>> open_next(std::string after);
  /// Opens an object, and skips its first items.
  objects::Result<void> open(const std::string& key, std::int64_t skipped = 0);

  /// The items of the open object.
  item_files::ItemSource& items() { return *items_; }
  /// Returns the size of the open object, as it is stored, and how much of that was read so far.
  std::uint64_t size() const { return object_->info().size; }
  std::uint64_t bytes_taken() const { return object_->position(); }

 private:
  objects::Result<const objects::ObjectInfo*> find_next(const std::string& after);
  std::unique_ptr<item_files::ItemSource> items_of(objects::ObjectReader& object) const;

  objects::ObjectStore& store_;
  const SourceObjects objects_;
  const item_files::Packing packing_;
  std::vector<objects::ObjectInfo> listed_;  ///< a page
  std::size_t next_listed_ = 0;
  std::string listed_up_to_;  ///< key of the last one that was taken from listed_
  const std::stop_token stop_;
  std::unique_ptr<objects::ObjectReader> object_;  ///< the open one
  std::unique_ptr<item_files::ItemSource> items_;  ///< of the object
};

}  // namespace dinette::dynamodb
