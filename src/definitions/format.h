#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "dinette/definitions/definitions.h"

namespace dinette::definitions {

/// A file that is read, as the readers of formats get it.
struct Input {
  std::filesystem::path file;
  const Surroundings& surroundings;
};

/// A format of table definitions. A reader adds tables, triggers, seeds, warnings and errors to `to`.
struct Format {
  std::string_view name;  ///< "a CloudFormation template"
  bool (*recognises)(const Node& root);
  void (*read)(const Node& root, const Input& input, Definitions& to);
};

/// Returns the first format that recognises a file's content, or null.
const Format* find_format(const Node& root);

}  // namespace dinette::definitions
