// node scripts/drivers.mjs [--bin <folder>] [--newest] [<agent>...]: lets the real agents drive a Bough session, against
// a scripted model on loopback, in an empty home. Needs a build. Installs each agent from the package registry into a
// scratch folder, pinned or with --newest; --bin uses the programs of that folder instead. Per agent: two turns with a
// shell command, back before the second one with the files, another prompt, and a second process that continues. Exits
// with 1 if a request at the model was not exactly the path, or a file was not that of the branch.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { parseArgs } from "node:util";
import { acpDriver, createAgentSession } from "../dist/agent/index.js";
import { knownAgent } from "../dist/driver/index.js";
import { SessionManager } from "../dist/session/index.js";
import { AGENTS } from "./drivers/agents.mjs";
import { scriptedServer } from "./drivers/scripted-server.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { bin: { type: "string" }, newest: { type: "boolean", default: false } },
});

function install(packages) {
  const folder = mkdtempSync(join(tmpdir(), "bough-driver-"));
  const names = values.newest ? packages.map((name) => name.replace(/(?<=.)@(?!22)[^@/]*$/, "@latest")) : packages;
  console.log(`Installing ${names.join(" and ")}`);
  const options = ["--no-audit", "--no-fund", "--no-save", "--loglevel", "error"];
  const npm = spawnSync("npm", ["install", "--prefix", folder, ...options, ...names], { encoding: "utf8" });
  if (npm.status !== 0) throw new Error(npm.stderr.trim());
  return folder;
}

/** What the model must be sent for the path to the leaf, in the form of the server. */
function expected(session) {
  return session.getBranch().flatMap((entry) => {
    if (entry.type !== "message") return [];
    const { role, content } = entry.message;
    if (role === "toolResult") return [["result", ""]];
    if (role !== "user" && role !== "assistant") return [];
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return blocks.flatMap((block) => {
      if (block.type === "toolCall") return [["call", block.name]];
      return block.type === "text" ? [[role, block.text]] : [];
    });
  });
}

async function tryAgent(name) {
  const { packages, protocol, shell, prepare, modes } = AGENTS[name];
  const folder = values.bin === undefined ? install(packages) : undefined;
  const bin = values.bin ?? join(folder, "node_modules", ".bin");
  const root = mkdtempSync(join(tmpdir(), "bough-driven-"));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  for (const made of [home, cwd]) mkdirSync(made);
  writeFileSync(join(cwd, "a.txt"), "start\n");
  execFileSync("git", ["init", "--quiet"], { cwd });
  const server = await scriptedServer(protocol, shell);
  const env = {
    HOME: home,
    PATH: [bin, process.env.PATH].join(delimiter),
    ...prepare({ home, cwd, address: server.address }),
  };
  const failures = [];
  const check = (what, seen, wanted) => {
    const same = JSON.stringify(seen) === JSON.stringify(wanted);
    console.log(`  ${same ? "ok" : "FAILED"}  ${what}`);
    if (!same) failures.push(`${what}\n    seen   ${JSON.stringify(seen)}\n    wanted ${JSON.stringify(wanted)}`);
  };
  const read = () => readFileSync(join(cwd, "a.txt"), "utf8");
  const open = (session) =>
    createAgentSession({
      ...{ session, cwd, files: { home: join(root, "bough"), onMove: "follow" } },
      driver: acpDriver({ ...knownAgent(name), ...(modes === undefined ? {} : { modes }), env }),
      permissions: "auto",
    });
  const say = async (agent, prompt) => {
    const began = performance.now();
    const outcome = await agent.prompt(prompt);
    check(`${prompt} (${Math.round(performance.now() - began)} ms)`, outcome.kind, "done");
    if (outcome.kind === "failed") console.log(`        ${outcome.failure.message}`);
    // The last answer is the only part of the path that was not sent.
    check("  the model was sent exactly the path", server.requests.at(-1), expected(agent.session).slice(0, -1));
  };
  console.log(`${knownAgent(name).title}: ${packages.join(", ")}`);
  const agent = await open(SessionManager.create(cwd, join(root, "sessions")));
  try {
    await say(agent, "First RUN<<echo one > a.txt>>");
    const first = agent.session.getLeafId();
    check("  its file", read(), "one\n");
    await say(agent, "Second RUN<<echo two > a.txt>>");
    check("  its file", read(), "two\n");
    await agent.navigateTree(first);
    check("back: the file is that of the first turn", read(), "one\n");
    await say(agent, "Third");
    const version = agent.session.getBranch().find(({ customType }) => customType === "bough.driver")?.data.version;
    console.log(`  version ${version}`);
    await agent.dispose();
    const again = await open(SessionManager.open(agent.session.getSessionFile(), join(root, "sessions")));
    await say(again, "Fourth, tomorrow");
    await again.dispose();
  } finally {
    await agent.dispose();
    server.close();
    for (const made of [root, folder]) if (made !== undefined) rmSync(made, { recursive: true, force: true });
  }
  return failures;
}

let failed = 0;
for (const name of positionals.length > 0 ? positionals : Object.keys(AGENTS)) {
  const failures = await tryAgent(name);
  failed += failures.length;
  for (const failure of failures) console.log(failure);
}
process.exit(failed === 0 ? 0 : 1);
