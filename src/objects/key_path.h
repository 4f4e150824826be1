#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How keys become paths in the folder of their bucket, and back. A path is the key itself, readable, except:
///
///     "//", and "/" at either end   %2F, part of a name:      "a//b" is the file a%2F%2Fb
///     a name "." or ".."            begins with %2E:          "a/../b" is a/%2E./b
///     a zero byte                   %00
///     a name over 253 bytes         continues in a folder:    its name ends with %~
///     an object and a folder of     the object's file ends with %=: "a" and "a/b" are a%= and a/b
///     the same name
///     "%" that would be read so     %25
///
/// Every key has one path (and that with %=), and no two keys have the same. A file whose name is not written
/// like this, such as a%2Eb, has no key.
namespace dinette::objects {

/// Ends the name of an object's file where a folder has its name.
inline constexpr std::string_view beside_folder = "%=";

/// Returns the names of the folders and the file for `key`, which check_key() accepts. No name is longer than
/// a file system allows, with `beside_folder` after it.
std::vector<std::string> path_of(std::string_view key);

/// Returns the beginning that all keys below a folder have.
std::string text_of_folders(std::span<const std::string> folders);

/// Returns the key of a file; nothing if it has none.
std::optional<std::string> key_of(std::span<const std::string> folders, std::string_view name);

}  // namespace dinette::objects
