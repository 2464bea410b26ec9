// Exports a session as Markdown with its secrets masked.
// Prints that the key is not in the file, and the prompt is.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentSession } from "bough/agent";
import { SessionManager } from "bough/session";

const cwd = mkdtempSync(join(tmpdir(), "bough-example-"));
const agent = await createAgentSession({ session: SessionManager.create(cwd, join(cwd, "sessions")) });
const key = `sk-ant-api03-${"a1B2c3D4".repeat(12)}`;
await agent.prompt(`Keep this in mind: ${key}`);

const { file } = await agent.exportSession({ format: "markdown", file: join(cwd, "session.md") });
const text = readFileSync(file, "utf8");
console.log("the key is in the file:", text.includes(key));
console.log("the prompt is in the file:", text.includes("Keep this in mind"));
await agent.dispose();
