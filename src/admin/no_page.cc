#include "admin/page.h"

namespace dinette::admin {

// Compiled instead of the generated page_files.cc if the npm packages are missing.
std::span<const PageFile> page_files() {
  return {};
}

}  // namespace dinette::admin
