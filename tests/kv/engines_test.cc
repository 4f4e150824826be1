#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "kv/contract.h"
#include "kv/model_engine.h"

namespace dinette::test::engines_test {

DINETTE_KV_CONTRACT("model engine", make_model_engine)
DINETTE_KV_CONTRACT("memory engine", kv::make_memory_engine)

}  // namespace dinette::test::engines_test
