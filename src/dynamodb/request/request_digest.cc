#include "dynamodb/request/request_digest.h"

#include <functional>
#include <vector>

#include "dinette/base/bytes.h"

#include "dynamodb/codec/item_text.h"

namespace dinette::dynamodb {
namespace {

/// The entries of a map by name, whatever their order was.
template <class Entry>
std::vector<const Entry*> by_name(const std::vector<Entry>& entries) {
  std::vector<const Entry*> sorted;
  for (const Entry& entry : entries) sorted.push_back(&entry);
  std::ranges::sort(sorted, std::less<>(),
                    [](const Entry* entry) -> const std::string& { return entry->first; });
  return sorted;
}

}  // namespace

void RequestDigest::add_count(std::size_t count) {
  base::append_big_endian(bytes_, std::uint64_t{count});
}

void RequestDigest::add(std::string_view text) {
  add_count(text.size());
  bytes_ += text;
}

void RequestDigest::add_optional(const std::optional<std::string>& text) {
  add_count(text ? 1 : 0);
  if (text) add(std::string_view(*text));
}

void RequestDigest::add(const model::Item& item) {
  std::string text;
  codec::append_item(text, item);
  add(std::string_view(text));
}

void RequestDigest::add(const ExpressionNames& names) {
  add_count(names ? names->size() : 0);
  if (!names) return;
  for (const auto* entry : by_name(*names)) {
    add(std::string_view(entry->first));
    add(std::string_view(entry->second));
  }
}

void RequestDigest::add(const ExpressionValues& values) {
  add_count(values ? values->entries.size() : 0);
  if (!values) return;
  for (const auto* entry : by_name(values->entries)) {
    add(std::string_view(entry->first));
    std::string text;
    codec::append_value(text, entry->second);
    add(std::string_view(text));
  }
}

}  // namespace dinette::dynamodb
