#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "dinette/definitions/definitions.h"

namespace dinette::definitions {

/// A file that is read, as the readers of formats get it.
struct Input {
  std::filesystem::path file;
  const Surroundings& surroundings;
};

/// A format of table definitions in YAML or JSON. A reader adds tables, triggers, seeds, warnings and errors
/// to `to`. A reader declares its Format in its own header and defines it `constinit`; format.cc lists them.
struct Format {
  std::string_view name;  ///< "a CloudFormation template"
  bool (*recognises)(const Node& root);
  void (*read)(const Node& root, const Input& input, Definitions& to);
};

/// A format that is neither YAML nor JSON.
struct TextFormat {
  std::string_view name;  ///< "a Terraform configuration"
  bool (*recognises)(std::string_view content, const std::filesystem::path& file);
  void (*read)(std::string_view content, const Input& input, Definitions& to);
};

/// Returns the first format that recognises a file's content, or null.
const Format* find_format(const Node& root);
const TextFormat* find_text_format(std::string_view content, const std::filesystem::path& file);

/// Returns the names of all formats, for messages: "a CloudFormation template, a Terraform plan".
std::string format_names();

}  // namespace dinette::definitions
