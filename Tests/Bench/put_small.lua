-- Puts a small page, whose number is in the environment variable BROADSHEET_BENCH_NUMBER, to the
-- screen in BROADSHEET_BENCH_SCREEN. The request prefers a response without the tree.
function init()
  local headers = { ["Content-Type"] = "application/json", ["Prefer"] = "return=minimal" }
  local path = "/v1/screens/" .. os.getenv("BROADSHEET_BENCH_SCREEN") .. "/pages/"
      .. os.getenv("BROADSHEET_BENCH_NUMBER")
  local body = '{"sections":[{"sectionId":"a","units":[{"unitType":"A","unitData":[{"id":1}]}]}]}'
  request_text = wrk.format("PUT", path, headers, body)
end

function request()
  return request_text
end
