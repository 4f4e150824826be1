#include "s3/multipart.h"

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
#include "dinette/s3/xml_reader.h"

#include "s3/conditions.h"
#include "s3/copying.h"
#include "s3/etag.h"
#include "s3/object_headers.h"
#include "s3/operations.h"
#include "s3/payload.h"
#include "s3/range.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

constexpr int most_parts = 10'000;                        ///< of an upload
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

/// Removes the parts of an upload that was taken out.
Done remove_parts(const Call& call, const EndedUpload& ended) {
  DINETTE_TRY(objects::BucketStore* const parts, parts_store(call));
  for (const auto& [number, part] : ended.parts)
    DINETTE_S3_CHECK(parts->remove(parts_bucket, part_key(ended.upload->id, number)));
  return {};
}

/// Ends an upload, and removes its parts.
Done end(const Call& call, const Upload& upload) {
  const auto ended = call.state.uploads.take(upload.id);
  return ended ? remove_parts(call, *ended) : Done();
}

/// Enters a part whose bytes are there.
Outcome<Part> add_part(const Call& call, const Upload& upload, int number, const objects::ObjectInfo& info) {
  Part part{info.size, info.etag, info.modified};
  if (call.state.uploads.add_part(upload.id, number, part)) return part;
  // It was ended meanwhile, and its other parts are gone.
  DINETTE_TRY(objects::BucketStore* const parts, parts_store(call));
  DINETTE_S3_CHECK(parts->remove(parts_bucket, part_key(upload.id, number)));
  return fail(Code::no_such_upload);
}

Done upload_part_copy(const Call& call, const Upload& upload, int number) {
  DINETTE_TRY(const auto source, open_copy_source(call));
  const std::uint64_t size = source->info().size;
  DINETTE_TRY(const auto range, read_range(call.header("x-amz-copy-source-range"), size));
  const Range bytes = range.value_or(Range{0, size});
  DINETTE_TRY(objects::BucketStore* const parts, parts_store(call));
  DINETTE_S3_TRY(const auto writer, parts->write(parts_bucket, part_key(upload.id, number)));
  DINETTE_S3_CHECK(source->seek(bytes.begin));
  DINETTE_CHECK(copy_bytes(*source, *writer, bytes.size));
  DINETTE_S3_TRY(const objects::ObjectInfo info, writer->finish());
  DINETTE_TRY(const Part part, add_part(call, upload, number, info));
  XmlWriter xml;
  xml.open_document("CopyPartResult");
  xml.element("LastModified", base::format_time(part.modified));
  xml.element("ETag", Call::quoted(part.etag));
  xml.close("CopyPartResult");
  call.answer(xml.take());
  return {};
}

/// Returns the numbers of the parts that a request names, after checks of them.
Outcome<std::vector<int>> chosen_parts(const Call& call, const Parts& parts) {
  Payload payload;
  DINETTE_CHECK(read_payload(call, payload));
  const auto request = read_xml(payload.bytes);
  if (!request || request->name != "CompleteMultipartUpload") return fail(Code::malformed_xml);
  std::vector<int> chosen;
  for (const XmlElement& element : request->children) {
    if (element.name != "Part") continue;
    const auto number = read_part_number(element.text_of("PartNumber"));
    if (!number) return fail(Code::malformed_xml);
    const auto part = parts.find(*number);
    if (part == parts.end() || part->second.etag != without_quotes(element.text_of("ETag")))
      return fail(Code::invalid_part);
    if (!chosen.empty() && *number <= chosen.back()) return fail(Code::invalid_part_order);
    chosen.push_back(*number);
  }
  if (chosen.empty()) return fail(Code::malformed_xml);
  for (const int number : chosen) {
    if (number != chosen.back() && parts.at(number).size < smallest_part) return fail(Code::entity_too_small);
  }
  return chosen;
}

unsigned char hex_value(char digit) {
  return static_cast<unsigned char>(base::lower_hex_digits.find(digit));
}

/// Returns the MD5 of the MD5s, and how many there are.
string etag_of(const Parts& parts, const std::vector<int>& chosen) {
  base::Md5 md5;
  for (const int number : chosen) {
    const string& hex = parts.at(number).etag;
    string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
      bytes.push_back(static_cast<char>(hex_value(hex[i]) << 4 | hex_value(hex[i + 1])));
    md5.add(bytes);
  }
  return base::hex(md5.digest()) + "-" + std::to_string(chosen.size());
}

}  // namespace

Outcome<UploadPointer> find_upload(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  UploadPointer upload = call.state.uploads.find(string(call.parameter("uploadId")), call.address.bucket,
                                                 call.address.key, call.state.clock.now());
  if (!upload) return fail(Code::no_such_upload);
  return upload;
}

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
  const auto ended = call.state.uploads.add(
      {id, call.address.bucket, call.address.key, headers_to_keep(call), call.state.clock.now()});
  for (const EndedUpload& one : ended) DINETTE_CHECK(remove_parts(call, one));
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
  DINETTE_TRY(const UploadPointer upload, find_upload(call));
  if (call.request.header("x-amz-copy-source")) return upload_part_copy(call, *upload, *number);
  Payload payload;
  DINETTE_CHECK(read_payload(call, payload));
  DINETTE_TRY(objects::BucketStore* const parts, parts_store(call));
  DINETTE_S3_TRY(const objects::ObjectInfo info,
                 objects::put(*parts, parts_bucket, part_key(upload->id, *number), payload.bytes));
  DINETTE_TRY(const Part part, add_part(call, *upload, *number, info));
  call.add_etag(part.etag);
  for (const auto& [name, value] : payload.checksums) call.response.add_header(name, value);
  return {};
}

Done complete_multipart_upload(const Call& call) {
  DINETTE_TRY(const UploadPointer upload, find_upload(call));
  const Parts parts = call.state.uploads.parts(upload->id);
  DINETTE_TRY(const std::vector<int> chosen, chosen_parts(call, parts));
  DINETTE_TRY(objects::BucketStore* const store, parts_store(call));
  DINETTE_S3_TRY(const auto writer,
                 call.state.store.write(call.address.bucket, call.address.key, upload->headers));
  for (const int number : chosen) {
    DINETTE_S3_TRY(const auto part, store->open(parts_bucket, part_key(upload->id, number)));
    if (part->info().etag != parts.at(number).etag) return fail(Code::invalid_part);
    DINETTE_CHECK(copy_bytes(*part, *writer, part->info().size));
  }
  std::unique_lock<std::mutex> alone;
  if (is_conditional_write(call)) {
    alone = std::unique_lock(call.state.conditional_writes);
    DINETTE_CHECK(check_write(call));
  }
  DINETTE_S3_TRY(const objects::ObjectInfo written, writer->finish(etag_of(parts, chosen)));
  DINETTE_CHECK(end(call, *upload));
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
  DINETTE_TRY(const UploadPointer upload, find_upload(call));
  DINETTE_CHECK(end(call, *upload));
  call.response.status = 204;
  return {};
}

Done end_uploads_of_bucket(const Call& call) {
  for (const EndedUpload& one : call.state.uploads.take_all(call.address.bucket))
    DINETTE_CHECK(remove_parts(call, one));
  return {};
}

}  // namespace dinette::s3
