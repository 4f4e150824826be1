#include "s3/remote/remote_writer.h"

#include <algorithm>
#include <utility>

#include "dinette/http/query_string.h"

#include "s3/etag.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

using base::Failure;

}  // namespace

RemoteWriter::RemoteWriter(Exchange& exchange, std::string bucket, std::string key,
                           const std::vector<std::pair<std::string, std::string>>& headers)
    : exchange_(exchange), bucket_(std::move(bucket)), key_(std::move(key)) {
  for (const auto& [name, value] : headers) headers_ += name + ": " + value + "\r\n";
}

RemoteWriter::~RemoteWriter() {
  if (!upload_id_.empty()) exchange_.try_once(request("DELETE", upload()));
}

std::string RemoteWriter::upload() const {
  return "uploadId=" + http::percent_encode(upload_id_);
}

objects::Result<void> RemoteWriter::write(std::string_view bytes) {
  size_ += bytes.size();
  while (!bytes.empty()) {
    if (part_.size() == exchange_.options().part_size) DINETTE_CHECK(send_part());
    const std::string_view next = bytes.substr(0, exchange_.options().part_size - part_.size());
    part_ += next;
    bytes.remove_prefix(next.size());
  }
  return {};
}

objects::Result<objects::ObjectInfo> RemoteWriter::finish(std::optional<std::string> etag) {
  const bool in_parts = !upload_id_.empty() || (etag && etag->find('-') != std::string::npos);
  objects::ObjectInfo info{.key = key_, .size = size_, .etag = {}, .modified = {}};
  if (!in_parts) {
    DINETTE_TRY(info.etag, put());
    return info;
  }
  DINETTE_CHECK(send_part());
  DINETTE_TRY(info.etag, complete());
  return info;
}

objects::Result<std::string> RemoteWriter::put() {
  RemoteRequest sent = request("PUT");
  sent.headers = headers_;
  sent.body = std::move(part_);
  DINETTE_TRY(const auto response, exchange_.succeed(sent));
  return etag_of(response);
}

objects::Result<void> RemoteWriter::begin_upload() {
  RemoteRequest sent = request("POST", "uploads=");
  sent.headers = headers_;
  DINETTE_TRY(const auto response, exchange_.succeed(sent));
  const auto begun = read_xml(response.body);
  if (begun) upload_id_ = begun->text_of("UploadId");
  if (upload_id_.empty()) return Failure{exchange_.unexpected("began no upload")};
  return {};
}

objects::Result<void> RemoteWriter::send_part() {
  if (upload_id_.empty()) DINETTE_CHECK(begin_upload());
  RemoteRequest sent = request("PUT", "partNumber=" + std::to_string(etags_.size() + 1) + "&" + upload());
  sent.body = std::exchange(part_, {});
  DINETTE_TRY(const auto response, exchange_.succeed(sent));
  etags_.push_back(etag_of(response));
  return {};
}

objects::Result<std::string> RemoteWriter::complete() {
  XmlWriter parts;
  parts.open_document("CompleteMultipartUpload");
  for (std::size_t i = 0; i < etags_.size(); ++i) {
    parts.open("Part");
    parts.element("PartNumber", std::uint64_t{i + 1});
    parts.element("ETag", "\"" + etags_[i] + "\"");
    parts.close("Part");
  }
  parts.close("CompleteMultipartUpload");
  RemoteRequest sent = request("POST", upload());
  sent.body = parts.take();
  DINETTE_TRY(const auto response, exchange_.succeed(sent));
  // S3 may find out that it failed when it has begun to answer 200.
  const auto completed = read_xml(response.body);
  if (!completed || completed->name != "CompleteMultipartUploadResult")
    return Failure{exchange_.error_of(response)};
  upload_id_.clear();
  return std::string(without_quotes(completed->text_of("ETag")));
}

}  // namespace dinette::s3
