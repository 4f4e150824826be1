#include "dinette/dynamodb/item_files/manifest.h"

#include <tuple>

#include "dinette/base/ascii.h"
#include "dinette/base/base64.h"
#include "dinette/base/compression.h"
#include "dinette/base/md5.h"
#include "dinette/base/sha256.h"
#include "dinette/base/time_text.h"

#include "dynamodb/item_files/json_text.h"

namespace dinette::dynamodb::item_files {
namespace {

using base::Failure;

constexpr std::string_view version = "2020-06-30";
constexpr std::string_view incremental_version = "2023-08-01";
constexpr std::string_view json_format = "DYNAMODB_JSON";
constexpr std::string_view ion_format = "ION";
constexpr std::string_view incremental = "INCREMENTAL_EXPORT";

constexpr std::size_t file_name_letters = 26;
constexpr std::string_view file_name_alphabet = "abcdefghijklmnopqrstuvwxyz234567";

/// Returns S3's ETag for an upload in one part: the MD5 of the parts' MD5s, and their number.
std::string etag_of(std::string_view bytes) {
  const base::Md5Digest part = base::md5(bytes);
  return base::hex(base::md5({reinterpret_cast<const char*>(part.data()), part.size()})) + "-1";
}

/// Returns the name in the ARN of a table.
std::string name_in_arn(std::string_view arn) {
  constexpr std::string_view mark = ":table/";
  const std::size_t at = arn.find(mark);
  return at == std::string_view::npos ? "" : std::string(arn.substr(at + mark.size()));
}

Outcome<DataFormat> read_format(aws::JsonElement json) {
  const std::string format = string_member(json, "outputFormat");
  if (format == json_format) return DataFormat::dynamodb_json;
  if (format == ion_format) return DataFormat::ion;
  return Failure{"belongs to an export in the format '" + format + "'; take one in DYNAMODB_JSON or ION"};
}

}  // namespace

std::string text_of(const Summary& summary) {
  std::string text;
  aws::JsonWriter json(text);
  json.begin_object();
  write_text(json, "version", summary.window ? incremental_version : version);
  write_text(json, "exportArn", summary.export_arn);
  write_text(json, "startTime", base::format_time(summary.started));
  write_text(json, "endTime", base::format_time(summary.ended));
  write_text(json, "tableArn", summary.table_arn);
  write_text(json, "tableId", summary.table_id);
  if (summary.window) {
    write_text(json, "exportFromTime", base::format_time(summary.window->from));
    write_text(json, "exportToTime", base::format_time(summary.window->to));
  } else {
    write_text(json, "exportTime", base::format_time(summary.export_time));
  }
  write_text(json, "s3Bucket", summary.bucket);
  write_optional(json, "s3Prefix", summary.prefix);
  write_text(json, "s3SseAlgorithm", summary.sse_algorithm);
  write_optional(json, "s3SseKmsKeyId", summary.sse_key);
  write_text(json, "manifestFilesS3Key", summary.files_key);
  write_number(json, "billedSizeBytes", summary.billed_bytes);
  write_number(json, "itemCount", summary.items);
  write_text(json, "outputFormat", summary.format == DataFormat::ion ? ion_format : json_format);
  if (summary.window) {
    write_text(json, "outputView", summary.window->old_images ? "NEW_AND_OLD_IMAGES" : "NEW_IMAGE");
    write_text(json, "exportType", incremental);
  }
  json.end_object();
  return text;
}

std::string text_of(const std::vector<ListedFile>& files) {
  std::string text;
  for (const ListedFile& file : files) {
    aws::JsonWriter json(text);
    json.begin_object();
    if (!file.output_type.empty()) write_text(json, "outputType", file.output_type);
    write_number(json, "itemCount", file.items);
    write_text(json, "md5Checksum", file.md5);
    write_text(json, "etag", file.etag);
    write_text(json, "dataFileS3Key", file.key);
    json.end_object();
    text += '\n';
  }
  return text;
}

Outcome<ReadSummary> read_summary(std::string_view text) {
  simdjson::dom::parser parser;
  aws::JsonElement json;
  ReadSummary summary;
  const bool read = !parser.parse(text.data(), text.size()).get(json) && json.is_object() &&
                    !json["itemCount"].get(summary.items);
  if (!read) return Failure{std::string("is no summary of an export")};
  DINETTE_TRY(summary.format, read_format(json));
  summary.is_incremental = string_member(json, "exportType") == incremental;
  summary.table_name = name_in_arn(string_member(json, "tableArn"));
  if (summary.table_name.empty()) return Failure{std::string("names no table in its tableArn")};
  return summary;
}

Outcome<std::vector<ListedFile>> read_files(std::string_view text) {
  std::vector<ListedFile> files;
  simdjson::dom::parser parser;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    aws::JsonElement json;
    ListedFile file;
    const bool read = !parser.parse(one.data(), one.size()).get(json) && json.is_object() &&
                      !json["itemCount"].get(file.items);
    if (read) {
      file.md5 = string_member(json, "md5Checksum");
      file.etag = string_member(json, "etag");
      file.key = string_member(json, "dataFileS3Key");
    }
    if (file.key.empty() || file.md5.empty())
      return Failure{"line " + std::to_string(line) + " describes no data file of an export"};
    files.push_back(std::move(file));
  }
  return files;
}

std::string key_below(const std::optional<std::string>& prefix, std::string_view name) {
  std::string key = prefix.value_or("");
  if (!key.empty() && !key.ends_with('/')) key += '/';
  return key.append(exports_folder).append("/").append(name);
}

std::string ExportFolder::key_of(std::string_view name) const {
  return key_below(prefix, id + "/" + std::string(name));
}

/// The name has 26 letters of the alphabet, each from a byte of a digest.
std::string ExportFolder::data_file_name(std::size_t number, std::string_view ending) const {
  static_assert(std::tuple_size_v<base::Sha256Digest> >= file_name_letters);
  const base::Sha256Digest digest = base::sha256(id + "/" + std::to_string(number));
  std::string name = std::string(data_folder_name) + "/";
  for (std::size_t i = 0; i < file_name_letters; ++i) name += file_name_alphabet[digest[i] & 31];
  return name.append(ending);
}

objects::Result<void> ExportFolder::put(std::string_view name, std::string_view text) const {
  DINETTE_CHECK(objects::put(store, bucket, key_of(name), text));
  return {};
}

objects::Result<void> ExportFolder::put_manifest(std::string_view name, std::string_view digest_name,
                                                 std::string_view text) const {
  DINETTE_CHECK(put(digest_name, md5_text(text)));
  return put(name, text);
}

objects::Result<ListedFile> ExportFolder::put_data_file(const std::string& key,
                                                        std::string_view lines) const {
  const std::string bytes = base::compress(base::Compression::gzip, lines);
  ListedFile file{.items = 0, .md5 = md5_text(bytes), .etag = etag_of(bytes), .key = key};
  DINETTE_CHECK(objects::put(store, bucket, key, bytes, file.etag));
  return file;
}

std::string md5_text(std::string_view bytes) {
  const base::Md5Digest digest = base::md5(bytes);
  return base::base64_encode({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

}  // namespace dinette::dynamodb::item_files
