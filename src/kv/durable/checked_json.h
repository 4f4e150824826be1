#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

/// Small files in JSON that say themselves whether they are whole: the member `checksum` is the CRC-32, in
/// hexadecimal, of the other members without white space, in the order of their names.
namespace dinette::kv::durable {

/// Returns the text of `json`, an object, with its checksum.
std::string text_with_checksum(nlohmann::json json);

/// Returns true if `json` has no checksum, or the right one.
bool checksum_agrees(const nlohmann::json& json);

/// Returns the object that `text` is, if it is whole and has a checksum.
std::optional<nlohmann::json> read_checked(const std::string& text);

}  // namespace dinette::kv::durable
