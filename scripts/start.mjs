// `npm start`: builds if needed, makes `npx bough` work here, makes a small session with the library and prints its tree.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

buildIfNeeded();
await import("./link-command.mjs");
const { SessionManager } = await import("bough/session");
const folder = mkdtempSync(join(tmpdir(), "bough-start-"));
const file = makeDemo(folder);

const session = SessionManager.open(file, undefined, { readOnly: true });
console.log(`${session.getSessionName()}\n\n${drawTree(session).join("\n")}\n`);
console.log(`What a model would be shown here: ${session.buildSessionContext().messages.length} messages`);
session.close();

console.log(`
The agent is there too, without a screen yet. Here it needs no key:
  npx bough -p "what is in this folder?"
  npx bough -p --continue "read README.md"
  npx bough --help
To build on it:
  node examples/01-session-tree.mjs    a tree in a few lines of your own
  node examples/04-agent.mjs           an agent that moves in its tree
  docs/tree.md                         moving, summaries, merging, comparing
The session above is one file with one line for each entry:
  ${file}`);

function buildIfNeeded() {
  const built = join(root, "dist", "session", "index.js");
  if (process.env.BOUGH_KEEP_BUILD === "1" && existsSync(built)) return;
  const newest = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .reduce((latest, item) => Math.max(latest, statSync(join(item.parentPath, item.name)).mtimeMs), 0);
  if (existsSync(built) && statSync(built).mtimeMs >= newest) return;
  console.log("Building …");
  execFileSync(process.execPath, [join(root, "scripts", "build.mjs")], { stdio: "inherit" });
}

function makeDemo(directory) {
  const demo = SessionManager.create(directory, directory);
  const ask = (content) => demo.appendMessage({ role: "user", content, timestamp: Date.now() });
  const answer = (text) => demo.appendMessage(assistantMessage(text));
  demo.appendSessionInfo("A session with three attempts");
  ask("Build a command line for notes");
  const question = answer("Which parser should it use?");
  const byHand = ask("Write one by hand");
  answer("Done: 300 lines and four open bugs");
  demo.branchWithSummary(question, "A hand-written parser works, but quoting stays broken.");
  const library = ask("Then use a library");
  answer("Done: 40 lines, all tests pass");
  demo.appendLabelChange(library, "keep this");
  demo.appendCompaction("Notes has a command line that uses a parser library.", library, 1200);
  ask("Now add colours");
  const colours = answer("Colours are in");
  demo.branch(question);
  ask("What about no parser at all?");
  answer("Works for two options, not for five");
  demo.appendLabelChange(byHand, "dead end");
  demo.branch(colours);
  demo.close();
  return demo.getSessionFile();
}

function assistantMessage(text) {
  const usage = { input: 10, output: 10, cacheRead: 0, cacheWrite: 0, totalTokens: 20 };
  const origin = { api: "demo", provider: "demo", model: "none" };
  const content = [{ type: "text", text }];
  return { role: "assistant", content, ...origin, usage, stopReason: "stop", timestamp: Date.now() };
}

// Drawn here in plain text only because the view room, the one place that draws trees, is not built yet.
function drawTree(source) {
  const leaf = source.getLeafId();
  const lines = [];
  const waiting = source.getTree().map((node) => ({ node, first: "", rest: "" }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { node, first, rest } = next;
    const text = describe(node.entry);
    const name = node.label === undefined ? "" : `  [${node.label}]`;
    if (text !== undefined) lines.push(`${first}${text}${name}${node.entry.id === leaf ? "   <- you are here" : ""}`);
    const { children } = node;
    const below = children.map((child, at) => {
      if (children.length === 1) return { node: child, first: text === undefined ? first : rest, rest };
      const last = at === children.length - 1;
      return { node: child, first: `${rest}${last ? "└─ " : "├─ "}`, rest: `${rest}${last ? "   " : "│  "}` };
    });
    waiting.unshift(...below);
  }
  return lines;
}

function describe(entry) {
  if (entry.type === "message") {
    const { role, content } = entry.message;
    return `${role === "user" ? "you:" : "agent:"} ${typeof content === "string" ? content : content[0].text}`;
  }
  if (entry.type === "branch_summary") return `(brought back: ${entry.summary})`;
  return entry.type === "compaction" ? `(from here on the model sees: ${entry.summary})` : undefined;
}
