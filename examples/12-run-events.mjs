// Follows a run event by event, and stops another one with a limit.
// Prints the tools and the outcomes.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentSession } from "bough/agent";
import { SessionManager } from "bough/session";

const cwd = mkdtempSync(join(tmpdir(), "bough-example-"));
writeFileSync(join(cwd, "notes.txt"), "buy milk\n");
const agent = await createAgentSession({ session: SessionManager.create(cwd, join(cwd, "sessions")) });

for await (const event of agent.run("list the files and read notes.txt")) {
  if (event.type === "tool_start") console.log("tool:", event.toolName);
  if (event.type === "run_end") console.log("outcome:", event.outcome.kind);
}

// One step is the call of a tool; the answer would be the second.
const outcome = await agent.prompt("read notes.txt", { limits: { steps: 1 } });
console.log("outcome:", outcome.kind, outcome.limit);
await agent.dispose();
