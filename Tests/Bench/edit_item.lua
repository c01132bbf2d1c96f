-- Changes the price of a product of a page by POST .../updates, another one with each request; or,
-- if the environment variable BROADSHEET_BENCH_PAGE has the path of that page, puts the page. The
-- requests prefer a response without the tree.
local headers = { ["Content-Type"] = "application/json", ["Prefer"] = "return=minimal" }
local path = "/v1/screens/" .. os.getenv("BROADSHEET_BENCH_SCREEN")
local number = tonumber(os.getenv("BROADSHEET_BENCH_NUMBER"))
local products = tonumber(os.getenv("BROADSHEET_BENCH_PRODUCTS"))
local count = 0

function init()
  local name = os.getenv("BROADSHEET_BENCH_PAGE")
  if name then
    local file = assert(io.open(name, "rb"))
    put = wrk.format("PUT", path .. "/pages/" .. number, headers, file:read("*a"))
    file:close()
  end
end

function request()
  if put then return put end
  count = count + 1
  local id = string.format("P%07d", number * products + count % products)
  return wrk.format("POST", path .. "/updates", headers,
    '{"operations":[{"op":"patchItem","section":"ProductList","item":"' .. id
      .. '","patch":{"price":' .. count .. '}}]}')
end
