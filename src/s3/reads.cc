#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "s3/conditions.h"
#include "s3/object_headers.h"
#include "s3/operations.h"
#include "s3/range.h"
#include "s3/xml_writer.h"

namespace dinette::s3 {
namespace {

/// How much of an object is in memory per connection.
constexpr std::uint64_t piece = 1024 * 1024;

/// The bytes of a response that have not been read yet.
struct Rest {
  std::unique_ptr<objects::ObjectReader> reader;
  std::uint64_t size = 0;

  /// Reads the next piece into `body`. Returns false if that fails.
  bool read(std::string& body) {
    body.resize(static_cast<std::size_t>(std::min(size, piece)));
    for (std::size_t have = 0; have < body.size();) {
      const auto read = reader->read(std::span(body).subspan(have));
      if (!read || *read == 0) return false;
      have += *read;
    }
    size -= body.size();
    return true;
  }
};

struct Opened {
  std::unique_ptr<objects::ObjectReader> reader;
  Range bytes;
};

/// Opens the object, and writes everything of the response but its body.
Outcome<Opened> open(const Call& call) {
  if (call.has_parameter("partNumber") || call.has_parameter("versionId")) return fail(Code::not_implemented);
  DINETTE_CHECK(check_replaced_headers(call));
  Opened opened;
  DINETTE_S3_TRY(opened.reader, call.state.store.open(call.address.bucket, call.address.key));
  const objects::ObjectInfo& info = opened.reader->info();
  DINETTE_CHECK(check_read(call, info));
  DINETTE_TRY(const auto range, read_range(call.header("range"), info.size));
  opened.bytes = range.value_or(Range{0, info.size});
  add_object_headers(call, info, !range);
  if (range) {
    call.response.status = 206;
    call.response.add_header("Content-Range", "bytes " + std::to_string(range->begin) + "-" +
                                                  std::to_string(range->begin + range->size - 1) + "/" +
                                                  std::to_string(info.size));
  }
  call.response.length = opened.bytes.size;
  return opened;
}

}  // namespace

Done head_object(const Call& call) {
  DINETTE_CHECK(open(call));
  return {};
}

Done get_object(const Call& call) {
  DINETTE_TRY(Opened opened, open(call));
  DINETTE_S3_CHECK(opened.reader->seek(opened.bytes.begin));
  const auto rest = std::make_shared<Rest>();
  rest->reader = std::move(opened.reader);
  rest->size = opened.bytes.size;
  if (!rest->read(call.response.body)) return fail(Code::internal_error);
  if (rest->size > 0) call.response.rest = [rest](std::string& body) { return rest->read(body); };
  return {};
}

Done get_object_tagging(const Call& call) {
  DINETTE_S3_CHECK(call.state.store.open(call.address.bucket, call.address.key));
  XmlWriter xml;
  xml.open_document("Tagging");
  xml.element("TagSet", "");
  xml.close("Tagging");
  call.answer(xml.take());
  return {};
}

}  // namespace dinette::s3
