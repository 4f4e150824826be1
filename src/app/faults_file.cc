#include "app/faults_file.h"

#include <fstream>
#include <iterator>

#include "dinette/admin/api.h"
#include "dinette/dynamodb/service.h"

namespace dinette::app {

using base::Failure;

base::Result<std::vector<store::FaultRule>, std::string> read_faults(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Failure{"cannot read the faults file " + path};
  const std::string json(std::istreambuf_iterator<char>(file), {});
  auto rules = admin::read_fault_rules(json, &dynamodb::prepare_fault);
  if (!rules) return Failure{"faults file " + path + ": " + rules.error()};
  return rules;
}

}  // namespace dinette::app
