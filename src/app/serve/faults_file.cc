#include "app/serve/faults_file.h"

#include "dinette/admin/api.h"
#include "dinette/base/json_error.h"
#include "dinette/dynamodb/service.h"

#include "app/read_file.h"

namespace dinette::app {

using base::Failure;

base::Result<std::vector<tenancy::FaultRule>, std::string> read_faults(const std::string& path) {
  DINETTE_TRY(const std::string json, read_file(path, "faults file"));
  if (const auto error = base::find_json_error(json)) {
    return Failure{"faults file " + path + ", " + error->place() + " is not JSON (" + error->reason + ")"};
  }
  auto rules = admin::read_fault_rules(json, &dynamodb::prepare_fault);
  if (!rules) return Failure{"faults file " + path + ": " + rules.error()};
  return rules;
}

}  // namespace dinette::app
