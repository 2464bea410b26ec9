// node scripts/mcp-clients.mjs [--claude <path>] [--codex <path>]: lets the real Claude Code and the real Codex use
// `bough mcp` through their own configuration, against a model on loopback that calls `search` and `tried`. Needs a
// build. Programs that are not named are installed from the package registry into a scratch folder. Exits with 1 if an
// answer did not reach the model.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SessionManager } from "../dist/session/index.js";
import { installedProgram, ProgramMissing } from "./resume/installed-program.mjs";
import { eventStream, modelServer, sendJson } from "./resume/model-server.mjs";

const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
const LONGEST_RUN = 120_000;
const MOST_REQUESTS = 20;
/** What the model asks, and what the answer must contain. */
const CALLS = [
  { tool: "search", input: { words: "walrus" }, expects: "on a branch that was left" },
  { tool: "tried", input: { words: "walrus lookup" }, expects: "undone" },
];

/** A session in which something was tried and undone. */
function writeHistory(home, cwd) {
  const session = SessionManager.create(cwd, join(home, ".bough", "sessions", "--project--"));
  const answer = (text) => ({
    ...{ role: "assistant", content: [{ type: "text", text }], api: "loopback", provider: "loopback", model: "m" },
    ...{ usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 }, stopReason: "stop", timestamp: 2 },
  });
  session.appendMessage({ role: "user", content: "Look at the project", timestamp: 1 });
  const base = session.appendMessage(answer("Done."));
  session.appendMessage({ role: "user", content: "Make the walrus faster with a lookup table", timestamp: 3 });
  session.appendMessage(answer("It is slower."));
  session.branch(base);
  session.recordPosition({ cause: "undo" });
  session.appendMessage({ role: "user", content: "Use an index instead", timestamp: 5 });
  session.appendMessage(answer("That works."));
  session.close();
}

/** The offered tool with this name, whatever prefix the client adds. */
function offered(tools = [], name) {
  for (const tool of tools) {
    if (tool.type === "namespace" && tool.name.includes("bough")) {
      const inside = tool.tools.find((one) => one.name.endsWith(name));
      if (inside !== undefined) return { name: inside.name, namespace: tool.name };
    }
    const own = tool.name ?? tool.function?.name ?? "";
    if (own.includes("bough") && own.endsWith(name)) return { name: own };
  }
  return undefined;
}

const claude = {
  title: "Claude Code",
  packages: ["@anthropic-ai/claude-code@latest"],
  command: "claude",
  environment: (home, address) => ({
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: "not-a-key",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_TELEMETRY: "1",
    ENABLE_TOOL_SEARCH: "false",
    BOUGH_HOME: join(home, ".bough"),
  }),
  configure: (_home, bough) => ["mcp", "add", "--scope", "user", "bough", "--", ...bough],
  run: ["-p", "--allowedTools", "mcp__bough__search,mcp__bough__tried", "--", "What was tried?"],
  answer: messagesAnswer,
};

const codex = {
  title: "Codex",
  packages: ["@openai/codex"],
  command: "codex",
  environment: (home) => ({ CODEX_HOME: join(home, ".codex"), BOUGH_HOME: join(home, ".bough") }),
  prepare: (home, address) =>
    writeFileSync(
      join(home, ".codex", "config.toml"),
      [
        'model = "gpt-5-codex"',
        'model_provider = "loopback"',
        'approval_policy = "never"',
        "[model_providers.loopback]",
        'name = "loopback"',
        `base_url = "${address}/v1"`,
        'wire_api = "responses"',
        "",
      ].join("\n"),
    ),
  configure: (home, bough) => ["mcp", "add", "bough", "--env", `BOUGH_HOME=${join(home, ".bough")}`, "--", ...bough],
  run: ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "What was tried?"],
  answer: responsesAnswer,
};

/**
 * Clients start servers while they ask the model, so until the tools are available it calls one that waits for them.
 */
function nextCall(tools, { results, requests, waits }) {
  const call = CALLS[results.length];
  if (call === undefined || requests.length > MOST_REQUESTS) return {};
  const tool = offered(tools, call.tool);
  if (tool !== undefined) return { call: { ...call, id: `bough_${results.length}` }, tool };
  if (!(tools ?? []).some(({ name }) => name === waits)) return {};
  return { call: { id: `wait_${requests.length}`, input: {} }, tool: { name: waits } };
}

function messagesAnswer({ url, asked, response, requests }) {
  if (url.includes("/count_tokens")) return sendJson(response, { input_tokens: 1 });
  if (!url.includes("/messages")) return response.writeHead(404).end();
  const results = (asked.messages ?? [])
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type, tool_use_id }) => type === "tool_result" && tool_use_id.startsWith("toolu_bough"))
    .map(({ content }) => JSON.stringify(content));
  requests.push({ results, tools: (asked.tools ?? []).map(({ name }) => name) });
  const { call, tool } = nextCall(asked.tools, { results, requests, waits: "WaitForMcpServers" });
  const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const message = {
    id: `msg_${requests.length}`,
    type: "message",
    role: "assistant",
    model: asked.model,
    stop_sequence: null,
    usage,
  };
  const block =
    tool === undefined
      ? { type: "text", text: "Done." }
      : { type: "tool_use", id: `toolu_${call.id}`, name: tool.name, input: call.input };
  const stop_reason = tool === undefined ? "end_turn" : "tool_use";
  if (asked.stream !== true) return sendJson(response, { ...message, content: [block], stop_reason });
  const send = eventStream(response);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  if (tool === undefined) {
    send("content_block_start", { index: 0, content_block: { type: "text", text: "" } });
    send("content_block_delta", { index: 0, delta: { type: "text_delta", text: block.text } });
  } else {
    send("content_block_start", { index: 0, content_block: { ...block, input: {} } });
    send("content_block_delta", {
      index: 0,
      delta: { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
    });
  }
  send("content_block_stop", { index: 0 });
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
  send("message_stop", {});
  response.end();
}

function responsesAnswer({ url, asked, response, requests }) {
  if (!url.includes("/responses")) return response.writeHead(404).end();
  const results = (asked.input ?? [])
    .filter(({ type, call_id }) => type === "function_call_output" && call_id.startsWith("call_bough"))
    .map(({ output }) => JSON.stringify(output));
  requests.push({ results, tools: (asked.tools ?? []).map(({ name, type }) => name ?? type) });
  const { call, tool } = nextCall(asked.tools, { results, requests, waits: "list_mcp_resources" });
  const content = [{ type: "output_text", text: "Done.", annotations: [] }];
  const item =
    tool === undefined
      ? { type: "message", id: "msg_1", role: "assistant", status: "completed", content }
      : {
          type: "function_call",
          id: `fc_${call.id}`,
          call_id: `call_${call.id}`,
          ...tool,
          arguments: JSON.stringify(call.input),
        };
  const send = eventStream(response);
  send("response.created", { response: { id: "resp_1" } });
  send("response.output_item.done", { output_index: 0, item });
  send("response.completed", {
    response: { id: "resp_1", usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } },
  });
  response.end();
}

async function tryClient(client, given) {
  const program = installedProgram({ program: given, packages: client.packages, command: client.command });
  const home = mkdtempSync(join(tmpdir(), "bough-mcp-"));
  const cwd = join(home, "project");
  for (const folder of [cwd, join(home, ".codex")]) mkdirSync(folder, { recursive: true });
  const server = await modelServer(client.answer);
  try {
    writeHistory(home, cwd);
    client.prepare?.(home, server.address);
    const env = { PATH: program.path, HOME: home, ...client.environment(home, server.address) };
    const bough = [process.execPath, MAIN, "mcp"];
    const added = spawnSync(program.file, client.configure(home, bough), { cwd, env, encoding: "utf8" });
    if (added.status !== 0) throw new Error(`${client.title} did not take the server: ${added.stderr}`);
    const said = await finished(spawn(program.file, client.run, { cwd, env, stdio: ["ignore", "pipe", "pipe"] }));
    const last = server.requests.at(-1) ?? { results: [], tools: [] };
    let failed = 0;
    for (const [at, { tool, expects }] of CALLS.entries()) {
      const result = last.results[at] ?? "";
      const isThere = result.includes(expects);
      if (!isThere) failed += 1;
      console.log(
        `${isThere ? "answered" : "FAILED  "}  ${program.version.padEnd(24)}  ${tool}  ${result.slice(0, 120)}`,
      );
    }
    if (failed > 0) console.log(`tools: ${last.tools.join(", ")}\n${said.slice(-1_500)}`);
    return failed;
  } finally {
    server.close();
    program.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function finished(child) {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += chunk;
    });
  }
  const stop = setTimeout(() => child.kill(), LONGEST_RUN);
  return new Promise((resolve) => {
    child.on("exit", () => {
      clearTimeout(stop);
      resolve(text);
    });
  });
}

const { values } = parseArgs({ options: { claude: { type: "string" }, codex: { type: "string" } } });
let failed = 0;
for (const [client, given] of [
  [claude, values.claude],
  [codex, values.codex],
]) {
  try {
    failed += await tryClient(client, given);
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    console.error(error.message);
    failed += 1;
  }
}
process.exit(failed === 0 ? 0 : 1);
