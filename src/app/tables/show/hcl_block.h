#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dinette::app {

/// A block of Terraform's language, which is written as `terraform fmt` would.
class HclBlock {
 public:
  /// `head`: `attribute`, or `resource "aws_dynamodb_table" "plants"`.
  explicit HclBlock(std::string head) : head_(std::move(head)) {}

  /// Sets an attribute to an expression of the language.
  void set(std::string name, std::string expression) {
    attributes_.emplace_back(std::move(name), std::move(expression));
  }
  /// Adds a block after the attributes. The reference is valid until the next one is added.
  HclBlock& add(std::string head) { return blocks_.emplace_back(std::move(head)); }
  /// Sets an attribute to a map of texts, after the blocks.
  void set_map(std::string name, std::vector<std::pair<std::string, std::string>> values);

  /// Returns the lines, indented by `column`.
  std::string text(std::size_t column = 0) const;

 private:
  using Attributes = std::vector<std::pair<std::string, std::string>>;

  std::string head_;
  Attributes attributes_;
  std::vector<HclBlock> blocks_;
  std::vector<std::pair<std::string, Attributes>> maps_;
};

/// Returns a text in quotes, in which nothing is replaced.
std::string hcl_text(std::string_view text);

}  // namespace dinette::app
