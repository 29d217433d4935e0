-- Sends the requests of a file in turn, beginning with a given one: wrk … -s send-requests.lua URL -- FILE START
-- In the file, each request follows a line with the number of its bytes. At the end it prints the counts as JSON.
local requests, at = {}, 0

function init(args)
  local file = assert(io.open(args[1], "rb"))
  for length in function() return file:read("*l") end do
    requests[#requests + 1] = file:read(tonumber(length))
  end
  file:close()
  at = tonumber(args[2]) % #requests
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary)
  local errors = summary.errors
  io.write(string.format('\n{"answered":%d,"microseconds":%d,"failed":%d}\n', summary.requests, summary.duration,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end
