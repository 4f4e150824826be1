-- Sends the requests of a file in turn, and says at the end how that went: wrk -s workload.lua URL -- FILE
-- In the file stand, for each request, the number of its bytes, a line feed and the bytes.
local requests = {}
local at = 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for length in function() return file:read("*n", 1) end do
    requests[#requests + 1] = file:read(length)
  end
  file:close()
end

function request()
  at = at % #requests + 1
  return requests[at]
end

-- One line of JSON, the last of all that wrk prints. Times are in microseconds.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format(
    '{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"failed":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
