#pragma once

namespace dinette::aws {

/// AWS validates the requests of one service by two generations of code, which word some errors differently
/// (docs/service/README.md, "Two generations").
enum class Generation { current, older };

}  // namespace dinette::aws
