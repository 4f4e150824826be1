#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "dinette/base/ascii.h"
#include "dinette/base/time_text.h"
#include "dinette/s3/xml_reader.h"

#include "s3/conditions.h"
#include "s3/copying.h"
#include "s3/object_headers.h"
#include "s3/operations.h"
#include "s3/payload.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

constexpr std::size_t most_deleted_at_once = 1'000;

Done copy_object(const Call& call) {
  const bool replaces = base::equal_ignoring_case(call.header("x-amz-metadata-directive"), "replace");
  if (!replaces && copies_onto_itself(call)) {
    return fail(Code::invalid_request,
                "This copy request is illegal because it is trying to copy an object to itself without "
                "changing the object's metadata, storage class, website redirect location or encryption "
                "attributes.");
  }
  DINETTE_TRY(const auto source, open_copy_source(call));
  const objects::ObjectInfo& info = source->info();
  DINETTE_S3_TRY(const auto writer, call.state.store.write(call.address.bucket, call.address.key,
                                                           replaces ? headers_to_keep(call) : info.headers));
  DINETTE_CHECK(copy_bytes(*source, *writer, info.size));
  DINETTE_S3_TRY(const objects::ObjectInfo written, writer->finish());
  XmlWriter xml;
  xml.open_document("CopyObjectResult");
  xml.element("LastModified", base::format_time(written.modified));
  xml.element("ETag", Call::quoted(written.etag));
  xml.close("CopyObjectResult");
  call.answer(xml.take());
  return {};
}

}  // namespace

Done put_object(const Call& call) {
  if (call.request.header("x-amz-copy-source")) return copy_object(call);
  Payload payload;
  DINETTE_CHECK(read_payload(call, payload));
  ObjectHeaders headers = headers_to_keep(call);
  headers.insert(headers.end(), payload.checksums.begin(), payload.checksums.end());
  DINETTE_S3_TRY(const auto writer,
                 call.state.store.write(call.address.bucket, call.address.key, std::move(headers)));
  DINETTE_S3_CHECK(writer->write(payload.bytes));
  std::unique_lock<std::mutex> alone;
  if (is_conditional_write(call)) {
    alone = std::unique_lock(call.state.conditional_writes);
    DINETTE_CHECK(check_write(call));
  }
  DINETTE_S3_TRY(const objects::ObjectInfo written, writer->finish());
  call.add_etag(written.etag);
  for (const auto& [name, value] : payload.checksums) call.response.add_header(name, value);
  if (!payload.checksums.empty()) call.response.add_header("x-amz-checksum-type", "FULL_OBJECT");
  return {};
}

Done delete_object(const Call& call) {
  if (call.has_parameter("versionId")) return fail(Code::not_implemented);
  DINETTE_S3_CHECK(call.state.store.remove(call.address.bucket, call.address.key));
  call.response.status = 204;
  return {};
}

Done delete_objects(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  Payload payload;
  DINETTE_CHECK(read_payload(call, payload));
  const auto request = read_xml(payload.bytes);
  if (!request || request->name != "Delete" || request->children.size() > most_deleted_at_once + 1)
    return fail(Code::malformed_xml);
  const bool quiet = request->text_of("Quiet") == "true";
  XmlWriter xml;
  xml.open_document("DeleteResult");
  for (const XmlElement& object : request->children) {
    if (object.name != "Object") continue;
    const string key(object.text_of("Key"));
    const auto removed = call.state.store.remove(call.address.bucket, key);
    if (removed && quiet) continue;
    xml.open(removed ? "Deleted" : "Error");
    xml.element("Key", key);
    if (!removed) {
      const Error error = error_of(removed.error());
      xml.element("Code", objects::s3_error(error.code).name);
      xml.element("Message", error.message);
    }
    xml.close(removed ? "Deleted" : "Error");
  }
  xml.close("DeleteResult");
  call.answer(xml.take());
  return {};
}

}  // namespace dinette::s3
