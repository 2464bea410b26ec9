/**
 * One process that is killed while its tools run: an agent in a folder of random files works through random steps and is
 * killed at a random moment. Then the session is opened again. Going back to the prompt must give the folder as it was in
 * the beginning, and forward again as the kill left it: no step is lost, and no folder is in between.
 *
 * @typedef {{ fault?: string, inTool: boolean, records: number }} ToolKillRun
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAgentSession } from "../../dist/agent/index.js";
import { SessionManager } from "../../dist/session/index.js";
import { createTools } from "../../dist/tool/index.js";

const CHILD = fileURLToPath(new URL("killed-tool.mjs", import.meta.url));
const PATHS = ["a.txt", "b.txt", "c.txt", "d/a.txt", "d/b.txt", "e/f/g.txt"];

/**
 * @param {string} folder an empty one
 * @param {() => number} random from 0 to 1
 * @returns {Promise<ToolKillRun>}
 */
export async function toolKillRun(folder, random) {
  const [root, home, sessions] = ["root", "home", "sessions"].map((name) => join(folder, name));
  for (const made of [root, home, sessions]) mkdirSync(made);
  const write = (path, text) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of PATHS.slice(0, 4)) if (random() < 0.8) write(path, `start of ${path}\n`);
  if (random() < 0.5) {
    const git = (...args) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: root });
    git("init", "--quiet");
    if (random() < 0.7) git("add", "-A");
    git("commit", "--quiet", "--allow-empty", "-m", "start");
    if (random() < 0.7) write("a.txt", "changed since the commit\n");
  }
  write("untracked.txt", "in no commit\n");
  const start = picture(root);

  const session = SessionManager.create(root, sessions);
  session.appendSessionInfo("killed");
  const file = session.getSessionFile();
  session.close();
  const steps = Array.from({ length: 4 }, () => randomCalls(random));
  const child = spawn(process.execPath, [CHILD, file, root, home, JSON.stringify(steps)], { stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  // From the first change on: before it nothing can be lost.
  const isAtWork = () => child.exitCode === null && picture(root) === start;
  while (isAtWork()) await pause(5);
  await pause(random() * 400);
  child.kill("SIGKILL");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");

  const told = [];
  const agent = await createAgentSession({
    session: SessionManager.open(file),
    registry: { all: () => [], available: () => [] },
    model: { info: MODEL, stream: () => undefined },
    tools: createTools(),
    cwd: root,
    outputDir: home,
    files: { home, onRunning: async () => "stop" },
  });
  const inTool = agent.session.getEntries().at(-1) !== undefined && hasTool(agent.session);
  agent.subscribe((event) => event.type === "notice" && event.level !== "info" && told.push(event.message));
  const fault = errors === "" ? await faultOf({ agent, root, start }).catch(String) : errors;
  const records = agent.session.getEntries().filter((entry) => entry.customType === "bough.files").length;
  await agent.dispose();
  return { inTool, records, ...(fault === undefined ? {} : { fault: [fault, ...told].join("; ") }) };
}

const MODEL = { provider: "none", id: "none", name: "none", api: "offline", contextWindow: 1000, maxOutput: 10 };

function hasTool(session) {
  return session.getEntries().some((entry) => entry.type === "message" && entry.message.role === "assistant");
}

async function faultOf({ agent, root, start }) {
  const prompt = agent.session.getEntries().find((entry) => entry.message?.role === "user");
  if (prompt === undefined) return picture(root) === start ? undefined : "changed before the prompt was stored";
  // What changed when no one looked is recorded before the conversation continues, and so is whatever a kill left.
  await agent.planFiles(prompt.id);
  const left = picture(root);
  const back = await agent.navigateTree(prompt.id, { files: "follow" });
  if (picture(root) !== start) return `back: ${difference(start, picture(root))} ${JSON.stringify(back.files)}`;
  const forward = await agent.undoMove({ files: "follow" });
  if (picture(root) !== left) return `forward: ${difference(left, picture(root))} ${JSON.stringify(forward.files)}`;
  return undefined;
}

function randomCalls(random) {
  const path = () => PATHS[Math.floor(random() * PATHS.length)];
  const text = () => `text ${Math.floor(random() * 1000)}\n`;
  const commands = [
    () => `mkdir -p d e/f; printf '${text().trim()}\\n' > ${path()}`,
    () => `rm -f ${path()} untracked.txt`,
    () => `mkdir -p d e/f; for i in 1 2 3 4 5; do echo $i > new-$i.txt; sleep 0.02; done; rm -f new-3.txt`,
    () => `mkdir -p d e/f; [ -e a.txt ] && mv a.txt e/f/moved.txt; sleep 0.05; echo again > a.txt`,
    () => `rm -rf d; sleep 0.03; mkdir d; echo new > d/new.txt`,
    () => `sleep 0.1; chmod +x b.txt 2>/dev/null; sleep 30`,
  ];
  const call = () =>
    random() < 0.3
      ? { name: "write", arguments: { path: path(), content: text() } }
      : { name: "bash", arguments: { command: commands[Math.floor(random() * commands.length)]() } };
  return Array.from({ length: random() < 0.3 ? 2 : 1 }, call);
}

/** Every file with its content; what Bough does not follow is not in it. */
function picture(root, folder = "") {
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      if (name === ".git") return [];
      try {
        const stats = statSync(join(root, path));
        if (stats.isDirectory()) return picture(root, path);
        return [
          `${path} ${stats.mode & 0o100 ? "x" : "-"} ${JSON.stringify(readFileSync(join(root, path), "utf8"))}\n`,
        ];
      } catch {
        // Gone since the folder was listed: the command is still at work.
        return [];
      }
    })
    .join("");
}

function difference(a, b) {
  const [before, after] = [a.split("\n"), b.split("\n")];
  const gone = before.filter((line) => !after.includes(line)).map((line) => `-${line}`);
  return [...gone, ...after.filter((line) => !before.includes(line)).map((line) => `+${line}`)].join(" ");
}
