#include "tenancy/kept_regions.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "dinette/base/record_bytes.h"
#include "dinette/store/kept_setting.h"

namespace dinette::tenancy {
namespace {

constexpr std::string_view regions_name = "regions";

RegionLink read_link(base::RecordReader& reader) {
  std::string from(reader.text());
  std::string to(reader.text());
  return {std::move(from), std::move(to)};
}

}  // namespace

kv::Result<RegionSetting> read_regions(const kv::Engine& engine) {
  RegionSetting setting;
  if (!engine.capabilities().shared) return setting;
  DINETTE_TRY(const auto kept, store::read_setting(engine, regions_name));
  if (!kept) return setting;
  base::RecordReader reader(kept->view());
  reader.read_list([&] { setting.cut.insert(read_link(reader)); });
  reader.read_list([&] {
    std::string region(reader.text());
    setting.skews[std::move(region)] = std::chrono::microseconds(reader.int64());
  });
  if (!reader.complete())
    return base::Failure{kv::Error{kv::ErrorKind::corrupt, "the regions of a world cannot be read"}};
  return setting;
}

kv::Result<void> keep_regions(kv::Engine& engine, const RegionSetting& setting) {
  if (!engine.capabilities().shared) return {};
  // Most forks and snapshots have nothing to forget: no write.
  DINETTE_TRY(const RegionSetting kept, read_regions(engine));
  if (kept == setting) return {};
  base::RecordWriter writer;
  writer.add_list(setting.cut, [&](const RegionLink& link) {
    writer.add(std::string_view(link.from));
    writer.add(std::string_view(link.to));
  });
  writer.add_list(setting.skews, [&](const auto& skew) {
    writer.add(std::string_view(skew.first));
    writer.add(static_cast<std::int64_t>(skew.second.count()));
  });
  return store::keep_setting(engine, regions_name, std::move(writer).take());
}

}  // namespace dinette::tenancy
