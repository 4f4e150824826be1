#include "configuration_files.h"

#include <string>
#include <utility>

#include "dinette/definitions/read_node.h"

namespace dinette::definitions::hcl {
namespace {

constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";

std::shared_ptr<const std::string> shared_name(const std::filesystem::path& file) {
  return std::make_shared<const std::string>(file.string());
}

}  // namespace

void ConfigurationFiles::add_configuration(const std::filesystem::path& file, std::string_view content,
                                           Syntax syntax) {
  if (!charge(file, content)) return;
  if (syntax == Syntax::hcl) {
    add_hcl(file, content, configurations_);
  } else {
    add_json(file, content, JsonBody::configuration, configurations_);
  }
}

void ConfigurationFiles::add_json_configuration(const std::filesystem::path& file, Node root) {
  add_json(file, std::move(root), JsonBody::configuration, configurations_);
}

void ConfigurationFiles::add_values(const std::filesystem::path& file, std::string_view content,
                                    Syntax syntax) {
  if (!charge(file, content)) return;
  if (syntax == Syntax::hcl) {
    add_hcl(file, content, values_);
  } else {
    add_json(file, content, JsonBody::values, values_);
  }
}

void ConfigurationFiles::add_error(const std::filesystem::path& file, unsigned line, std::string reason) {
  to_.errors.push_back({Place{shared_name(file), line}, std::move(reason)});
}

/// Returns false, and adds an error, if the files together are too large.
bool ConfigurationFiles::charge(const std::filesystem::path& file, std::string_view content) {
  bytes_ += content.size();
  if (bytes_ <= most_bytes) return true;
  add_error(file, 0, "more than " + std::to_string(most_bytes) + " bytes of configuration");
  return false;
}

void ConfigurationFiles::add_json(const std::filesystem::path& file, std::string_view content, MakeJson make,
                                  std::deque<SourceFile>& to) {
  auto root = read_json(content, file.string());
  if (root) return add_json(file, std::move(root).value(), make, to);
  to_.errors.push_back({root.error().place, std::move(root.error().reason)});
}

void ConfigurationFiles::add_json(const std::filesystem::path& file, Node root, MakeJson make,
                                  std::deque<SourceFile>& to) {
  roots_.push_back(std::move(root));
  json_bodies_.push_back(make(roots_.back()));
  to.push_back({shared_name(file), json_bodies_.back().body()});
}

void ConfigurationFiles::add_hcl(const std::filesystem::path& file, std::string_view content,
                                 std::deque<SourceFile>& to) {
  if (content.starts_with(utf8_mark)) content.remove_prefix(utf8_mark.size());
  contents_.emplace_back(content);
  auto tokens = tokens_of(contents_.back());
  if (!tokens) return add_error(file, tokens.error().line, std::move(tokens.error().reason));
  tokens_.push_back(std::move(tokens).value());
  count_of_tokens_ += tokens_.back().size();
  if (count_of_tokens_ > most_tokens)
    return add_error(file, 0, "more than " + std::to_string(most_tokens) + " words and signs in all files");
  auto body = body_of(tokens_.back());
  if (!body) return add_error(file, body.error().line, std::move(body.error().reason));
  bodies_.push_back(std::move(body).value());
  to.push_back({shared_name(file), bodies_.back()});
}

}  // namespace dinette::definitions::hcl
