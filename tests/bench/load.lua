-- One POST after the other, for `wrk -s load.lua URL -- TEXT CALLS RUN`. `ACCOUNT` in the text becomes an account that nobody has
-- asked for before; more than one call makes a batch.
local text, calls, run
local count = 0

function init(args)
  text, calls, run = args[1], tonumber(args[2]), args[3]
  wrk.method = 'POST'
  wrk.headers['content-type'] = 'application/json'
end

local function call()
  count = count + 1
  return (text:gsub('ACCOUNT', function() return string.format('%s%032x', run, count) end))
end

function request()
  if calls == 1 then return wrk.format(nil, nil, nil, call()) end
  local all = {}
  for index = 1, calls do all[index] = call() end
  return wrk.format(nil, nil, nil, '[' .. table.concat(all, ',') .. ']')
end

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n{"requests":%d,"durationUs":%d,"p50Us":%d,"p99Us":%d,"errors":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
