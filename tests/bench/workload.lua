-- Sends the request bodies of a file, a line each, in turn: wrk -s workload.lua URL -- OPERATION FILE
local requests = {}
local at = 0

function init(args)
  local headers = {
    ["Content-Type"] = "application/x-amz-json-1.0",
    ["X-Amz-Target"] = "DynamoDB_20120810." .. args[1],
    ["X-Amz-Date"] = "20260131T081500Z",
    ["User-Agent"] = "aws-sdk-js/3.0.0 ua/2.0 os/linux lang/js md/nodejs#20.0.0 api/dynamodb#3.0.0",
    ["Accept-Encoding"] = "identity",
    ["Authorization"] = "AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE/20260131/us-east-1/dynamodb/aws4_request, "
      .. "SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=" .. string.rep("0f", 32),
  }
  for line in io.lines(args[2]) do
    requests[#requests + 1] = wrk.format("POST", "/", headers, line)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
