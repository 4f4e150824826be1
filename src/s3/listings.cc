#include <string>

#include "dinette/base/base64.h"
#include "dinette/base/time_text.h"

#include "s3/list_parameters.h"
#include "s3/operations.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

struct Question {
  objects::ListRequest request;
  KeyEncoding encoding;

  string text(string_view key) const { return encoding.text(key); }
};

Outcome<Question> question_of(const Call& call) {
  Question question;
  question.request.prefix = call.parameter("prefix");
  question.request.delimiter = call.parameter("delimiter");
  DINETTE_TRY(question.request.limit, read_limit(call, "max-keys"));
  DINETTE_TRY(question.encoding, read_encoding(call));
  return question;
}

Outcome<objects::Listing> find(const Call& call, const Question& question) {
  if (question.request.limit == 0) {
    DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
    return objects::Listing();
  }
  DINETTE_S3_TRY(objects::Listing found, call.state.store.list(call.address.bucket, question.request));
  return found;
}

void write_objects(XmlWriter& xml, const Question& question, const objects::Listing& found, bool with_owner) {
  for (const objects::ObjectInfo& object : found.objects) {
    xml.open("Contents");
    xml.element("Key", question.text(object.key));
    xml.element("LastModified", base::format_time(object.modified));
    xml.element("ETag", Call::quoted(object.etag));
    xml.element("Size", object.size);
    xml.element("StorageClass", "STANDARD");
    if (with_owner) {
      xml.open("Owner");
      xml.element("ID", "dinette");
      xml.element("DisplayName", "dinette");
      xml.close("Owner");
    }
    xml.close("Contents");
  }
  for (const string& prefix : found.prefixes) {
    xml.open("CommonPrefixes");
    xml.element("Prefix", question.text(prefix));
    xml.close("CommonPrefixes");
  }
}

void write_question(XmlWriter& xml, const Call& call, const Question& question,
                    const objects::Listing& found) {
  xml.element("Name", call.address.bucket);
  xml.element("Prefix", question.text(question.request.prefix));
  if (!question.request.delimiter.empty())
    xml.element("Delimiter", question.text(question.request.delimiter));
  xml.element("MaxKeys", question.request.limit);
  if (question.encoding.encoded) xml.element("EncodingType", "url");
  xml.flag("IsTruncated", found.more);
}

}  // namespace

Done list_objects(const Call& call) {
  DINETTE_TRY(Question question, question_of(call));
  const string_view marker = call.parameter("marker");
  question.request.after = marker;
  // A marker that is a common prefix represents all of its keys.
  if (const auto prefix = objects::common_prefix(question.request, marker); prefix && *prefix == marker)
    question.request.after = objects::after_all_of(*prefix);
  DINETTE_TRY(const objects::Listing found, find(call, question));
  XmlWriter xml;
  xml.open_document("ListBucketResult");
  write_question(xml, call, question, found);
  xml.element("Marker", question.text(marker));
  if (found.more && !question.request.delimiter.empty())
    xml.element("NextMarker", question.text(objects::last_of(found)));
  write_objects(xml, question, found, true);
  xml.close("ListBucketResult");
  call.answer(xml.take());
  return {};
}

Done list_objects_v2(const Call& call) {
  DINETTE_TRY(Question question, question_of(call));
  question.request.after = call.parameter("start-after");
  const auto token = call.query.find("continuation-token");
  if (token) {
    auto after = base::base64_decode(*token);
    if (!after || after->empty())
      return fail(Code::invalid_argument, "The continuation token provided is incorrect");
    question.request.after = std::move(*after);
  }
  DINETTE_TRY(const objects::Listing found, find(call, question));
  XmlWriter xml;
  xml.open_document("ListBucketResult");
  write_question(xml, call, question, found);
  xml.element("KeyCount", found.objects.size() + found.prefixes.size());
  if (call.has_parameter("start-after"))
    xml.element("StartAfter", question.text(call.parameter("start-after")));
  if (token) xml.element("ContinuationToken", *token);
  if (found.more) xml.element("NextContinuationToken", base::base64_encode(objects::continuation_of(found)));
  write_objects(xml, question, found, call.parameter("fetch-owner") == "true");
  xml.close("ListBucketResult");
  call.answer(xml.take());
  return {};
}

}  // namespace dinette::s3
