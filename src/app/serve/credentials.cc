#include "app/serve/credentials.h"

#include <istream>
#include <sstream>
#include <utility>

#include <boost/property_tree/ini_parser.hpp>
#include <boost/property_tree/ptree.hpp>

#include "app/read_file.h"

namespace dinette::app {
namespace {

using base::Failure;
using boost::property_tree::ptree;

// Adds the access key of one profile.
base::Result<void, std::string> add_profile(const std::string& name, const ptree& profile,
                                            aws::Credentials& keys) {
  const auto value = [&](const char* field) { return profile.get<std::string>(field, ""); };
  const auto wrong = [&](const std::string& what) { return Failure{"profile [" + name + "] " + what}; };

  const auto key = value("aws_access_key_id");
  const aws::Credential credential{.secret = value("aws_secret_access_key"),
                                   .session_token = value("aws_session_token"),
                                   .account = value("aws_account_id")};
  if (key.empty()) return wrong("has no aws_access_key_id");
  if (credential.secret.empty()) return wrong("has no aws_secret_access_key");
  if (!credential.account.empty() && !aws::is_account_number(credential.account)) {
    return wrong("has an aws_account_id that is not twelve digits");
  }
  if (!keys.emplace(key, credential).second) return wrong("has the access key of another profile");
  return {};
}

base::Result<aws::Credentials, std::string> read_profiles(std::istream& file) {
  ptree profiles;
  try {
    boost::property_tree::read_ini(file, profiles);
  } catch (const boost::property_tree::ini_parser_error& error) {
    return Failure{"line " + std::to_string(error.line()) + ": " + error.message()};
  }
  aws::Credentials keys;
  for (const auto& [name, profile] : profiles) DINETTE_CHECK(add_profile(name, profile, keys));
  if (keys.empty()) return Failure{std::string("there is no profile in it, such as [default]")};
  return keys;
}

}  // namespace

base::Result<aws::Credentials, std::string> read_credentials(const std::string& path) {
  DINETTE_TRY(std::string text, read_file(path, "credentials file"));
  std::istringstream file(std::move(text));
  auto keys = read_profiles(file);
  if (!keys.ok()) return Failure{"credentials file " + path + ": " + keys.error()};
  return keys;
}

}  // namespace dinette::app
