// Moves a conversation with its files, or restores files, and is killed on the way: `prepared` when the conversation has moved
// and no file has, `committed` when there is no way back, `placed` when all files are there.
// node killed-move.mjs <session file> <folder> <home> <entry> <move|restore> <moment>
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [file, cwd, home, entry, what, moment] = process.argv.slice(2);
const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  const isCommit = String(to).endsWith(".commit");
  if (isCommit && moment === "prepared") process.kill(process.pid, "SIGKILL");
  rename(from, to);
  if (isCommit && moment === "committed") process.kill(process.pid, "SIGKILL");
  if (/[\\/]placed[\\/]/.test(String(to)) && moment === "placed") process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
const { createAgentSession } = await import("../../dist/agent/index.js");
const { SessionManager } = await import("../../dist/session/index.js");
const { createTools } = await import("../../dist/tool/index.js");
const info = { provider: "none", id: "none", name: "none", api: "offline", contextWindow: 1000, maxOutput: 10 };
const agent = await createAgentSession({
  session: SessionManager.open(file),
  registry: { all: () => [], available: () => [] },
  model: { info, stream: () => undefined },
  tools: createTools(),
  cwd,
  outputDir: home,
  files: { home },
});
if (what === "move") await agent.switchTo(entry, { files: "follow" });
else await agent.restoreFiles(entry);
await agent.dispose();
