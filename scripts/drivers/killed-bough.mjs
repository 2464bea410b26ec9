// A Bough that `kill-runs.mjs` kills: takes prompts on its input, and notes everything it shows before it goes on. After
// each start, it moves to before the last turn and back, so that files are compared with what the session has of them.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { acpDriver, createAgentSession } from "../../dist/agent/index.js";
import { knownAgent } from "../../dist/driver/index.js";
import { SessionManager } from "../../dist/session/index.js";

const { name, file, cwd, home, shownFile, options } = JSON.parse(process.argv[2]);
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const note = (value) => appendFileSync(shownFile, `${JSON.stringify(value)}\n`);

const driver = acpDriver({ ...knownAgent(name), ...options });
let pid;
const agent = await createAgentSession({
  session: SessionManager.open(file),
  cwd,
  files: { home, onMove: "follow" },
  permissions: "auto",
  driver: {
    ...driver,
    open: async (given) => {
      const open = await driver.open(given);
      pid = open.process.pid;
      return open;
    },
  },
});
agent.subscribe((event) => {
  if (event.type === "prompt_sent") {
    note({ sent: true });
    say({ process: pid });
  }
  if (event.type === "message_update" && event.part === "text") note({ text: event.delta });
  if (event.type === "tool_start") note({ call: event.toolCallId });
  if (event.type === "tool_end") note({ result: event.toolCallId });
});

/** The files as they are; those of the leaf must be the same after moving away and back. */
async function filesProblems() {
  const read = () =>
    ["a.txt", "b.txt"].map((one) => (existsSync(join(cwd, one)) ? readFileSync(join(cwd, one), "utf8") : null));
  const { session } = agent;
  const leaf = session.getLeafId();
  const prompt = session.getBranch().findLast(({ type, message }) => type === "message" && message.role === "user");
  if (leaf === null || prompt?.parentId == null) return [];
  const before = read();
  await agent.navigateTree(prompt.parentId);
  await agent.navigateTree(leaf);
  const after = read();
  return JSON.stringify(before) === JSON.stringify(after)
    ? []
    : [`files differ after moving away and back: ${JSON.stringify(before)} became ${JSON.stringify(after)}`];
}

say({ opened: true, files: await filesProblems() });
for await (const line of createInterface({ input: process.stdin })) {
  const outcome = await agent.prompt(JSON.parse(line).prompt);
  say({ outcome: outcome.kind, why: outcome.failure?.message });
}
await agent.dispose();
