-- What Scripts/try-language-server has Neovim do. Everything that it waits for is expected within
-- seconds; a failure ends Neovim with status 1.

local function say(text) io.stdout:write(text .. "\n") end

local function finish(fault)
  if fault then say("FAILED: " .. fault) end
  io.stdout:flush()
  vim.cmd(fault and "cquit 1" or "qall!")
end

local function check(holds, fault)
  if not holds then finish(fault) end
end

local function session()
  vim.cmd("edit " .. vim.fn.fnameescape(vim.env.LIST))
  local buffer = vim.api.nvim_get_current_buf()
  local ended
  local client_id = vim.lsp.start_client({
    name = "tickbird",
    cmd = { vim.env.TICKBIRD, "lsp" },
    root_dir = vim.fn.fnamemodify(vim.env.LIST, ":h"),
    on_exit = function(code, signal) ended = { code = code, signal = signal } end,
  })
  check(client_id, "the server did not start")
  vim.lsp.buf_attach_client(buffer, client_id)

  local function diagnostics() return vim.diagnostic.get(buffer) end
  check(vim.wait(10000, function() return #diagnostics() > 0 end), "no diagnostics came")
  say("Diagnostics:")
  local codes = {}
  for _, found in ipairs(diagnostics()) do
    local code = found.code or (found.user_data and found.user_data.lsp and found.user_data.lsp.code)
    codes[tostring(code)] = true
    say(string.format("  %d:%d-%d:%d %s [%s] %s", found.lnum + 1, found.col + 1, found.end_lnum + 1,
      found.end_col + 1, vim.diagnostic.severity[found.severity], tostring(code),
      (found.message:gsub("\n", "; "))))
  end
  for _, code in ipairs({ "invalid-pattern", "domain-not-lower-case-ascii", "json-trailing-comma" }) do
    check(codes[code], "no " .. code .. " among the diagnostics")
  end
  check(not codes["pattern-unescaped-dot"], "tickbird.toml beside the list was not read")

  -- Neovim counts in bytes, the protocol in UTF-16: the domain stands behind an emoji.
  for _, found in ipairs(diagnostics()) do
    if found.message:find("lower case") then
      local line = vim.api.nvim_buf_get_lines(buffer, found.lnum, found.lnum + 1, true)[1]
      local marked = line:sub(found.col + 1, found.end_col)
      say("  the domain's mark is at " .. marked)
      check(marked == "N", "the mark is at the wrong place: " .. marked)
    end
  end

  local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 10000)
    local answer = answers and answers[client_id]
    check(answer and not answer.err, method .. ": " .. vim.inspect(answer))
    return answer.result
  end

  local document = { uri = vim.uri_from_bufnr(buffer) }
  local hover = ask("textDocument/hover", {
    textDocument = document, position = { line = 1, character = 40 },
  })
  say("Hover:")
  say("  " .. hover.contents.value:gsub("\n", "\n  "))
  check(hover.contents.value:find("https://ads.example/", 1, true), "the hover has no example")

  say("Outline:")
  for _, symbol in ipairs(ask("textDocument/documentSymbol", { textDocument = document })) do
    say("  " .. symbol.name .. " (" .. symbol.detail .. ")")
  end

  -- The quick fixes, from the last place to the first so that none moves another, and the emoji by
  -- hand.
  local actions = ask("textDocument/codeAction", {
    textDocument = document,
    range = { start = { line = 0, character = 0 }, ["end"] = { line = 99, character = 0 } },
    context = { diagnostics = {}, only = { "quickfix" } },
  })
  say("Quick fixes:")
  for index = #actions, 1, -1 do
    say("  " .. actions[index].title)
    vim.lsp.util.apply_workspace_edit(actions[index].edit, "utf-16")
  end
  vim.cmd([[%s/😀//e]])
  check(vim.wait(10000, function() return #diagnostics() == 0 end),
    "diagnostics remain: " .. vim.inspect(vim.tbl_map(function(d) return d.message end, diagnostics())))
  say("Without faults:")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, true)) do say("  " .. line) end

  vim.lsp.get_client_by_id(client_id).stop()
  check(vim.wait(10000, function() return ended end), "the server did not end")
  say("The server ended with status " .. ended.code)
  check(ended.code == 0 and ended.signal == 0, "the server's end was not a good one")
end

local succeeded, fault = xpcall(session, debug.traceback)
finish(not succeeded and fault or nil)
