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

constexpr std::size_t most_listed_at_once = 1000;
/// The last byte of objects::after_all_of, which S3 would refuse in a key, and what has its place there.
constexpr char after_all_of_ours = '\xFF';
constexpr std::string_view after_all_of_theirs = "\U0010FFFF";

/// Reads a key of a listing that was asked for with encoding-type=url, as forms are encoded.
std::string decoded_key(std::string_view text) {
  std::string key(text);
  std::ranges::replace(key, '+', ' ');
  return http::percent_decode(key);
}

std::string text_in(const XmlElement& element, std::string_view name, bool encoded) {
  const std::string_view text = element.text_of(name);
  return encoded ? decoded_key(text) : std::string(text);
}

objects::ObjectInfo object_of(const XmlElement& contents, bool encoded) {
  objects::ObjectInfo object;
  object.key = text_in(contents, "Key", encoded);
  const std::string_view size = contents.text_of("Size");
  std::from_chars(size.data(), size.data() + size.size(), object.size);
  object.etag = without_quotes(contents.text_of("ETag"));
  return object;
}

std::string query_of(const objects::ListRequest& request) {
  std::string query = "encoding-type=url&list-type=2&max-keys=" +
                      std::to_string(std::min(request.limit, most_listed_at_once)) +
                      "&prefix=" + http::percent_encode(request.prefix);
  if (!request.delimiter.empty()) query += "&delimiter=" + http::percent_encode(request.delimiter);
  if (request.after.empty()) return query;
  std::string after = request.after;
  if (after.back() == after_all_of_ours) after.replace(after.size() - 1, 1, after_all_of_theirs);
  return query + "&start-after=" + http::percent_encode(after);
}

/// Returns true if these are keys that were asked for, in order, so that the listing comes to an end.
bool answers(const objects::ListRequest& request, const objects::Listing& listing) {
  std::string_view last = request.after;
  for (const objects::ObjectInfo& object : listing.objects) {
    if (object.key <= last || !object.key.starts_with(request.prefix)) return false;
    last = object.key;
  }
  last = {};
  for (const std::string& prefix : listing.prefixes) {
    const bool is_one =
        prefix.starts_with(request.prefix) && objects::common_prefix(request, prefix) == prefix;
    if (prefix <= last || !is_one || objects::after_all_of(prefix) <= request.after) return false;
    last = prefix;
  }
  return !listing.more || !listing.objects.empty() || !listing.prefixes.empty();
}

}  // namespace

class RemoteStore::Impl {
 public:
  Impl(RemoteOptions options, const base::Clock& clock) : exchange(std::move(options), clock) {}

  objects::Result<objects::Listing> list(const std::string& bucket, const objects::ListRequest& request) {
    DINETTE_TRY(const auto response, exchange.succeed({.bucket = bucket, .query = query_of(request)}));
    const auto result = read_xml(response.body);
    if (!result || result->name != "ListBucketResult") return Failure{exchange.unexpected("sent no listing")};
    const bool encoded = result->text_of("EncodingType") == "url";
    objects::Listing listing;
    for (const XmlElement& child : result->children) {
      if (child.name == "Contents") listing.objects.push_back(object_of(child, encoded));
      if (child.name == "CommonPrefixes") listing.prefixes.push_back(text_in(child, "Prefix", encoded));
    }
    listing.more = result->text_of("IsTruncated") == "true";
    if (!answers(request, listing)) return Failure{exchange.unexpected("sent a listing of other keys")};
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
