-- Posts the page whose path is in the environment variable BROADSHEET_BENCH_PAGE. The benchmark
-- fails when wrk counts a response other than 2xx.
local file = assert(io.open(os.getenv("BROADSHEET_BENCH_PAGE"), "rb"))
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
file:close()
