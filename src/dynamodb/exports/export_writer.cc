#include "dinette/dynamodb/exports/export_writer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/compression.h"
#include "dinette/base/md5.h"

#include "dynamodb/exports/json_text.h"

namespace dinette::dynamodb::exports {
namespace {

constexpr std::size_t time_digits = 14;
constexpr std::size_t random_digits = 8;
constexpr std::size_t file_name_letters = 26;
constexpr std::string_view file_name_alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/// "01604474914028-a1b2c3d4"
std::string export_id(base::TimePoint moment, base::Ids& ids) {
  const auto since_epoch = std::chrono::floor<std::chrono::milliseconds>(moment).time_since_epoch();
  std::string id = std::to_string(since_epoch.count());
  id.insert(0, time_digits - std::min(id.size(), time_digits), '0');
  id += '-';
  std::uint64_t random = ids.random();
  for (std::size_t i = 0; i < random_digits; ++i, random >>= 4) id += base::lower_hex_digits[random & 15];
  return id;
}

std::string file_name(base::Ids& ids) {
  std::string name;
  std::uint64_t random = 0;
  for (std::size_t i = 0; i < file_name_letters; ++i, random >>= 5) {
    if (i % 12 == 0) random = ids.random();
    name += file_name_alphabet[random & 31];
  }
  return name + ".json.gz";
}

/// S3's for an upload in one part: the MD5 of the parts' MD5s, and their number.
std::string etag_of(std::string_view bytes) {
  const base::Md5Digest part = base::md5(bytes);
  std::string etag;
  for (const unsigned char byte : base::md5({reinterpret_cast<const char*>(part.data()), part.size()})) {
    etag += base::lower_hex_digits[byte >> 4];
    etag += base::lower_hex_digits[byte & 15];
  }
  return etag + "-1";
}

/// A prefix is kept as sent and joined with one slash (docs/service/export-import.md section 1).
std::string joined(const std::optional<std::string>& prefix, std::string_view key) {
  if (!prefix || prefix->empty()) return std::string(key);
  return *prefix + (prefix->ends_with('/') ? "" : "/") + std::string(key);
}

}  // namespace

ExportWriter::ExportWriter(Objects& objects, ExportOrigin origin, const base::Clock& clock, base::Ids& ids,
                           std::size_t file_bytes)
    : objects_(objects),
      origin_(std::move(origin)),
      clock_(clock),
      ids_(ids),
      file_bytes_(file_bytes),
      started_(clock.now()),
      id_(export_id(started_, ids)) {}

std::string ExportWriter::key_of(std::string_view name) const {
  return joined(origin_.prefix, std::string(exports_folder) + "/" + id_ + "/" + std::string(name));
}

Outcome<void> ExportWriter::begin() {
  return objects_.put(key_of(started_name), "");
}

Outcome<void> ExportWriter::add(std::string_view item) {
  lines_ += R"({"Item":)";
  // A line break can only be between tokens: within strings it is an escape.
  item.find('\n') == std::string_view::npos ? lines_ += item : lines_ += on_one_line(item);
  lines_ += "}\n";
  ++lines_items_;
  ++items_;
  return lines_.size() < file_bytes_ ? Outcome<void>() : write_file();
}

Outcome<void> ExportWriter::write_file() {
  const std::string bytes = base::compress(base::Compression::gzip, lines_);
  const std::string key = key_of(std::string(data_folder_name) + "/" + file_name(ids_));
  DINETTE_CHECK(objects_.put(key, bytes));
  files_.push_back({lines_items_, md5_text(bytes), etag_of(bytes), key});
  lines_.clear();
  lines_items_ = 0;
  return {};
}

Outcome<void> ExportWriter::finish() {
  // An empty table has an empty file.
  if (!lines_.empty() || files_.empty()) DINETTE_CHECK(write_file());
  DINETTE_CHECK(write_with_digest(files_name, files_digest_name, text_of(files_)));
  const Summary summary{.export_arn = origin_.table_arn + "/export/" + id_,
                        .started = started_,
                        .ended = clock_.now(),
                        .table_arn = origin_.table_arn,
                        .table_id = origin_.table_id,
                        .bucket = origin_.bucket,
                        .prefix = origin_.prefix,
                        .files_key = key_of(files_name),
                        .items = items_};
  return write_with_digest(summary_name, summary_digest_name, text_of(summary));
}

Outcome<void> ExportWriter::write_with_digest(std::string_view name, std::string_view digest_name,
                                              std::string_view text) {
  DINETTE_CHECK(objects_.put(key_of(digest_name), md5_text(text)));
  return objects_.put(key_of(name), text);
}

}  // namespace dinette::dynamodb::exports
