/** `bough mcp`: finds the action and runs it. */
import { runAction } from "../run-action.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { DEFAULT_ACTION, MCP_ACTIONS } from "./mcp-actions.js";

const SERVER = "{ name, scope, file, transport, command? or url?, disabled }";
const LISTED =
  "{ name, scope, file, transport, command? or url?, disabled, tools: number or null, tokens: number or null, expose? }";

export const row: SubcommandRow = {
  name: "mcp",
  usage: "[add | list | remove | test | login | logout] [name] [url | -- command...]",
  summary: "Manage MCP servers, or serve session history over MCP",
  details: `Without an action, serves the history of all agents' sessions to an MCP client, on standard input and output: the tools search, open, tried, sessions and blame, read-only and with secrets masked. See docs/mcp.md. add saves a server that is started with a command or reached at a URL; its tools are offered to the model as server__tool. test connects and lists what the server has. login and logout are for servers that use OAuth. A server belongs to you (user), to this project (.mcp.json, which other agents read too) or to this checkout (local); the last two are used once the project is trusted. \${NAME} in a value is replaced by an environment variable when the server is used.`,
  flags: {
    scope: {
      short: "s",
      value: "scope",
      choices: ["user", "project", "local"],
      help: "whose server it is (default user)",
    },
    env: {
      short: "e",
      value: "NAME=value",
      repeatable: true,
      help: "with add: a variable for the program; repeatable",
    },
    header: { value: "Name: value", repeatable: true, help: "with add: a header for the URL; repeatable" },
    force: { help: "with add: replace a server of the same name" },
  },
  examples: [
    ["mcp", "serve; for the configuration of Claude Code, Codex and others"],
    ["mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", "a server that is started here"],
    ["mcp add issues https://mcp.example.com/mcp", "a server that is reached over HTTP"],
    [`mcp add search -e 'KEY=\${SEARCH_KEY}' -s project -- search-mcp`, "for everyone who works on this project"],
    ["mcp test files", "connect, and list its tools"],
    ["mcp login issues", "log in with a browser"],
  ],
  json: `list: { "servers": [${LISTED}], "problems": [{ file, field, message }] }; add: { "added": ${SERVER} }; remove: { "removed": name, "file" }; test: { name, "ok", "milliseconds", "server"?: { name, version }, "tools": [name], "tokens": number, "resources": number, "prompts": [name], "problems"?: [text], "error"?, "hint"? }; login: { name, "url": address or null, "outcome": "done" | "already" }; logout: { name, "loggedOut" }`,
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  completes: MCP_ACTIONS.map(({ name }) => name),
};

export function run(call: SubcommandCall): Promise<number> {
  return runAction(call, { of: "mcp", actions: MCP_ACTIONS, standard: DEFAULT_ACTION });
}
