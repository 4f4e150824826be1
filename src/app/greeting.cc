#include "app/greeting.h"

#include "dinette/admin/api.h"

#include "app/address.h"
#include "app/server_settings.h"

namespace dinette::app {
namespace {

using std::string;

string keys_of(const Options& options) {
  if (options.auth != aws::AuthMode::verify) return "any access key and any region";
  return "any region and an access key of " + options.credentials_file;
}

// For a shell in which no credentials are set: without any, the AWS CLI sends nothing.
string credentials_in_shell(const Options& options) {
  const string key = options.auth == aws::AuthMode::verify ? "..." : "any";
  return "AWS_ACCESS_KEY_ID=" + key + " AWS_SECRET_ACCESS_KEY=" + key;
}

// A certificate that was created at start is self-signed.
constexpr const char* take_certificate =
    "Tell it to accept a self-signed certificate: --no-verify-ssl (AWS CLI), verify=False (boto3),\n"
    "NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment (JavaScript).\n";

// The lines that DynamoDB Local prints, with this server's values.
string local_configuration(const Options& options, std::uint16_t port) {
  string text = "Initializing DynamoDB Local with the following configuration:\n";
  const auto add = [&](const char* name, const string& value) {
    text.append(name).append(":\t").append(value) += '\n';
  };
  const auto word = [](bool value) { return value ? "true" : "false"; };
  add("Port", std::to_string(port));
  add("InMemory", word(options.data_folder.empty()));
  add("Version", DINETTE_VERSION);
  add("DbPath", options.database_folder.empty() ? "null" : options.database_folder);
  add("SharedDb", word(!options.isolate_account && !options.isolate_region));
  add("shouldDelayTransientStatuses", word(options.index_state_delay.count() > 0));
  add("CorsParams", options.cors_origins);
  return text + "\n";
}

}  // namespace

string greeting(const Options& options, std::uint16_t port, bool has_page) {
  const bool tls = serves_tls(options);
  const string url = url_of(reachable(options.host), port, tls);
  const string& region = options.region;
  string text = options.as_dynamodb_local ? local_configuration(options, port) : "";
  text += "dinette: ready on " + url_of(options.host, port, tls) + "\n";
  if (!options.data_folder.empty()) text += "Data are kept in " + options.data_folder + ".\n";
  text += "\n";
  text += "Point a client at it, with " + keys_of(options) + ":\n\n";
  text += "  " + credentials_in_shell(options) + " \\\n    aws dynamodb list-tables --endpoint-url " + url +
          " --region " + region + "\n";
  text += "  new DynamoDBClient({ endpoint: \"" + url + "\", region: \"" + region +
          "\", credentials: { accessKeyId: ..., secretAccessKey: ... } })\n";
  text += "  boto3.client(\"dynamodb\", endpoint_url=\"" + url + "\", region_name=\"" + region +
          "\", aws_access_key_id=..., aws_secret_access_key=...)\n\n";
  if (options.tls_self_signed) text += string(take_certificate) + "\n";
  if (has_page && options.administration)
    text.append("See tables, requests and more: ").append(url).append(admin::page_path) += "\n\n";
  return text + "Press Ctrl-C to stop.\n";
}

}  // namespace dinette::app
