#include "kv/durable/engine_label.h"

#include <system_error>

#include "kv/durable/checked_json.h"
#include "kv/durable/files.h"

namespace dinette::kv::durable {
namespace {

using Json = nlohmann::json;

std::filesystem::path label_of(const std::filesystem::path& engine) {
  return engine.string() + EngineLabel::extension;
}

}  // namespace

std::optional<EngineLabel> read_label(const std::filesystem::path& engine) {
  const auto json = read_checked(read_whole(label_of(engine)));
  if (!json) return std::nullopt;
  try {
    if (json->value("temporary", false)) return EngineLabel{.temporary = true};
    return EngineLabel{.name = json->at("name").get<std::string>(),
                       .note = json->at("note").get<std::string>()};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

Result<void> write_label(const std::filesystem::path& engine, const EngineLabel& label) {
  const Json json =
      label.temporary ? Json{{"temporary", true}} : Json{{"name", label.name}, {"note", label.note}};
  return write_file(label_of(engine), text_with_checksum(json));
}

void remove_label(const std::filesystem::path& engine) {
  std::error_code ignored;
  std::filesystem::remove(label_of(engine), ignored);
}

}  // namespace dinette::kv::durable
