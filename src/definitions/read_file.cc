#include "read_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "dinette/definitions/read_node.h"

namespace dinette::definitions {

std::optional<std::string> read_regular_file(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return {};
  const auto size = std::filesystem::file_size(file, error);
  if (error || size > ReadLimits{}.bytes) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string content(size, '\0');
  if (!stream.read(content.data(), static_cast<std::streamsize>(size))) return {};
  return content;
}

bool is_within(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code error;
  const auto base = std::filesystem::weakly_canonical(folder.empty() ? "." : folder, error);
  if (error) return false;
  const auto inner = std::filesystem::weakly_canonical(file, error);
  if (error) return false;
  return std::ranges::mismatch(base, inner).in1 == base.end();
}

}  // namespace dinette::definitions
