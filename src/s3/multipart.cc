#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/ascii.h"
#include "dinette/base/md5.h"
#include "dinette/base/time_text.h"

#include "s3/conditions.h"
#include "s3/copying.h"
#include "s3/etag.h"
#include "s3/object_headers.h"
#include "s3/operations.h"
#include "s3/payload.h"
#include "s3/range.h"
#include "s3/xml_reader.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

constexpr int most_parts = 10'000;
constexpr std::uint64_t smallest_part = 5 * 1024 * 1024;  ///< of all but the last
/// Where parts are until the upload is completed, in the store's scratch.
constexpr const char* parts_bucket = "parts";

std::optional<int> read_part_number(string_view text) {
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return all && number >= 1 && number <= most_parts ? std::optional(number) : std::nullopt;
}

string part_key(string_view id, int number) {
  return string(id) + "/" + std::to_string(number);
}

Outcome<objects::BucketStore*> parts_store(const Call& call) {
  DINETTE_S3_TRY(objects::BucketStore* const store, call.state.store.scratch());
  const auto made = store->create_bucket(parts_bucket);
  if (!made && made.error().kind != objects::ErrorKind::bucket_exists)
    return base::Failure{error_of(made.error())};
  return store;
}

string id_of(const Call& call) {
  return string(call.parameter("uploadId"));
}

Outcome<Upload> find_upload(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  auto upload = call.state.uploads.find(id_of(call), call.address.bucket, call.address.key);
  if (!upload) return fail(Code::no_such_upload);
  return std::move(*upload);
}

/// Ends an upload, and removes its parts.
Done end(const Call& call, const Upload& upload) {
  call.state.uploads.remove(id_of(call));
  DINETTE_TRY(objects::BucketStore* const parts, parts_store(call));
  for (const auto& [number, part] : upload.parts)
    DINETTE_S3_CHECK(parts->remove(parts_bucket, part_key(id_of(call), number)));
  return {};
}

Part add_part(const Call& call, int number, const objects::ObjectInfo& info) {
  Part part{info.size, info.etag, info.modified};
  call.state.uploads.add_part(id_of(call), number, part);
  return part;
}

Done upload_part_copy(const Call& call, int number) {
  DINETTE_TRY(const auto source, open_copy_source(call));
  const std::uint64_t size = source->info().size;
  DINETTE_TRY(const auto range, read_range(call.header("x-amz-copy-source-range"), size));
  const Range bytes = range.value_or(Range{0, size});
  DINETTE_TRY(objects::BucketStore* const parts, parts_store(call));
  DINETTE_S3_TRY(const auto writer, parts->write(parts_bucket, part_key(id_of(call), number)));
  DINETTE_S3_CHECK(source->seek(bytes.begin));
  DINETTE_CHECK(copy_bytes(*source, *writer, bytes.size));
  DINETTE_S3_TRY(const objects::ObjectInfo info, writer->finish());
  const Part part = add_part(call, number, info);
  XmlWriter xml;
  xml.open_document("CopyPartResult");
  xml.element("LastModified", base::format_time(part.modified));
  xml.element("ETag", Call::quoted(part.etag));
  xml.close("CopyPartResult");
  call.answer(xml.take());
  return {};
}

/// Returns the numbers of the parts that a request names, after checks of them.
Outcome<std::vector<int>> chosen_parts(const Call& call, const Upload& upload) {
  Payload payload;
  DINETTE_CHECK(read_payload(call, payload));
  const auto request = read_xml(payload.bytes);
  if (!request || request->name != "CompleteMultipartUpload") return fail(Code::malformed_xml);
  std::vector<int> chosen;
  for (const XmlElement& element : request->children) {
    if (element.name != "Part") continue;
    const auto number = read_part_number(element.text_of("PartNumber"));
    if (!number) return fail(Code::malformed_xml);
    const auto part = upload.parts.find(*number);
    if (part == upload.parts.end() || part->second.etag != without_quotes(element.text_of("ETag")))
      return fail(Code::invalid_part);
    if (!chosen.empty() && *number <= chosen.back()) return fail(Code::invalid_part_order);
    chosen.push_back(*number);
  }
  if (chosen.empty()) return fail(Code::malformed_xml);
  for (const int number : chosen) {
    if (number != chosen.back() && upload.parts.at(number).size < smallest_part)
      return fail(Code::entity_too_small);
  }
  return chosen;
}

unsigned char hex_value(char digit) {
  return static_cast<unsigned char>(base::lower_hex_digits.find(digit));
}

/// Returns the MD5 of the MD5s, and how many there are.
string etag_of(const Upload& upload, const std::vector<int>& chosen) {
  base::Md5 md5;
  for (const int number : chosen) {
    const string& hex = upload.parts.at(number).etag;
    string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes.push_back(static_cast<char>(hex_value(hex[i]) << 4 | hex_value(hex[i + 1])));
    md5.add(bytes);
  }
  return base::hex(md5.digest()) + "-" + std::to_string(chosen.size());
}

void write_upload(XmlWriter& xml, const Call& call) {
  xml.element("Bucket", call.address.bucket);
  xml.element("Key", call.address.key);
  xml.element("UploadId", id_of(call));
}

}  // namespace

Done create_multipart_upload(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  string id;
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t bits = call.state.ids.random();
    std::array<unsigned char, sizeof bits> bytes;
    for (std::size_t at = 0; at < bytes.size(); ++at)
      bytes[at] = static_cast<unsigned char>(bits >> (8 * at));
    id += base::hex(bytes);
  }
  call.state.uploads.add(
      id, {call.address.bucket, call.address.key, headers_to_keep(call), call.state.clock.now()});
  XmlWriter xml;
  xml.open_document("InitiateMultipartUploadResult");
  xml.element("Bucket", call.address.bucket);
  xml.element("Key", call.address.key);
  xml.element("UploadId", id);
  xml.close("InitiateMultipartUploadResult");
  call.answer(xml.take());
  return {};
}

Done upload_part(const Call& call) {
  const auto number = read_part_number(call.parameter("partNumber"));
  if (!number) {
    return fail(Code::invalid_argument, "Part number must be an integer between 1 and 10000, inclusive");
  }
  DINETTE_CHECK(find_upload(call));
  if (call.request.header("x-amz-copy-source")) return upload_part_copy(call, *number);
  Payload payload;
  DINETTE_CHECK(read_payload(call, payload));
  DINETTE_TRY(objects::BucketStore* const parts, parts_store(call));
  DINETTE_S3_TRY(const objects::ObjectInfo info,
                 objects::put(*parts, parts_bucket, part_key(id_of(call), *number), payload.bytes));
  call.add_etag(add_part(call, *number, info).etag);
  for (const auto& [name, value] : payload.checksums) call.response.add_header(name, value);
  return {};
}

Done complete_multipart_upload(const Call& call) {
  DINETTE_TRY(Upload upload, find_upload(call));
  DINETTE_TRY(const std::vector<int> chosen, chosen_parts(call, upload));
  DINETTE_TRY(objects::BucketStore* const parts, parts_store(call));
  DINETTE_S3_TRY(const auto writer,
                 call.state.store.write(call.address.bucket, call.address.key, upload.headers));
  for (const int number : chosen) {
    DINETTE_S3_TRY(const auto part, parts->open(parts_bucket, part_key(id_of(call), number)));
    if (part->info().etag != upload.parts.at(number).etag) return fail(Code::invalid_part);
    DINETTE_CHECK(copy_bytes(*part, *writer, part->info().size));
  }
  std::unique_lock<std::mutex> alone;
  if (is_conditional_write(call)) {
    alone = std::unique_lock(call.state.conditional_writes);
    DINETTE_CHECK(check_write(call));
  }
  DINETTE_S3_TRY(const objects::ObjectInfo written, writer->finish(etag_of(upload, chosen)));
  DINETTE_CHECK(end(call, upload));
  XmlWriter xml;
  xml.open_document("CompleteMultipartUploadResult");
  xml.element("Location", "http://" + string(call.header("host")) + "/" + call.address.bucket + "/" +
                              http::percent_encode(call.address.key, "/"));
  xml.element("Bucket", call.address.bucket);
  xml.element("Key", call.address.key);
  xml.element("ETag", Call::quoted(written.etag));
  xml.close("CompleteMultipartUploadResult");
  call.answer(xml.take());
  return {};
}

Done abort_multipart_upload(const Call& call) {
  DINETTE_TRY(const Upload upload, find_upload(call));
  DINETTE_CHECK(end(call, upload));
  call.response.status = 204;
  return {};
}

Done list_parts(const Call& call) {
  DINETTE_TRY(const Upload upload, find_upload(call));
  int after = 0;
  const string_view marker = call.parameter("part-number-marker");
  std::from_chars(marker.data(), marker.data() + marker.size(), after);
  XmlWriter xml;
  xml.open_document("ListPartsResult");
  write_upload(xml, call);
  xml.element("PartNumberMarker", static_cast<std::uint64_t>(std::max(after, 0)));
  xml.element("MaxParts", static_cast<std::uint64_t>(most_parts));
  xml.flag("IsTruncated", false);
  for (auto next = upload.parts.upper_bound(after); next != upload.parts.end(); ++next) {
    xml.open("Part");
    xml.element("PartNumber", static_cast<std::uint64_t>(next->first));
    xml.element("LastModified", base::format_time(next->second.modified));
    xml.element("ETag", Call::quoted(next->second.etag));
    xml.element("Size", next->second.size);
    xml.close("Part");
  }
  xml.close("ListPartsResult");
  call.answer(xml.take());
  return {};
}

Done list_multipart_uploads(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  XmlWriter xml;
  xml.open_document("ListMultipartUploadsResult");
  xml.element("Bucket", call.address.bucket);
  xml.element("Prefix", call.parameter("prefix"));
  xml.flag("IsTruncated", false);
  for (const auto& [id, upload] : call.state.uploads.of_bucket(call.address.bucket)) {
    if (!upload.key.starts_with(call.parameter("prefix"))) continue;
    xml.open("Upload");
    xml.element("Key", upload.key);
    xml.element("UploadId", id);
    xml.element("StorageClass", "STANDARD");
    xml.element("Initiated", base::format_time(upload.begun));
    xml.close("Upload");
  }
  xml.close("ListMultipartUploadsResult");
  call.answer(xml.take());
  return {};
}

}  // namespace dinette::s3
