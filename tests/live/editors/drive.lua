-- Drives Neovim through a buffer that is open: see a diagnostic, hover, complete, apply a code action; what came of it is written as JSON.
local function lsp(method, row, column, more)
  local params = { textDocument = vim.lsp.util.make_text_document_params(0), position = { line = row, character = column } }
  local answers = vim.lsp.buf_request_sync(0, method, vim.tbl_extend("force", params, more or {}), 30000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

local report = {}
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)
report.diagnostics = vim.tbl_map(function(row)
  return { code = row.code, line = row.lnum, column = row.col, message = row.message, severity = row.severity }
end, vim.diagnostic.get(0))
report.hover = lsp("textDocument/hover", 1, 0).contents.value

vim.api.nvim_buf_set_lines(0, 3, 3, false, { "li" })
local items = lsp("textDocument/completion", 3, 2)
report.completion = vim.tbl_map(function(row) return row.textEdit and row.textEdit.newText or row.insertText or row.label end, items.items or items)
vim.api.nvim_buf_set_lines(0, 3, 4, false, {})

vim.api.nvim_win_set_cursor(0, { 3, 5 })
local offered = {}
vim.ui.select = function(choices, options, choose)
  for _, choice in ipairs(choices) do
    local title = options.format_item and options.format_item(choice) or choice[2].title
    table.insert(offered, title)
  end
  for index, choice in ipairs(choices) do
    if offered[index]:find("KA1407") and not offered[index]:find("Silence") and not offered[index]:find("Explain") then
      return choose(choice, index)
    end
  end
end
local before = vim.api.nvim_buf_get_changedtick(0)
vim.lsp.buf.code_action()
vim.wait(30000, function() return vim.api.nvim_buf_get_changedtick(0) ~= before end)
report.offered = offered
report.lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
vim.wait(30000, function()
  for _, row in ipairs(vim.diagnostic.get(0)) do
    if row.code == "KA1407" then return false end
  end
  return true
end)
report.after = vim.tbl_map(function(row) return row.code end, vim.diagnostic.get(0))
vim.fn.writefile({ vim.json.encode(report) }, vim.env.REPORT)
vim.cmd("qall!")
