#include "kinesis/streams/stream_tags.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "kinesis/api/limits.h"
#include "kinesis/streams/open_stream.h"

namespace dinette::kinesis {
namespace {

/// Returns true for letters, digits, blanks, and some signs; all characters beyond ASCII count as letters.
bool is_known(char c) {
  constexpr std::string_view signs = "_./=+-%@: ";
  const auto byte = static_cast<unsigned char>(c);
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return byte >= 0x80 || letter || signs.find(c) != std::string_view::npos;
}

/// `action`: such as "add tags to". The first message has the percent sign among the valid characters, and
/// the second one refuses it (docs/service/kinesis-data-streams.md section 7).
Answer<void> check_characters(const Context& context, const api::StreamRecord& stream,
                              std::string_view action, std::string_view text) {
  if (!std::ranges::all_of(text, is_known)) {
    return invalid_argument(
        "Some tags contain invalid characters. Valid characters: Unicode letters, digits, white space, _ . / "
        "= + - % @ :.");
  }
  if (text.find('%') == std::string_view::npos) return {};
  return invalid_argument("Failed to " + std::string(action) + " stream " + stream.name + " under account " +
                          std::string(context.account) +
                          " because some tags contained illegal characters. The allowed characters are "
                          "Unicode letters, white-spaces, '_',',','/','=','+','-','@',':'.");
}

}  // namespace

Answer<void> add_tags(const Context& context, api::StreamRecord& stream,
                      const aws::Entries<std::string>& tags) {
  for (const auto& [key, value] : tags) {
    DINETTE_CHECK(check_characters(context, stream, "add tags to", key));
    DINETTE_CHECK(check_characters(context, stream, "add tags to", value));
    const auto found = std::ranges::find(stream.tags, key, &api::Tag::key);
    if (found == stream.tags.end())
      stream.tags.push_back({key, value});
    else
      found->value = value;
  }
  std::ranges::sort(stream.tags, {}, &api::Tag::key);
  if (stream.tags.size() <= model::limits::tags) return {};
  return invalid_argument("Failed to add tags to stream " + stream.name + " under account " +
                          std::string(context.account) + " because a given stream cannot have more than " +
                          std::to_string(model::limits::tags) + " tags associated with it.");
}

Answer<void> remove_tags(const Context& context, api::StreamRecord& stream,
                         const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    DINETTE_CHECK(check_characters(context, stream, "remove tags from", key));
    std::erase_if(stream.tags, [&](const api::Tag& tag) { return tag.key == key; });
  }
  return {};
}

}  // namespace dinette::kinesis
