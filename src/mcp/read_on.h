#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "mcp/json.h"
#include "mcp/result_page.h"

namespace dinette::mcp {

/// How many items one call of a tool looks at, about, until it has found those that match a filter.
inline constexpr std::uint64_t most_looked_at = 500'000;
/// How many pages of the service, of up to a megabyte, it reads for that.
inline constexpr int most_pages_read = 200;

/// A page of items as the service returns it.
struct ServicePage {
  Json items = Json::array();   ///< as they are to be shown
  Json next = nullptr;          ///< where the service's next page begins; null: there is none
  Json explanation = nullptr;   ///< an object as in docs/explain.md; null: none
  std::optional<double> units;  ///< of consumed capacity; nothing: the service does not say
  std::optional<std::uint64_t>
      looked_at;  ///< items read before the filter; nothing: the service does not say
};

/// Returns the page that begins at `from`, for which the service reads at most so many items.
using ReadServicePage =
    std::function<base::Result<ServicePage, std::string>(const Json& from, std::size_t most)>;

/// What several pages of the service gave.
struct FoundItems {
  ResultPage page;
  Json explanation = nullptr;  ///< that of the first page, with the sums of all
  std::optional<double> units;
  std::optional<std::uint64_t> looked_at;
  bool stopped = false;  ///< at a limit of work, before enough were found
};

/// Reads pages until `limit` items are found, as many as a result shows, or a limit of work is reached. A
/// filter removes items after the service has counted them, so the pages grow while too few are found. What
/// was read in vain is not read again by the next call; what did not fit is.
base::Result<FoundItems, std::string> read_on(const PageStart& start, std::size_t limit,
                                              const ReadServicePage& read);

}  // namespace dinette::mcp
