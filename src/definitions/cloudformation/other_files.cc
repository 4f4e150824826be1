#include "other_files.h"

#include <algorithm>
#include <memory>
#include <string>

namespace dinette::definitions::cloudformation {

base::Result<Node, ReadError> OtherFiles::read(const std::filesystem::path& file,
                                               const Surroundings& surroundings) {
  const auto fail = [&file](std::string reason) {
    return base::Failure{
        ReadError{{std::make_shared<const std::string>(file.string()), 0}, std::move(reason)}};
  };
  if (files_left_ == 0) return fail("too many files refer to each other");
  --files_left_;
  const auto content = surroundings.read_file ? surroundings.read_file(file) : std::nullopt;
  if (!content) return fail("it cannot be read");
  if (content->size() > bytes_left_) return fail("the files are too long together");
  bytes_left_ -= content->size();
  return read_node(*content, file.string());
}

}  // namespace dinette::definitions::cloudformation
