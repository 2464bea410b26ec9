// Runs one turn with the given tool calls on a session file, with files followed, and stays there until it is killed.
// node killed-tool.mjs <session file> <folder> <home> <calls as JSON>
import { createAgentSession } from "../../dist/agent/index.js";
import { SessionManager } from "../../dist/session/index.js";
import { createTools } from "../../dist/tool/index.js";

const [file, cwd, home, given] = process.argv.slice(2);
const info = {
  provider: "scripted",
  id: "script",
  name: "Scripted",
  api: "offline",
  contextWindow: 100_000,
  maxOutput: 1000,
  reasoning: false,
  images: false,
  prices: undefined,
};
/** One list of calls for each step; after the last one it says that it is done. */
const steps = JSON.parse(given);
let step = 0;
const model = {
  info,
  async *stream(_request, { now }) {
    const at = step++;
    const calls = (steps[at] ?? []).map((call, i) => ({ type: "toolCall", id: `call-${at}-${i}`, ...call }));
    yield {
      type: "end",
      message: {
        role: "assistant",
        content: [{ type: "text", text: calls.length === 0 ? "done" : "working" }, ...calls],
        api: info.api,
        provider: info.provider,
        model: info.id,
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 },
        stopReason: calls.length === 0 ? "stop" : "toolUse",
        timestamp: now(),
      },
    };
  },
};
const agent = await createAgentSession({
  session: SessionManager.open(file),
  registry: { all: () => [], available: () => [] },
  model,
  tools: createTools(),
  permit: async () => ({ allowed: true }),
  cwd,
  outputDir: home,
  files: { home },
});
await agent.prompt("go");
process.stdout.write("done\n");
// The one who started it ends it.
setInterval(() => undefined, 1000);
