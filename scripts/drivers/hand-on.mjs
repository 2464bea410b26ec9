// node scripts/drivers/hand-on.mjs <agent>=<bin>...: one session, handed from agent to agent. The first does a turn;
// each of the others continues from the end of that turn, and then all of them in a row. The model must be sent exactly
// the path each time, and blame must name who wrote each line, and on which prompt. Needs a build.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { acpDriver, createAgentSession } from "../../dist/agent/index.js";
import { traceFile } from "../../dist/checkpoint/index.js";
import { knownAgent } from "../../dist/driver/index.js";
import { SessionManager } from "../../dist/session/index.js";
import { realPlace } from "./real-place.mjs";

const agents = process.argv.slice(2).map((one) => one.split("="));
const root = mkdtempSync(join(tmpdir(), "bough-handed-"));
const [cwd, home] = ["project", "bough"].map((name) => join(root, name));
// `traceFile` looks for sessions where Bough keeps them.
process.env.BOUGH_HOME = home;
const places = new Map();
const failures = [];
for (const [name, bin] of agents) places.set(name, await realPlace(name, bin, { project: cwd }));
const session = SessionManager.create(cwd);

function check(what, seen, wanted) {
  const isSame = JSON.stringify(seen) === JSON.stringify(wanted);
  console.log(`  ${isSame ? "ok" : "FAILED"}  ${what}`);
  if (!isSame) failures.push(`${what}\n    seen   ${JSON.stringify(seen)}\n    wanted ${JSON.stringify(wanted)}`);
}

/** Prompts and answers; agents have names of their own for tools. */
function spokenOn(path) {
  return path.flatMap(({ type, message }) => {
    if (type !== "message" || !["user", "assistant"].includes(message.role)) return [];
    const blocks = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
    return blocks.flatMap((block) => (block.type === "text" ? [[message.role, block.text]] : []));
  });
}

async function say(name, words) {
  const { options, server } = places.get(name);
  const agent = await createAgentSession({
    ...{ session: SessionManager.open(session.getSessionFile()), cwd, files: { home, onMove: "follow" } },
    ...{ driver: acpDriver({ ...knownAgent(name), ...options }), permissions: "auto" },
  });
  try {
    if (words.from !== undefined) await agent.navigateTree(words.from);
    const outcome = await agent.prompt(words.prompt);
    check(`${name}: ${words.prompt}`, outcome.kind, "done");
    if (outcome.kind === "failed") console.log(`        ${outcome.failure.message}`);
    const sent = server.requests.at(-1)?.filter(([kind]) => kind === "user" || kind === "assistant");
    check("  its model was sent exactly the path", sent, spokenOn(agent.session.getBranch()).slice(0, -1));
    return agent.session.getLeafId();
  } finally {
    await agent.dispose();
  }
}

try {
  const [[first], ...others] = agents;
  const start = await say(first, { prompt: `By ${first} RUN<<echo ${first} > a.txt>>` });
  for (const [name] of others) await say(name, { from: start, prompt: `A branch by ${name}` });
  let from = start;
  for (const [name] of others) from = await say(name, { from, prompt: `By ${name} RUN<<echo ${name} >> a.txt>>` });
  if (others.length > 1) await say(first, { from, prompt: "And back" });
  const traced = await traceFile("a.txt", { cwd, home });
  const blamed = traced.lines.map((line) => {
    const step = traced.stepOf(line);
    return [line.text, step?.agent, step?.prompt?.text.split(" RUN")[0]];
  });
  check(
    "blame names the agent and the prompt of each line",
    blamed,
    agents.map(([name]) => [name, name, `By ${name}`]),
  );
  traced.close();
} finally {
  for (const { close } of places.values()) close();
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
for (const failure of failures) console.log(failure);
process.exit(failures.length === 0 ? 0 : 1);
