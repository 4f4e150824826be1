#include "dinette/dynamodb/item_files/export_writer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "dinette/base/ascii.h"

#include "dynamodb/item_files/ion_text.h"
#include "dynamodb/item_files/json_text.h"

namespace dinette::dynamodb::item_files {
namespace {

constexpr std::size_t time_digits = 14;
constexpr std::size_t random_digits = 8;
std::string microseconds(base::TimePoint moment) {
  return std::to_string(moment.time_since_epoch().count());
}

}  // namespace

struct ExportWriter::Ion : IonText {};

std::string new_export_id(base::TimePoint moment, base::Ids& ids) {
  const auto since_epoch = std::chrono::floor<std::chrono::milliseconds>(moment).time_since_epoch();
  std::string id = std::to_string(since_epoch.count());
  id.insert(0, time_digits - std::min(id.size(), time_digits), '0');
  id += '-';
  std::uint64_t random = ids.random();
  for (std::size_t i = 0; i < random_digits; ++i, random >>= 4) id += base::lower_hex_digits[random & 15];
  return id;
}

ExportWriter::ExportWriter(Objects& objects, ExportOrigin origin, std::size_t file_bytes)
    : objects_(objects),
      origin_(std::move(origin)),
      file_bytes_(file_bytes),
      ion_(origin_.format == DataFormat::ion ? std::make_unique<Ion>() : nullptr) {}

ExportWriter::~ExportWriter() = default;

std::string ExportWriter::key_of(std::string_view name) const {
  return key_below(origin_.prefix, origin_.id + "/" + std::string(name));
}

/// Returns the key of the next data file. Incremental exports share a folder.
std::string ExportWriter::data_key() const {
  const std::string name = std::string(data_folder_name) + "/" + data_file_name(origin_.id, files_.size()) +
                           (ion_ ? ".ion.gz" : ".json.gz");
  return origin_.window ? key_below(origin_.prefix, name) : key_of(name);
}

Outcome<void> ExportWriter::begin() {
  return objects_.put(key_of(started_name), "");
}

void ExportWriter::append_attributes(std::string_view json) {
  // A line break can only be between tokens: within strings it is an escape.
  if (ion_)
    ion_->append_item(lines_, json);
  else if (json.find('\n') == std::string_view::npos)
    lines_ += json;
  else
    lines_ += on_one_line(json);
}

Outcome<void> ExportWriter::add(std::string_view item) {
  lines_ += ion_ ? "$ion_1_0 {Item:" : R"({"Item":)";
  append_attributes(item);
  lines_ += '}';
  return end_line();
}

Outcome<void> ExportWriter::add(const ItemChange& change) {
  const auto append = [&](std::string_view name, std::string_view json) {
    if (json.empty()) return;
    lines_ += ion_ ? "," : ",\"";
    lines_ += name;
    lines_ += ion_ ? ":" : "\":";
    append_attributes(json);
  };
  if (ion_) {
    lines_ += "$ion_1_0 {Record:{Keys:";
    append_attributes(change.keys);
    lines_ += ",Metadata:{WriteTimestampMicros:" + microseconds(change.written) + ".}";
  } else {
    lines_ += R"({"Metadata":{"WriteTimestampMicros":{"N":")" + microseconds(change.written) + "\"}}";
    append("Keys", change.keys);
  }
  append("NewImage", change.new_image);
  append("OldImage", change.old_image);
  lines_ += ion_ ? "}}" : "}";
  return end_line();
}

Outcome<void> ExportWriter::end_line() {
  lines_ += '\n';
  ++lines_items_;
  ++items_;
  return lines_.size() < file_bytes_ ? Outcome<void>() : end_file();
}

Outcome<void> ExportWriter::end_file() {
  DINETTE_TRY(ListedFile file, put_data_file(objects_, data_key(), lines_));
  file.items = lines_items_;
  files_.push_back(std::move(file));
  lines_.clear();
  lines_items_ = 0;
  return {};
}

Outcome<void> ExportWriter::end_partition() {
  if (!lines_.empty() || files_.size() == files_before_) DINETTE_CHECK(end_file());
  files_before_ = files_.size();
  return {};
}

Outcome<void> ExportWriter::finish(base::TimePoint ended, std::uint64_t billed_bytes) {
  // An empty table has an empty file.
  if (!lines_.empty() || files_.empty()) DINETTE_CHECK(end_partition());
  DINETTE_CHECK(write_with_digest(files_name, files_digest_name, text_of(files_)));
  const Summary summary{.export_arn = origin_.table_arn + "/export/" + origin_.id,
                        .started = origin_.started,
                        .ended = ended,
                        .table_arn = origin_.table_arn,
                        .table_id = origin_.table_id,
                        .export_time = origin_.export_time,
                        .window = origin_.window,
                        .bucket = origin_.bucket,
                        .prefix = origin_.prefix,
                        .sse_algorithm = origin_.sse_algorithm,
                        .sse_key = origin_.sse_key,
                        .files_key = key_of(files_name),
                        .billed_bytes = billed_bytes,
                        .items = items_,
                        .format = origin_.format};
  return write_with_digest(summary_name, summary_digest_name, text_of(summary));
}

Outcome<void> ExportWriter::write_with_digest(std::string_view name, std::string_view digest_name,
                                              std::string_view text) {
  DINETTE_CHECK(objects_.put(key_of(digest_name), md5_text(text)));
  return objects_.put(key_of(name), text);
}

}  // namespace dinette::dynamodb::item_files
