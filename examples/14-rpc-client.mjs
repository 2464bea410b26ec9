// Starts `bough --mode rpc` and talks to it with the client of bough/rpc.
// Prints the tool that ran, the outcome, and the code of a request that fails.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, RpcError } from "bough/rpc";

const cwd = mkdtempSync(join(tmpdir(), "bough-example-"));
writeFileSync(join(cwd, "notes.txt"), "buy milk\n");
const args = ["--model", "offline/rules", "--session-dir", join(cwd, "sessions")];
const client = await connect({ cwd, args, env: { ...process.env, BOUGH_HOME: join(cwd, "home") } });

client.on("tool_start", ({ toolName, input }) => console.log("tool:", toolName, input.path));
const outcome = await client.request("prompt", { text: "read notes.txt" });
console.log("outcome:", outcome.kind);
try {
  await client.request("navigateTree", { targetId: "nothing" });
} catch (error) {
  console.log("error:", error instanceof RpcError && error.code);
}
await client.close();
