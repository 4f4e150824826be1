#include <catch2/catch.hpp>

#include "dinette/kv/memory.h"

#include "kv/contract.h"
#include "kv/model_engine.h"

DINETTE_KV_CONTRACT("model engine", dinette::test::make_model_engine)
DINETTE_KV_CONTRACT("memory engine", dinette::kv::make_memory_engine)
