#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "kv/contract.h"
#include "kv/log_engine.h"
#include "kv/model_engine.h"

namespace dinette::test::engines_test {

DINETTE_KV_CONTRACT("model engine", make_model_engine)
DINETTE_KV_CONTRACT("memory engine", kv::make_memory_engine)
DINETTE_KV_CONTRACT("log engine", make_log_engine, open_log_engine, log_engine_file)

}  // namespace dinette::test::engines_test
