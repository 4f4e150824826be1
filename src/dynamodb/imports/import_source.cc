#include "dynamodb/imports/import_source.h"

#include <utility>

#include "dinette/dynamodb/item_files/ion_reader.h"
#include "dinette/dynamodb/item_files/item_reader.h"

#include "dynamodb/api/input_format_options.h"
#include "dynamodb/api/s3_bucket_source.h"

namespace dinette::dynamodb {
namespace {

item_files::Packing packing_of(std::optional<api::InputCompressionType> compression) {
  switch (compression.value_or(api::InputCompressionType::none)) {
    case api::InputCompressionType::gzip:
      return item_files::Packing::gzip;
    case api::InputCompressionType::zstd:
      return item_files::Packing::zstd;
    case api::InputCompressionType::none:
      break;
  }
  return item_files::Packing::none;
}

/// Attributes that are keys of the table or of an index have the types that the table declares.
item_files::CsvOptions csv_options(const api::ImportEntry& import) {
  item_files::CsvOptions options;
  if (const auto& given = import.description.input_format_options; given && given->csv) {
    if (given->csv->delimiter) options.delimiter = given->csv->delimiter->front();
    options.header = given->csv->header_list.value_or(std::vector<std::string>());
  }
  for (const api::AttributeDefinition& key : import.table.attribute_definitions)
    options.types[key.attribute_name] = api::to_string(key.attribute_type).front();
  for (const api::KeySchemaElement& key : import.table.key_schema)
    options.needed.push_back(key.attribute_name);
  return options;
}

}  // namespace

SourceObjects objects_of(const api::ImportEntry& import) {
  const api::ImportTableDescription& description = import.description;
  return {.bucket = description.s3_bucket_source->s3_bucket,
          .prefix = description.s3_bucket_source->s3_key_prefix.value_or(""),
          .format = *description.input_format,
          .compression = description.input_compression_type,
          .csv = csv_options(import)};
}

ImportSource::ImportSource(objects::ObjectStore& store, SourceObjects objects, std::stop_token stop)
    : store_(store),
      objects_(std::move(objects)),
      packing_(packing_of(objects_.compression)),
      stop_(std::move(stop)) {}

objects::Result<std::optional<std::string>> ImportSource::open_next(std::string after) {
  for (;;) {
    DINETTE_TRY(const objects::ObjectInfo* const next, find_next(after));
    if (!next) return std::optional<std::string>();
    after = next->key;
    if (next->size == 0) continue;  // no valid file of any compression, and yet no error
    DINETTE_CHECK(open(next->key));
    return std::optional(next->key);
  }
}

/// Returns the first object after that key, from a page of the listing that is used up one by one; null if
/// there is none.
objects::Result<const objects::ObjectInfo*> ImportSource::find_next(const std::string& after) {
  if (next_listed_ == listed_.size() || after != listed_up_to_) {
    DINETTE_TRY(objects::Listing listing,
                store_.list(objects_.bucket, {.prefix = objects_.prefix, .after = after}));
    listed_ = std::move(listing.objects);
    next_listed_ = 0;
    if (listed_.empty()) return nullptr;
  }
  const objects::ObjectInfo* const next = &listed_[next_listed_++];
  listed_up_to_ = next->key;
  return next;
}

objects::Result<void> ImportSource::open(const std::string& key, std::int64_t skipped) {
  items_.reset();
  DINETTE_TRY(object_, store_.open(objects_.bucket, key));
  items_ = items_of(*object_);
  for (; skipped > 0; --skipped) {
    if (const auto item = items_->next(); !item && item.error().stopped)
      return base::Failure{objects::Error{objects::ErrorKind::stopped, item.error().message}};
  }
  return {};
}

std::unique_ptr<item_files::ItemSource> ImportSource::items_of(objects::ObjectReader& object) const {
  switch (objects_.format) {
    case api::InputFormat::csv:
      return std::make_unique<item_files::CsvReader>(object, packing_, objects_.csv, stop_);
    case api::InputFormat::ion:
      return std::make_unique<item_files::IonReader>(object, packing_, stop_);
    case api::InputFormat::dynamodb_json:
      break;
  }
  return std::make_unique<item_files::ItemReader>(object, packing_, stop_);
}

}  // namespace dinette::dynamodb
