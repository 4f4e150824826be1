#pragma once

/// The names in a data folder; src/kv/durable/FORMAT.md.
namespace dinette::kv {

inline constexpr const char* manifest_name = "dinette.json";
inline constexpr const char* lock_name = "LOCK";
inline constexpr const char* engines_folder = "engines";
/// Of a file that is to replace another one, until it does.
inline constexpr const char* fresh_extension = ".new";

}  // namespace dinette::kv
