#include "app/serve/identities_file.h"

#include <utility>

#include "app/read_file.h"

namespace dinette::app {

base::Result<std::shared_ptr<const iam::Identities>, std::string> read_identities(const std::string& path) {
  DINETTE_TRY(const std::string json, read_json_file(path, "file of identities"));
  auto identities = iam::Identities::read(json);
  if (!identities.ok()) return base::Failure{"file of identities " + path + ": " + identities.error()};
  return std::make_shared<const iam::Identities>(std::move(identities).value());
}

}  // namespace dinette::app
