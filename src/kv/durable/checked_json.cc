#include "kv/durable/checked_json.h"

#include <array>
#include <cstdio>
#include <utility>

#include "dinette/base/crc32.h"

namespace dinette::kv::durable {
namespace {

using Json = nlohmann::json;

constexpr const char* checksum_member = "checksum";

std::string checksum_of(const Json& json) {
  std::array<char, 9> text{};
  std::snprintf(text.data(), text.size(), "%08x", base::crc32(json.dump()));
  return text.data();
}

}  // namespace

std::string text_with_checksum(Json json) {
  json.erase(checksum_member);
  std::string checksum = checksum_of(json);
  json[checksum_member] = std::move(checksum);
  return json.dump(2) + "\n";
}

bool checksum_agrees(const Json& json) {
  const auto found = json.find(checksum_member);
  if (found == json.end()) return true;
  Json others = json;
  others.erase(checksum_member);
  return found->is_string() && found->get_ref<const std::string&>() == checksum_of(others);
}

std::optional<Json> read_checked(const std::string& text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains(checksum_member) || !checksum_agrees(json)) return std::nullopt;
  return json;
}

}  // namespace dinette::kv::durable
