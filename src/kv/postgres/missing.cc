#include "dinette/kv/postgres.h"

namespace dinette::kv {

Result<std::shared_ptr<Engines>> open_postgres(const std::string&, const PostgresOptions&) {
  return base::Failure{
      Error{ErrorKind::unsupported,
            "this program was built without PostgreSQL: install libpq-dev, and build it again"}};
}

}  // namespace dinette::kv
