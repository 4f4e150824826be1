#include "kv/durable/manifest.h"

#include <fstream>
#include <iterator>
#include <system_error>

#include <nlohmann/json.hpp>

#include "kv/durable/files.h"

namespace dinette::kv::durable {
namespace {

using Json = nlohmann::json;

base::Failure<Error> unreadable(const std::filesystem::path& file) {
  return base::Failure{Error{ErrorKind::corrupt, file.string() +
                                                     " is damaged: it is not the description of a "
                                                     "data folder. Restore it from a copy, or name "
                                                     "another folder"}};
}

Result<void> check_format(int format, const std::filesystem::path& folder) {
  if (format == Manifest::format) return {};
  const char* const which = format > Manifest::format ? "a newer" : "an older";
  return base::Failure{Error{
      ErrorKind::unsupported,
      "the data in " + folder.string() + " were written by " + which +
          " version of this program, in format " + std::to_string(format) + "; this one reads format " +
          std::to_string(Manifest::format) +
          ". Use that version, or export the data with it (dinette export) and import them with this one"}};
}

}  // namespace

Result<Manifest> read_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / Manifest::file_name;
  std::ifstream file(path, std::ios::binary);
  const Json json = Json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("format") || !json["format"].is_number_integer())
    return unreadable(path);
  DINETTE_CHECK(check_format(json["format"].get<int>(), folder));
  try {
    Manifest manifest;
    for (const Json& one : json.at("engines")) {
      manifest.engines[one.at("name").get<std::string>()] = {one.at("folder").get<std::uint64_t>(),
                                                             one.at("note").get<std::string>()};
    }
    return manifest;
  } catch (const Json::exception&) {
    return unreadable(path);
  }
}

Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest) {
  Json engines = Json::array();
  for (const auto& [name, engine] : manifest.engines)
    engines.push_back({{"name", name}, {"folder", engine.folder}, {"note", engine.note}});
  const Json json = {{"program", "dinette"}, {"format", Manifest::format}, {"engines", std::move(engines)}};
  return replace_file(folder / Manifest::file_name, json.dump(2) + "\n");
}

}  // namespace dinette::kv::durable
