-- Reads a path with each of the tokens in turn that are the lines of the file whose path is the
-- environment variable BROADSHEET_BENCH_TOKENS; from the beginning again if there are no more.
local requests = {}
local count = 0

function init()
  for token in io.lines(os.getenv("BROADSHEET_BENCH_TOKENS")) do
    requests[#requests + 1] = wrk.format("GET", nil, { ["Authorization"] = "Bearer " .. token })
  end
end

function request()
  count = count % #requests + 1
  return requests[count]
end
