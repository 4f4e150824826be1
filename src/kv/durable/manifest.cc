#include "kv/durable/manifest.h"

#include <utility>

#include "kv/data_folder_names.h"
#include "kv/durable/checked_json.h"
#include "kv/durable/files.h"

namespace dinette::kv::durable {
namespace {

using Json = nlohmann::json;

base::Failure<Error> unreadable(const std::filesystem::path& folder) {
  return base::Failure{
      Error{ErrorKind::corrupt, (folder / manifest_name).string() +
                                    " is damaged: it is not the description of a data folder. " +
                                    way_back(folder)}};
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

std::string way_back(const std::filesystem::path& folder) {
  return "Restore the folder from a copy, or run 'dinette check --repair " + folder.string() +
         "', which keeps what can be read, and a copy of what it leaves out";
}

Result<Manifest> read_manifest(const std::filesystem::path& folder) {
  const Json json = Json::parse(read_whole(folder / manifest_name), nullptr, false);
  if (!json.is_object() || !json.contains("format") || !json["format"].is_number_integer())
    return unreadable(folder);
  DINETTE_CHECK(check_format(json["format"].get<int>(), folder));
  if (!checksum_agrees(json)) return unreadable(folder);
  try {
    Manifest manifest;
    for (const Json& one : json.at("engines")) {
      manifest.engines[one.at("name").get<std::string>()] = {one.at("folder").get<std::uint64_t>(),
                                                             one.at("note").get<std::string>()};
    }
    return manifest;
  } catch (const Json::exception&) {
    return unreadable(folder);
  }
}

Result<void> write_manifest(const std::filesystem::path& folder, const Manifest& manifest) {
  Json engines = Json::array();
  for (const auto& [name, engine] : manifest.engines)
    engines.push_back({{"name", name}, {"folder", engine.folder}, {"note", engine.note}});
  Json json = {{"program", "dinette"}, {"format", Manifest::format}, {"engines", std::move(engines)}};
  return replace_file(folder / manifest_name, text_with_checksum(std::move(json)));
}

}  // namespace dinette::kv::durable
