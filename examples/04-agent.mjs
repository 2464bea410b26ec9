// An agent without a key: a turn, a move back with a summary, another turn, a comparison, an export. Run `npm run build` once before.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createAgentSession } from "bough/agent";
import { SessionManager } from "bough/session";

const cwd = mkdtempSync(join(tmpdir(), "bough-example-"));
writeFileSync(join(cwd, "notes.txt"), "buy milk\n");

const agent = await createAgentSession({ session: SessionManager.create(cwd, join(cwd, "sessions")) });
agent.subscribe((event) => event.type === "tool_start" && console.log("tool:", event.toolName, event.input));

await agent.prompt("What is in this folder?");
const listed = agent.session.getLeafId();

const question = agent.session.getBranch().find((entry) => entry.type === "message");
const { summaryEntry } = await agent.navigateTree(question.id, { summarize: true });
console.log(summaryEntry.summary);

await agent.prompt("Read notes.txt");
const { a, b } = agent.compare(listed, agent.session.getLeafId());
for (const side of [a, b]) console.log("branch:", side.totals.toolCalls, "tool call,", side.steps.at(-1).prompt);

const { file, entries } = await agent.exportBranch(agent.session.getLeafId(), {
  scope: "path",
  file: join(cwd, "branch.jsonl"),
});
console.log("exported:", entries, "entries to", basename(file));
await agent.dispose();
