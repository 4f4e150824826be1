#pragma once

#include <cstddef>
#include <filesystem>

#include "dinette/base/result.h"
#include "dinette/definitions/definitions.h"
#include "dinette/definitions/read_node.h"

namespace dinette::definitions::cloudformation {

/// Reads the files that a template or a cloud assembly refers to. They may refer to each other and to
/// themselves, so their number and size are limited.
class OtherFiles {
 public:
  base::Result<Node, ReadError> read(const std::filesystem::path& file, const Surroundings& surroundings);

 private:
  int files_left_ = 500;
  std::size_t bytes_left_ = ReadLimits{}.bytes;
};

}  // namespace dinette::definitions::cloudformation
