#include "dynamodb/imports/import_source.h"

#include <cstddef>
#include <span>
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

/// An object that is open.
class ImportSource::Stream final : public item_files::ObjectStream {
 public:
  Stream(ImportSource& source, std::unique_ptr<objects::ObjectReader> object)
      : source_(source), object_(std::move(object)) {}

  item_files::Outcome<std::size_t> read(std::span<char> room) override {
    auto size = object_->read(room);
    if (!size) return base::Failure{"cannot be read: " + source_.noted(size.error()).message};
    taken_ += *size;
    return *size;
  }

  bool stopped() override {
    source_.stopped_ = source_.stopped_ || source_.stop_.stop_requested();
    return source_.stopped_;
  }

  std::uint64_t size() const { return object_->info().size; }
  std::uint64_t taken() const { return taken_; }

 private:
  ImportSource& source_;
  const std::unique_ptr<objects::ObjectReader> object_;
  std::uint64_t taken_ = 0;
};

SourceObjects objects_of(const api::ImportEntry& import) {
  const api::ImportTableDescription& description = import.description;
  return {.bucket = description.s3_bucket_source->s3_bucket,
          .prefix = description.s3_bucket_source->s3_key_prefix.value_or(""),
          .format = *description.input_format,
          .compression = description.input_compression_type,
          .csv = csv_options(import)};
}

ImportSource::ImportSource(objects::ObjectStore* store, SourceObjects objects)
    : store_(store), objects_(std::move(objects)), packing_(packing_of(objects_.compression)) {}

ImportSource::~ImportSource() = default;

objects::Error ImportSource::noted(objects::Error error) {
  stopped_ = stopped_ || error.kind == objects::ErrorKind::stopped;
  return error;
}

objects::Result<std::optional<std::string>> ImportSource::open_next(std::string after) {
  if (!store_) {
    return base::Failure{
        objects::Error{objects::ErrorKind::no_such_bucket, "this server has no place for objects"}};
  }
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
    auto listing = store_->list(objects_.bucket, {.prefix = objects_.prefix, .after = after});
    if (!listing) return base::Failure{noted(listing.error())};
    listed_ = std::move(listing->objects);
    next_listed_ = 0;
    if (listed_.empty()) return nullptr;
  }
  const objects::ObjectInfo* const next = &listed_[next_listed_++];
  listed_up_to_ = next->key;
  return next;
}

objects::Result<void> ImportSource::open(const std::string& key) {
  items_.reset();
  auto object = store_->open(objects_.bucket, key);
  if (!object) return base::Failure{noted(object.error())};
  stream_ = std::make_unique<Stream>(*this, std::move(object).value());
  items_ = items_of(*stream_);
  return {};
}

std::uint64_t ImportSource::size() const {
  return stream_->size();
}

std::uint64_t ImportSource::bytes_taken() const {
  return stream_->taken();
}

std::unique_ptr<item_files::ItemSource> ImportSource::items_of(item_files::ObjectStream& object) const {
  switch (objects_.format) {
    case api::InputFormat::csv:
      return std::make_unique<item_files::CsvReader>(object, packing_, objects_.csv);
    case api::InputFormat::ion:
      return std::make_unique<item_files::IonReader>(object, packing_);
    case api::InputFormat::dynamodb_json:
      break;
  }
  return std::make_unique<item_files::ItemReader>(object, packing_);
}

}  // namespace dinette::dynamodb
