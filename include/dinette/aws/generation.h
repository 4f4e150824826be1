#pragma once

namespace dinette::aws {

/// AWS validates the requests of one service with two generations of code, whose messages for some errors
/// differ (docs/service/README.md, "Two generations").
enum class Generation { current, older };

}  // namespace dinette::aws
