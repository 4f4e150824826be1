#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "dinette/base/base64.h"
#include "dinette/base/time_text.h"
#include "dinette/http/query_string.h"

#include "s3/operations.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

using std::string;
using std::string_view;

constexpr std::size_t most_keys = 1'000;
/// Greater than every key with the same beginning, since keys are UTF-8.
constexpr char after_all = '\xFF';

struct Question {
  string prefix;
  string delimiter;
  string after;
  std::size_t limit = most_keys;
  bool encoded = false;  ///< keys are percent-encoded

  string text(string_view key) const { return encoded ? http::percent_encode(key, "/") : string(key); }
};

/// Objects and common prefixes.
struct Found {
  std::vector<objects::ObjectInfo> objects;
  std::vector<string> prefixes;
  bool more = false;
  string last;     ///< of both, as S3 names it
  string go_on{};  ///< where the next page begins

  std::size_t size() const { return objects.size() + prefixes.size(); }
};

Outcome<Question> question_of(const Call& call) {
  Question question;
  question.prefix = call.parameter("prefix");
  question.delimiter = call.parameter("delimiter");
  const string_view limit = call.parameter("max-keys");
  if (!limit.empty()) {
    const auto read = std::from_chars(limit.data(), limit.data() + limit.size(), question.limit);
    if (read.ec != std::errc() || read.ptr != limit.data() + limit.size())
      return fail(Code::invalid_argument, "Provided max-keys not an integer or within integer range");
    question.limit = std::min(question.limit, most_keys);
  }
  const string_view encoding = call.parameter("encoding-type");
  if (!encoding.empty() && encoding != "url")
    return fail(Code::invalid_argument, "Invalid Encoding Method specified in Request");
  question.encoded = !encoding.empty();
  return question;
}

/// Returns the common prefix that represents `key`, if there is one.
std::optional<string> common_prefix(const Question& question, const string& key) {
  if (question.delimiter.empty()) return std::nullopt;
  const std::size_t found = key.find(question.delimiter, question.prefix.size());
  if (found == string::npos) return std::nullopt;
  return key.substr(0, found + question.delimiter.size());
}

/// Takes one object. Returns false if it is one too many.
bool take(const Question& question, objects::ObjectInfo& object, Found& found) {
  const auto prefix = common_prefix(question, object.key);
  if (prefix && !found.prefixes.empty() && found.prefixes.back() == *prefix) return true;
  found.more = found.size() == question.limit;
  if (found.more) return false;
  found.last = prefix ? *prefix : object.key;
  found.go_on = found.last;
  if (prefix) {
    found.go_on.push_back(after_all);
    found.prefixes.push_back(*prefix);
  } else {
    found.objects.push_back(std::move(object));
  }
  return true;
}

Outcome<Found> find(const Call& call, const Question& question) {
  Found found;
  if (question.limit == 0) {
    DINETTE_S3_CHECK(call.state.store.bucket(call.address.bucket));
    return found;
  }
  string after = question.after;
  const std::size_t page_size = question.delimiter.empty() ? question.limit + 1 : most_keys;
  for (;;) {
    DINETTE_S3_TRY(objects::Listing page,
                   call.state.store.list(call.address.bucket, {question.prefix, after, page_size}));
    for (objects::ObjectInfo& object : page.objects) {
      after = object.key;
      if (!take(question, object, found)) return found;
    }
    if (!page.more) return found;
    if (const auto prefix = common_prefix(question, after)) after = *prefix + after_all;
  }
}

void write_objects(XmlWriter& xml, const Question& question, const Found& found, bool with_owner) {
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

void write_question(XmlWriter& xml, const Call& call, const Question& question, const Found& found) {
  xml.element("Name", call.address.bucket);
  xml.element("Prefix", question.text(question.prefix));
  if (!question.delimiter.empty()) xml.element("Delimiter", question.text(question.delimiter));
  xml.element("MaxKeys", question.limit);
  if (question.encoded) xml.element("EncodingType", "url");
  xml.flag("IsTruncated", found.more);
}

}  // namespace

Done list_objects(const Call& call) {
  DINETTE_TRY(Question question, question_of(call));
  const string_view marker = call.parameter("marker");
  question.after = marker;
  // A marker that is a common prefix represents all of its keys.
  if (const auto prefix = common_prefix(question, question.after); prefix && *prefix == marker)
    question.after.push_back(after_all);
  DINETTE_TRY(const Found found, find(call, question));
  XmlWriter xml;
  xml.open_document("ListBucketResult");
  write_question(xml, call, question, found);
  xml.element("Marker", question.text(marker));
  if (found.more && !question.delimiter.empty()) xml.element("NextMarker", question.text(found.last));
  write_objects(xml, question, found, true);
  xml.close("ListBucketResult");
  call.answer(xml.take());
  return {};
}

Done list_objects_v2(const Call& call) {
  DINETTE_TRY(Question question, question_of(call));
  question.after = call.parameter("start-after");
  const auto token = call.query.find("continuation-token");
  if (token) {
    auto after = base::base64_decode(*token);
    if (!after || after->empty())
      return fail(Code::invalid_argument, "The continuation token provided is incorrect");
    question.after = std::move(*after);
  }
  DINETTE_TRY(const Found found, find(call, question));
  XmlWriter xml;
  xml.open_document("ListBucketResult");
  write_question(xml, call, question, found);
  xml.element("KeyCount", found.size());
  if (call.has_parameter("start-after"))
    xml.element("StartAfter", question.text(call.parameter("start-after")));
  if (token) xml.element("ContinuationToken", *token);
  if (found.more) xml.element("NextContinuationToken", base::base64_encode(found.go_on));
  write_objects(xml, question, found, call.parameter("fetch-owner") == "true");
  xml.close("ListBucketResult");
  call.answer(xml.take());
  return {};
}

}  // namespace dinette::s3
