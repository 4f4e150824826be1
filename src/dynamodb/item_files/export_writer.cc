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

ExportWriter::ExportWriter(ExportFolder folder, Summary summary, std::size_t file_bytes)
    : folder_(std::move(folder)),
      summary_(std::move(summary)),
      file_bytes_(file_bytes),
      ion_(summary_.format == DataFormat::ion ? std::make_unique<Ion>() : nullptr) {}

ExportWriter::~ExportWriter() = default;

/// Returns the key of the next data file. Incremental exports share a folder.
std::string ExportWriter::data_key() const {
  const std::string name = folder_.data_file_name(files_.size(), ion_ ? ".ion.gz" : ".json.gz");
  return summary_.window ? key_below(folder_.prefix, name) : folder_.key_of(name);
}

objects::Result<void> ExportWriter::begin() {
  return folder_.put(started_name, "");
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

objects::Result<void> ExportWriter::add(std::string_view item) {
  lines_ += ion_ ? "$ion_1_0 {Item:" : R"({"Item":)";
  append_attributes(item);
  lines_ += '}';
  return end_line();
}

objects::Result<void> ExportWriter::add(const ItemChange& change) {
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

objects::Result<void> ExportWriter::end_line() {
  lines_ += '\n';
  ++lines_items_;
  ++items_;
  return lines_.size() < file_bytes_ ? objects::Result<void>() : end_file();
}

objects::Result<void> ExportWriter::end_file() {
  DINETTE_TRY(ListedFile file, folder_.put_data_file(data_key(), lines_));
  file.items = lines_items_;
  files_.push_back(std::move(file));
  lines_.clear();
  lines_items_ = 0;
  return {};
}

objects::Result<void> ExportWriter::end_partition() {
  if (!lines_.empty() || files_.size() == files_before_) DINETTE_CHECK(end_file());
  files_before_ = files_.size();
  return {};
}

objects::Result<void> ExportWriter::finish(base::TimePoint ended, std::uint64_t billed_bytes) {
  // An empty table has an empty file.
  if (!lines_.empty() || files_.empty()) DINETTE_CHECK(end_partition());
  DINETTE_CHECK(folder_.put_manifest(files_name, files_digest_name, text_of(files_)));
  summary_.export_arn = summary_.table_arn + "/export/" + folder_.id;
  summary_.ended = ended;
  summary_.prefix = folder_.prefix;
  summary_.files_key = folder_.key_of(files_name);
  summary_.billed_bytes = billed_bytes;
  summary_.items = items_;
  return folder_.put_manifest(summary_name, summary_digest_name, text_of(summary_));
}

}  // namespace dinette::dynamodb::item_files
