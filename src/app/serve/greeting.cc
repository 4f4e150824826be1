#include "app/serve/greeting.h"

#include <algorithm>

#include "dinette/admin/api.h"
#include "dinette/tcp/address.h"

#include "app/address.h"
#include "app/serve/server_settings.h"

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

/// Returns how clients are made to trust a self-signed certificate.
string trust_lines(const Options& options, const string& url) {
  string file = options.self_signed_file;
  if (file.empty() && !options.administration)
    return "Its certificate is self-signed; --tls-self-signed FILE keeps it in a file, for clients to "
           "trust.\n\n";
  string text = "Its certificate is self-signed. Let clients trust it:\n\n";
  if (file.empty()) {
    file = "dinette.pem";
    text += "  curl --insecure --output " + file + " " + url + "/_dinette/certificate.pem\n";
  }
  return text + "  export AWS_CA_BUNDLE=" + file + " NODE_EXTRA_CA_CERTS=" + file +
         "   # AWS CLI and boto3, JavaScript\n\n";
}

/// Returns the URLs of the addresses, for programs of this machine.
std::vector<string> urls_of(const Listening& listening, bool tls) {
  std::vector<string> urls;
  for (const string& address : listening.addresses)
    urls.push_back(url_of(reachable(address), listening.port, tls));
  return urls;
}

string other_urls(const Listening& listening, bool tls) {
  string text;
  const auto urls = urls_of(listening, tls);
  for (std::size_t i = 1; i < urls.size(); ++i) text += (i == 1 ? " Also on " : ", ") + urls[i];
  return text + (text.empty() ? "" : ".");
}

string region_lines(const Listening& listening, bool tls) {
  string text;
  for (const auto& [region, port] : listening.region_ports)
    text += "The region " + region + " is at " + url_of(reachable(listening.addresses.front()), port, tls) +
            ".\n";
  return text;
}

string tablestore_line(const Listening& listening, bool tls) {
  if (!listening.tablestore_port) return "";
  return "Tablestore is at " +
         url_of(reachable(listening.addresses.front()), *listening.tablestore_port, tls) + ".\n";
}

string cql_line(const Listening& listening) {
  if (!listening.cql_port) return "";
  return "Amazon Keyspaces (CQL) is at " +
         tcp::host_and_port(reachable(listening.addresses.front()), *listening.cql_port) + ".\n";
}

string data_line(const Options& options) {
  if (!options.data_folder.empty()) return "Data are kept in " + options.data_folder + ".\n";
  if (!options.store.empty()) return "Data are kept in PostgreSQL.\n";  // the URL may have a password
  return "Tables are in memory and are lost when the server ends; --data FOLDER keeps them.\n";
}

/// Returns the address for other machines, and what they may do.
string network_line(const Options& options, const Listening& listening) {
  if (std::ranges::all_of(listening.addresses, is_loopback)) return "";
  const bool every = std::ranges::any_of(listening.addresses, is_every_network);
  string text;
  if (every && !listening.network_address.empty()) {
    const string url = url_of(listening.network_address, listening.port, serves_tls(options));
    text = "Other machines reach it at " + url + ".\n";
  }
  if (options.auth == aws::AuthMode::verify) return text;
  const string keys = options.auth == aws::AuthMode::none ? "without keys" : "with any keys";
  return text + "Everyone in the network may read and write, " + keys +
         "; --auth verify requires valid ones.\n";
}

// The lines that DynamoDB Local prints, with this server's values.
string local_configuration(const Options& options, std::uint16_t port) {
  string text = "Initializing DynamoDB Local with the following configuration:\n";
  const auto add = [&](const char* name, const string& value) {
    text.append(name).append(":\t").append(value) += '\n';
  };
  const auto word = [](bool value) { return value ? "true" : "false"; };
  add("Port", std::to_string(port));
  add("InMemory", word(options.data_folder.empty() && options.store.empty()));
  add("Version", DINETTE_VERSION);
  add("DbPath", options.database_folder.empty() ? "null" : options.database_folder);
  add("SharedDb", word(!options.isolation.accounts && !options.isolation.regions));
  add("shouldDelayTransientStatuses", word(options.index_state_delay.count() > 0));
  add("CorsParams", options.cors_origins);
  return text + "\n";
}

// Browsers send the fragment of a link nowhere.
string page_and_administration(const string& url, bool has_page, const string& visitor_token) {
  string text;
  if (has_page) {
    text.append("See tables, requests and more: ").append(url).append(admin::page_path);
    if (!visitor_token.empty()) text += "#token=" + visitor_token;
    text += "\n\n";
  }
  if (visitor_token.empty()) return text;
  return text +
         "Administration (/_dinette/) from other machines, and from outside of a container, takes the "
         "token\n" +
         visitor_token + "; --admin-token or DINETTE_ADMIN_TOKEN sets another.\n\n";
}

}  // namespace

string greeting(const Options& options, const Listening& listening, bool has_page,
                const string& visitor_token) {
  const bool tls = serves_tls(options);
  const string url = urls_of(listening, tls).front();
  const string& region = options.region;
  string text = options.as_dynamodb_local ? local_configuration(options, listening.port) : "";
  text += "dinette: ready on " + url + "\n";
  text += "Version " DINETTE_VERSION "." + other_urls(listening, tls) + "\n";
  text += region_lines(listening, tls);
  text += tablestore_line(listening, tls);
  text += cql_line(listening);
  text += data_line(options) + network_line(options, listening) + "\n";
  text += "Point a client at it, with " + keys_of(options) + ":\n\n";
  text += "  " + credentials_in_shell(options) + " \\\n    aws dynamodb list-tables --endpoint-url " + url +
          " --region " + region + "\n";
  text += "  new DynamoDBClient({ endpoint: \"" + url + "\", region: \"" + region +
          "\", credentials: { accessKeyId: ..., secretAccessKey: ... } })\n";
  text += "  boto3.client(\"dynamodb\", endpoint_url=\"" + url + "\", region_name=\"" + region +
          "\", aws_access_key_id=..., aws_secret_access_key=...)\n\n";
  if (options.tls_self_signed) text += trust_lines(options, url);
  if (options.administration) text += page_and_administration(url, has_page, visitor_token);
  return text + "Press Ctrl-C to stop.\n";
}

}  // namespace dinette::app
