#pragma once

#include <memory>

#include "dinette/kv/engine.h"

namespace dinette::test {

/// The simplest implementation of kv::Engine: a std::map under one mutex, copied for every snapshot, and one
/// transaction at a time. The contract suite runs over it too, which shows that the suite demands no more
/// than the contract.
std::unique_ptr<kv::Engine> make_model_engine();

}  // namespace dinette::test
