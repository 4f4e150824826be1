#include "reading.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "definitions/node_builder.h"

namespace dinette::definitions::cloudformation {

base::Result<Node, ReadError> read_other_file(const std::filesystem::path& file,
                                              const Surroundings& surroundings, Reading& reading) {
  const auto fail = [&file](std::string reason) {
    return base::Failure{
        ReadError{{std::make_shared<const std::string>(file.string()), 0}, std::move(reason)}};
  };
  if (reading.files_left == 0) return fail("too many files refer to each other");
  --reading.files_left;
  const auto content = surroundings.read_file ? surroundings.read_file(file) : std::nullopt;
  if (!content) return fail("it cannot be read");
  if (content->size() > reading.bytes_left) return fail("the files are too long together");
  reading.bytes_left -= content->size();
  ReadLimits limits;
  limits.nodes = std::min(limits.nodes, reading.values_left);
  DINETTE_TRY(Node root, read_node(*content, file.string(), limits));
  reading.values_left -= count_values(root);
  return root;
}

}  // namespace dinette::definitions::cloudformation
