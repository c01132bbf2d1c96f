-- wrk posts the page whose path the environment's BROADSHEET_BENCH_PAGE holds, and counts answers
-- other than 200 as what they are: a benchmark that measures nothing.
local file = assert(io.open(os.getenv("BROADSHEET_BENCH_PAGE"), "rb"))
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
file:close()
