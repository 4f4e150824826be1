#pragma once

#include <cstddef>
#include <filesystem>

#include "dinette/base/result.h"
#include "dinette/definitions/definitions.h"
#include "dinette/definitions/read_node.h"

namespace dinette::definitions::cloudformation {

/// What one reading may still do, with all files that templates and cloud assemblies refer to. They may refer
/// to each other and to themselves.
struct Reading {
  int files_left = 500;
  std::size_t bytes_left = ReadLimits{}.bytes;
  std::size_t values_left = 2'000'000;
  std::size_t work_left = 64 << 20;  ///< of evaluations: bytes of texts, and 64 for each value
};

/// Reads a file that another one refers to.
base::Result<Node, ReadError> read_other_file(const std::filesystem::path& file,
                                              const Surroundings& surroundings, Reading& reading);

}  // namespace dinette::definitions::cloudformation
