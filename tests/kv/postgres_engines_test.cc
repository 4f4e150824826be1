#include <catch2/catch.hpp>

#include "kv/contract.h"
#include "kv/postgres_cluster.h"

namespace dinette::test::postgres_engines_test {

DINETTE_KV_CONTRACT_BUT_DURABILITY("PostgreSQL", make_postgres_engine, open_postgres_engine)

// A process that was forked while others have threads cannot start threads under the thread sanitizer.
#ifndef DINETTE_THREAD_SANITIZED
DINETTE_KV_CONTRACT_PART("PostgreSQL", durability, make_postgres_engine, open_postgres_engine)
#endif

}  // namespace dinette::test::postgres_engines_test
