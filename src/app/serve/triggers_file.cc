#include "app/serve/triggers_file.h"

#include "dinette/admin/api.h"

#include "app/read_file.h"

namespace dinette::app {

base::Result<std::vector<lambda::Trigger>, std::string> read_triggers_file(const std::string& path) {
  DINETTE_TRY(const std::string json, read_json_file(path, "triggers file"));
  auto triggers = admin::read_triggers(json);
  if (!triggers) return base::Failure{"triggers file " + path + ": " + triggers.error()};
  return triggers;
}

}  // namespace dinette::app
