#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "lambda/functions/batch_verdict.h"
#include "lambda/functions/function_call.h"

/// The answer of a function, for a batch of two records.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace dinette;
  const std::string_view answer{reinterpret_cast<const char*>(data), size};
  const std::array records{deliveries::Record{.number = "101", .moment = {}, .key = "", .payload = ""},
                           deliveries::Record{.number = "102", .moment = {}, .key = "", .payload = ""}};
  const deliveries::Batch batch{.id = "b", .shard = "s", .records = records, .window = std::nullopt};
  lambda::looks_failed(answer);
  for (const bool reports : {false, true}) {
    for (const bool keeps : {false, true}) {
      const auto verdict = lambda::verdict_of(answer, batch, {reports, keeps});
      const bool partly = verdict.kind == deliveries::Verdict::Kind::partly;
      // The first record that failed is never among those that are done.
      if (partly && verdict.done >= records.size()) std::abort();
    }
  }
  return 0;
}
