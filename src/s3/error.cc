#include "s3/error.h"

#include "dinette/base/log.h"

#include "s3/xml_writer.h"

namespace dinette::s3 {

Error error_of(const objects::Error& error) {
  const Code code = objects::s3_error(error.kind).code;
  if (code == Code::internal_error)
    base::log(base::LogLevel::error, "the store of objects failed", {{"reason", error.message}});
  return {code};
}

std::string_view message_of(const Error& error) {
  return error.message.empty() ? objects::s3_error(error.code).message : std::string_view(error.message);
}

std::string body_of(const Error& error, std::string_view bucket, std::string_view key,
                    std::string_view request_id, std::string_view host_id) {
  const objects::S3Error& form = objects::s3_error(error.code);
  XmlWriter xml;
  xml.open("Error");
  xml.element("Code", form.name);
  xml.element("Message", message_of(error));
  if (!key.empty() && error.code != Code::no_such_bucket) {
    xml.element("Key", key);
  } else if (!bucket.empty()) {
    xml.element("BucketName", bucket);
  }
  xml.element("RequestId", request_id);
  xml.element("HostId", host_id);
  xml.close("Error");
  return xml.take();
}

}  // namespace dinette::s3
