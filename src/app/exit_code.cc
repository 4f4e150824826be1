#include "app/exit_code.h"

#include <iostream>

namespace dinette::app {

int report(const base::Result<void, std::string>& outcome) {
  if (outcome.ok()) return exit_success;
  std::cerr << "dinette: " << outcome.error() << "\n";
  return exit_failure;
}

}  // namespace dinette::app
