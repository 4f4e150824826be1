#include "kv/postgres/libpq.h"

#include <string>

#include <dlfcn.h>

namespace dinette::kv::postgres {
namespace {

constexpr const char* library = "libpq.so.5";

struct LoadedLibpq {
  Libpq functions;
  std::string trouble;  ///< empty if all functions are there

  LoadedLibpq() {
    void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      trouble = std::string(library) + " cannot be loaded (" + dlerror() + "): install the package libpq5";
      return;
    }
#define DINETTE_LIBPQ_LOAD(name) load(handle, #name, functions.name);
    DINETTE_LIBPQ_FUNCTIONS(DINETTE_LIBPQ_LOAD)
#undef DINETTE_LIBPQ_LOAD
  }

 private:
  template <class Function>
  void load(void* handle, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    if (function == nullptr && trouble.empty())
      trouble = std::string(library) + " has no function " + name + ": libpq 14 or newer is needed";
  }
};

const LoadedLibpq& loaded_libpq() {
  static const LoadedLibpq loaded;  // never unloaded
  return loaded;
}

}  // namespace

Result<void> load_libpq() {
  const std::string& trouble = loaded_libpq().trouble;
  if (!trouble.empty()) return base::Failure{Error{ErrorKind::unsupported, trouble}};
  return {};
}

const Libpq& pq() {
  return loaded_libpq().functions;
}

}  // namespace dinette::kv::postgres
