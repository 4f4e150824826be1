#include "app/serve/faults_file.h"

#include "dinette/admin/api.h"

#include "app/read_file.h"
#include "app/service_settings.h"

namespace dinette::app {

base::Result<std::vector<tenancy::FaultRule>, std::string> read_faults(const std::string& path) {
  DINETTE_TRY(const std::string json, read_json_file(path, "faults file"));
  auto rules = admin::read_fault_rules(json, &prepare_fault);
  if (!rules) return base::Failure{"faults file " + path + ": " + rules.error()};
  return rules;
}

}  // namespace dinette::app
