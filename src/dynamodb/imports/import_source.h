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
  /// `store`: null means that there are no buckets.
  ImportSource(objects::ObjectStore* store, SourceObjects objects);
  ~ImportSource();

  /// Opens the first object after the key `after` that is not empty. Returns its key; nothing if there is
  /// none.
  objects::Result<std::optional<std::string>> open_next(std::string after);
  /// Opens an object again.
  objects::Result<void> open(const std::string& key);

  /// What is read from now on fails when `stop` is requested, however little comes of what is read.
  void stop_at(std::stop_token stop) { stop_ = std::move(stop); }
  /// Returns true once a call has failed because the process ends, or objects::ErrorKind::stopped.
  bool stopped() const { return stopped_; }

  /// The items of the open object.
  item_files::ItemSource& items() { return *items_; }
  /// Returns the size of the open object, as it is stored, and how much of that was read so far.
  std::uint64_t size() const;
  std::uint64_t bytes_taken() const;

 private:
  class Stream;

  objects::Error noted(objects::Error error);
  objects::Result<const objects::ObjectInfo*> find_next(const std::string& after);
  std::unique_ptr<item_files::ItemSource> items_of(item_files::ObjectStream& object) const;

  objects::ObjectStore* const store_;
  const SourceObjects objects_;
  const item_files::Packing packing_;
  std::vector<objects::ObjectInfo> listed_;  ///< a page
  std::size_t next_listed_ = 0;
  std::string listed_up_to_;  ///< key of the last one that was taken from listed_
  std::stop_token stop_;
  bool stopped_ = false;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<item_files::ItemSource> items_;  ///< of the stream
};

}  // namespace dinette::dynamodb
