#include "dinette/base/time_text.h"
#include "dinette/s3/xml_reader.h"

#include "s3/multipart.h"
#include "s3/operations.h"
#include "s3/payload.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

/// The region where S3 lets a bucket be created again by its owner.
constexpr std::string_view first_region = "us-east-1";

/// Returns true if the signature, if any, is for the first region.
bool is_in_first_region(const Call& call) {
  const std::string scope = "/" + std::string(first_region) + "/s3/";
  return call.header("authorization").find(scope) != std::string_view::npos;
}

}  // namespace

Done list_buckets(const Call& call) {
  DINETTE_S3_TRY(const auto buckets, call.state.store.buckets());
  XmlWriter xml;
  xml.open_document("ListAllMyBucketsResult");
  xml.open("Owner");
  xml.element("ID", "dinette");
  xml.element("DisplayName", "dinette");
  xml.close("Owner");
  xml.open("Buckets");
  for (const objects::BucketInfo& bucket : buckets) {
    if (!bucket.name.starts_with(call.parameter("prefix"))) continue;
    xml.open("Bucket");
    xml.element("Name", bucket.name);
    xml.element("CreationDate", base::format_time(bucket.created));
    xml.close("Bucket");
  }
  xml.close("Buckets");
  xml.close("ListAllMyBucketsResult");
  call.answer(xml.take());
  return {};
}

Done create_bucket(const Call& call) {
  Payload payload;
  DINETTE_CHECK(read_payload(call, payload));
  if (!payload.bytes.empty()) {
    const auto configuration = read_xml(payload.bytes);
    if (!configuration || configuration->name != "CreateBucketConfiguration")
      return fail(Code::malformed_xml);
  }
  const auto created = call.state.store.create_bucket(call.address.bucket);
  const bool again = !created && created.error().kind == objects::ErrorKind::bucket_exists;
  if (!(again && is_in_first_region(call))) DINETTE_S3_CHECK(created);
  call.response.add_header("Location", "/" + call.address.bucket);
  return {};
}

Done head_bucket(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  call.response.add_header("x-amz-bucket-region", first_region);
  return {};
}

Done delete_bucket(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.remove_bucket(call.address.bucket));
  DINETTE_CHECK(end_uploads_of_bucket(call));
  call.response.status = 204;
  return {};
}

Done get_bucket_location(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  XmlWriter xml;
  xml.open_document("LocationConstraint");
  xml.close("LocationConstraint");
  call.answer(xml.take());
  return {};
}

Done get_bucket_versioning(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
  XmlWriter xml;
  xml.open_document("VersioningConfiguration");
  xml.close("VersioningConfiguration");
  call.answer(xml.take());
  return {};
}

}  // namespace dinette::s3
