#include "dinette/objects/object_store.h"

#include <algorithm>
#include <utility>

namespace dinette::objects {
namespace {

/// Greater than every byte of a key, since keys are UTF-8.
constexpr char after_all = '\xFF';

}  // namespace

std::optional<std::string> common_prefix(const ListRequest& request, std::string_view key) {
  if (request.delimiter.empty()) return std::nullopt;
  const std::size_t found = key.find(request.delimiter, request.prefix.size());
  if (found == std::string_view::npos) return std::nullopt;
  return std::string(key.substr(0, found + request.delimiter.size()));
}

std::string after_all_of(std::string prefix) {
  prefix.push_back(after_all);
  return prefix;
}

std::string last_of(const Listing& listing) {
  std::string last;
  if (!listing.objects.empty()) last = listing.objects.back().key;
  if (!listing.prefixes.empty()) last = std::max(last, listing.prefixes.back());
  return last;
}

std::string continuation_of(const Listing& listing) {
  std::string last = last_of(listing);
  const bool is_prefix = !listing.prefixes.empty() && listing.prefixes.back() == last;
  return is_prefix ? after_all_of(std::move(last)) : last;
}

Result<ObjectInfo> put(ObjectStore& store, const std::string& bucket, const std::string& key,
                       std::string_view bytes, std::optional<std::string> etag) {
  DINETTE_TRY(const auto writer, store.write(bucket, key));
  DINETTE_CHECK(writer->write(bytes));
  return writer->finish(std::move(etag));
}

}  // namespace dinette::objects
