#pragma once

#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dinette/definitions/definitions.h"

#include "hcl_body.h"
#include "json_body.h"

namespace dinette::definitions::hcl {

enum class Syntax { hcl, json };

/// A file that was read.
struct SourceFile {
  std::shared_ptr<const std::string> name;  ///< for places
  const Body& body;
};

/// The files of one configuration, together at most hcl::most_bytes and most_tokens. What is read refers to
/// them. A file that cannot be read adds an error.
class ConfigurationFiles {
 public:
  explicit ConfigurationFiles(Definitions& to) : to_(to) {}
  ConfigurationFiles(const ConfigurationFiles&) = delete;
  ConfigurationFiles& operator=(const ConfigurationFiles&) = delete;

  /// Adds blocks.
  void add_configuration(const std::filesystem::path& file, std::string_view content, Syntax syntax);
  void add_json_configuration(const std::filesystem::path& file, Node root);
  /// Adds values of variables (tfvars).
  void add_values(const std::filesystem::path& file, std::string_view content, Syntax syntax);
  void add_error(const std::filesystem::path& file, unsigned line, std::string reason);

  const std::deque<SourceFile>& configurations() const { return configurations_; }
  const std::deque<SourceFile>& values() const { return values_; }

 private:
  using MakeJson = JsonBody (*)(const Node& root);

  bool charge(const std::filesystem::path& file, std::string_view content);
  void add_json(const std::filesystem::path& file, std::string_view content, MakeJson make,
                std::deque<SourceFile>& to);
  void add_json(const std::filesystem::path& file, Node root, MakeJson make, std::deque<SourceFile>& to);
  void add_hcl(const std::filesystem::path& file, std::string_view content, std::deque<SourceFile>& to);

  Definitions& to_;
  std::size_t bytes_ = 0;
  std::size_t count_of_tokens_ = 0;
  std::deque<std::string> contents_;
  std::deque<std::vector<Token>> tokens_;
  std::deque<Body> bodies_;
  std::deque<Node> roots_;
  std::deque<JsonBody> json_bodies_;
  std::deque<SourceFile> configurations_;
  std::deque<SourceFile> values_;
};

}  // namespace dinette::definitions::hcl
