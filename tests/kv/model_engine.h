#pragma once

#include <memory>

#include "dinette/kv/engine.h"

namespace dinette::test {

/// The contract of kv::Engine as simply as it can be met: a std::map under one mutex, copied for every
/// snapshot, and one transaction at a time. The contract suite runs over it too, which shows that the suite
/// asks for no more than the contract.
std::unique_ptr<kv::Engine> make_model_engine();

}  // namespace dinette::test
