#include "kv/durable_engine.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kv/holding_engine.h"
#include "support/temporary_folder.h"

namespace dinette::test {

using namespace kv;

std::unique_ptr<Engine> open_durable_engine(const std::filesystem::path& folder,
                                            const DataFolderOptions& options) {
  const auto engines = open_data_folder(folder, options).value();
  std::shared_ptr<Engine> engine;
  if (engines->kept().empty()) {
    engine = engines->make().value();
    if (!engines->keep("", "", *engine)) throw std::runtime_error("an engine cannot be kept");
  } else {
    auto opened = engines->open("");
    if (!opened) throw std::runtime_error(opened.error().message);
    engine = std::move(opened).value();
  }
  return std::make_unique<HoldingEngine>(engines, std::move(engine));
}

std::unique_ptr<Engine> make_durable_engine(const DataFolderOptions& options) {
  auto folder = std::make_shared<::test::TemporaryFolder>();
  const auto engines = open_data_folder(folder->path(), options).value();
  auto engine = engines->make().value();
  return std::make_unique<HoldingEngine>(std::move(folder), std::move(engine));
}

std::filesystem::path durable_engine_log(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> logs;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder / "engines")) {
    if (entry.path().extension() == ".log") logs.push_back(entry.path());
  }
  return *std::ranges::max_element(logs);
}

}  // namespace dinette::test
