#include "resource.h"

#include "../node_members.h"

namespace dinette::definitions {
namespace {

/// Returns where the key that begins at `begin` ends, after its bracket.
std::size_t end_of_key(std::string_view address, std::size_t begin) {
  bool quoted = false;
  for (std::size_t at = begin; at < address.size(); ++at) {
    if (quoted && address[at] == '\\') {
      ++at;
    } else if (address[at] == '"') {
      quoted = !quoted;
    } else if (!quoted && address[at] == ']') {
      return at + 1;
    }
  }
  return address.size();
}

}  // namespace

bool may_be_read(std::string_view type) {
  return type.starts_with("aws_dynamodb_") || type.starts_with("aws_lambda_") ||
         type.starts_with("aws_keyspaces_");
}

std::string without_keys(std::string_view address) {
  std::string plain;
  for (std::size_t at = 0; at < address.size();) {
    if (address[at] == '[') {
      at = end_of_key(address, at);
    } else {
      plain += address[at++];
    }
  }
  return plain;
}

std::string_view key_of_instance(std::string_view address) {
  for (std::size_t at = 0; at < address.size(); ++at) {
    if (address[at] != '[') continue;
    const std::size_t end = end_of_key(address, at);
    if (end == address.size()) return address.substr(at);
    at = end - 1;
  }
  return {};
}

std::vector<std::string> parts_of(std::string_view address) {
  std::vector<std::string> parts(1);
  for (std::size_t at = 0; at < address.size();) {
    if (address[at] == '[') {
      const std::size_t end = end_of_key(address, at);
      parts.back() += address.substr(at, end - at);
      at = end;
    } else if (address[at] == '.') {
      parts.emplace_back();
      ++at;
    } else {
      parts.back() += address[at++];
    }
  }
  return parts;
}

const Node* block_of(const Node& values, std::string_view name) {
  const Node* const blocks = values.find(name);
  if (blocks == nullptr) return nullptr;
  if (blocks->is_map()) return blocks;
  return blocks->elements().empty() ? nullptr : blocks->elements().data();
}

std::string region_of_values(const Node& values) {
  if (const std::string region = text_at(values, "region"); !region.empty()) return region;
  const std::string arn = text_at(values, "arn");
  std::size_t begin = 0;
  for (int colon = 0; colon < 3; ++colon) {  // arn:PARTITION:dynamodb:REGION:
    begin = arn.find(':', begin);
    if (begin == std::string::npos) return {};
    ++begin;
  }
  return arn.substr(begin, arn.find(':', begin) - begin);
}

Node without_warm_throughput(Node values) {
  values.erase("warm_throughput");
  if (Node* const indexes = values.find("global_secondary_index")) {
    for (Node& index : indexes->elements()) index.erase("warm_throughput");
  }
  return values;
}

}  // namespace dinette::definitions
