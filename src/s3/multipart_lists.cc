#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dinette/base/time_text.h"

#include "s3/list_parameters.h"
#include "s3/multipart.h"
#include "s3/operations.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

/// Greater than every id of an upload.
constexpr const char* after_all_ids = "~";

/// A page of uploads and common prefixes.
struct UploadPage {
  std::vector<Upload> uploads;
  std::vector<string> prefixes;
  bool more = false;
  string last_key;  ///< of both; empty: none
  string last_id;   ///< empty if that is a common prefix
};

UploadPage page_of(const Call& call, std::size_t limit) {
  const objects::ListRequest request{.prefix = string(call.parameter("prefix")),
                                     .delimiter = string(call.parameter("delimiter"))};
  string after_key(call.parameter("key-marker"));
  string after_id(after_key.empty() ? "" : call.parameter("upload-id-marker"));
  if (after_id.empty() && !after_key.empty()) {
    if (objects::common_prefix(request, after_key) == after_key)
      after_key = objects::after_all_of(std::move(after_key));
    after_id = after_all_ids;
  }
  if (after_key < request.prefix) {
    after_key = request.prefix;
    after_id.clear();
  }
  UploadPage page;
  const auto visit = [&](const Upload& upload) -> std::optional<string> {
    if (!upload.key.starts_with(request.prefix)) return std::nullopt;
    page.more = page.uploads.size() + page.prefixes.size() == limit;
    if (page.more) return std::nullopt;
    auto prefix = objects::common_prefix(request, upload.key);
    page.last_key = prefix.value_or(upload.key);
    page.last_id = prefix ? "" : upload.id;
    if (!prefix) {
      page.uploads.push_back(upload);
      return string();
    }
    page.prefixes.push_back(*prefix);
    return objects::after_all_of(*std::move(prefix));
  };
  if (limit > 0)
    call.state.uploads.visit(call.address.bucket, after_key, after_id, call.state.clock.now(), visit);
  return page;
}

}  // namespace

Done list_parts(const Call& call) {
  DINETTE_TRY(const UploadPointer upload, find_upload(call));
  DINETTE_TRY(const std::size_t limit, read_limit(call, "max-parts"));
  int after = 0;
  const string_view marker = call.parameter("part-number-marker");
  std::from_chars(marker.data(), marker.data() + marker.size(), after);
  Parts parts = call.state.uploads.parts(upload->id, after, limit + 1);
  const bool more = limit > 0 && parts.size() > limit;
  if (parts.size() > limit) parts.erase(std::prev(parts.end()));
  XmlWriter xml;
  xml.open_document("ListPartsResult");
  xml.element("Bucket", upload->bucket);
  xml.element("Key", upload->key);
  xml.element("UploadId", upload->id);
  xml.element("PartNumberMarker", static_cast<std::uint64_t>(std::max(after, 0)));
  if (!parts.empty()) xml.element("NextPartNumberMarker", static_cast<std::uint64_t>(parts.rbegin()->first));
  xml.element("MaxParts", limit);
  xml.flag("IsTruncated", more);
  for (const auto& [number, part] : parts) {
    xml.open("Part");
    xml.element("PartNumber", static_cast<std::uint64_t>(number));
    xml.element("LastModified", base::format_time(part.modified));
    xml.element("ETag", Call::quoted(part.etag));
    xml.element("Size", part.size);
    xml.close("Part");
  }
  xml.close("ListPartsResult");
  call.answer(xml.take());
  return {};
}

Done list_multipart_uploads(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  DINETTE_TRY(const std::size_t limit, read_limit(call, "max-uploads"));
  DINETTE_TRY(const KeyEncoding encoding, read_encoding(call));
  const UploadPage page = page_of(call, limit);
  XmlWriter xml;
  xml.open_document("ListMultipartUploadsResult");
  xml.element("Bucket", call.address.bucket);
  xml.element("KeyMarker", encoding.text(call.parameter("key-marker")));
  xml.element("UploadIdMarker", call.parameter("upload-id-marker"));
  if (page.more) {
    xml.element("NextKeyMarker", encoding.text(page.last_key));
    xml.element("NextUploadIdMarker", page.last_id);
  }
  xml.element("Prefix", encoding.text(call.parameter("prefix")));
  if (call.has_parameter("delimiter")) xml.element("Delimiter", encoding.text(call.parameter("delimiter")));
  if (encoding.encoded) xml.element("EncodingType", "url");
  xml.element("MaxUploads", limit);
  xml.flag("IsTruncated", page.more);
  for (const Upload& upload : page.uploads) {
    xml.open("Upload");
    xml.element("Key", encoding.text(upload.key));
    xml.element("UploadId", upload.id);
    xml.element("StorageClass", "STANDARD");
    xml.element("Initiated", base::format_time(upload.begun));
    xml.close("Upload");
  }
  for (const string& prefix : page.prefixes) {
    xml.open("CommonPrefixes");
    xml.element("Prefix", encoding.text(prefix));
    xml.close("CommonPrefixes");
  }
  xml.close("ListMultipartUploadsResult");
  call.answer(xml.take());
  return {};
}

}  // namespace dinette::s3
