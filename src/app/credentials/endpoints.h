#pragma once

#include <string>
#include <string_view>

#include "dinette/base/result.h"
#include "dinette/http/url.h"

#include "app/credentials/client_settings.h"

namespace dinette::app {

/// A server, and what is requested of it.
using Endpoint = http::Url;

/// Reads "https://host/path?query". The error is a sentence.
base::Result<Endpoint, std::string> read_endpoint(const std::string& url);

/// Returns the URL of a service of AWS in a region: "https://dynamodb.eu-west-1.amazonaws.com".
std::string aws_url(std::string_view service, std::string_view region);

/// Returns true for a host of AWS's services.
bool is_aws_host(std::string_view host);

/// Returns where a service is: as configured, or in AWS. Certificates are verified, by the file of
/// authorities that is configured, or by the system's.
base::Result<Endpoint, std::string> find_endpoint(const ClientSurroundings& settings,
                                                  std::string_view service, std::string_view region,
                                                  std::string_view aws_name = {});

/// Makes requests to a server verify its certificate, unless it is on this machine.
void verify_certificate(tcp::Remote& server, const ClientSurroundings& settings);

}  // namespace dinette::app
