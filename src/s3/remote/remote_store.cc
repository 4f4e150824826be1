#include "dinette/s3/remote_store.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "dinette/http/query_string.h"

#include "s3/etag.h"
#include "s3/remote/exchange.h"
#include "s3/remote/remote_reader.h"
#include "s3/remote/remote_writer.h"

namespace dinette::s3 {
namespace {

using base::Failure;

constexpr std::size_t most_listed = 1000;

/// Reads a key of a listing that was asked for with encoding-type=url, as forms are encoded.
std::string decoded_key(std::string_view text) {
  std::string key(text);
  std::ranges::replace(key, '+', ' ');
  return http::percent_decode(key);
}

objects::ObjectInfo object_of(const XmlElement& contents, bool encoded) {
  objects::ObjectInfo object;
  const std::string_view key = contents.text_of("Key");
  object.key = encoded ? decoded_key(key) : std::string(key);
  const std::string_view size = contents.text_of("Size");
  std::from_chars(size.data(), size.data() + size.size(), object.size);
  object.etag = without_quotes(contents.text_of("ETag"));
  return object;
}

}  // namespace

class RemoteStore::Impl {
 public:
  Impl(RemoteOptions options, const base::Clock& clock) : exchange(std::move(options), clock) {}

  objects::Result<objects::Listing> list(const std::string& bucket, const objects::ListRequest& request) {
    const std::size_t limit = std::min(request.limit, most_listed);
    RemoteRequest sent{.bucket = bucket};
    sent.query = "encoding-type=url&list-type=2&max-keys=" + std::to_string(limit) +
                 "&prefix=" + http::percent_encode(request.prefix);
    if (!request.after.empty()) sent.query += "&start-after=" + http::percent_encode(request.after);
    DINETTE_TRY(const auto response, exchange.succeed(sent));
    const auto result = read_xml(response.body);
    if (!result || result->name != "ListBucketResult") return Failure{exchange.unexpected("sent no listing")};
    const bool encoded = result->text_of("EncodingType") == "url";
    objects::Listing listing;
    for (const XmlElement& child : result->children) {
      if (child.name == "Contents") listing.objects.push_back(object_of(child, encoded));
    }
    listing.more = result->text_of("IsTruncated") == "true";
    return listing;
  }

  Exchange exchange;
};

RemoteStore::RemoteStore(RemoteOptions options, const base::Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(options), clock)) {}

RemoteStore::~RemoteStore() = default;

void RemoteStore::stop() {
  impl_->exchange.stop();
}

objects::Result<std::unique_ptr<objects::ObjectWriter>> RemoteStore::write(
    const std::string& bucket, const std::string& key,
    std::vector<std::pair<std::string, std::string>> headers) {
  return std::unique_ptr<objects::ObjectWriter>(
      std::make_unique<RemoteWriter>(impl_->exchange, bucket, key, headers));
}

objects::Result<std::unique_ptr<objects::ObjectReader>> RemoteStore::open(const std::string& bucket,
                                                                          const std::string& key) {
  return RemoteReader::open(impl_->exchange, bucket, key);
}

objects::Result<objects::Listing> RemoteStore::list(const std::string& bucket,
                                                    const objects::ListRequest& request) {
  return impl_->list(bucket, request);
}

}  // namespace dinette::s3
