-- Each thread of wrk is a writer with its own screen, and puts the page whose path is in the
-- environment variable BROADSHEET_BENCH_PAGE. The request prefers a response without the tree.
local writers = 0

function setup(thread)
  thread:set("writer", writers)
  writers = writers + 1
end

function init()
  local file = assert(io.open(os.getenv("BROADSHEET_BENCH_PAGE"), "rb"))
  local headers = { ["Content-Type"] = "application/json", ["Prefer"] = "return=minimal" }
  request_text = wrk.format("PUT", "/v1/screens/writer-" .. writer .. "/pages/0", headers, file:read("*a"))
  file:close()
end

function request()
  return request_text
end
