/**
 * Uses `AgentSdkStore` through the Claude Agent SDK itself, beside the SDK's own in-memory store:
 *
 *     npm run build && node scripts/agent-sdk-store.mjs [folder with the SDK installed]
 *
 * Installs the SDK into a temporary folder: with its programs for each platform it is too large to be a dependency.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentSdkStore, initStore, openStore } from "../dist/store/index.js";
import { CONTRACT, STRICTER } from "./agent-sdk/contract.mjs";

const home = mkdtempSync(join(tmpdir(), "bough-agent-sdk-"));
try {
  const installed = process.argv[2] ?? install(join(home, "sdk"));
  const require = createRequire(join(installed, "package.json"));
  const sdk = await import(pathToFileURL(require.resolve("@anthropic-ai/claude-agent-sdk")).href);
  checkTypes(installed);
  const addresses = [join(home, "folder"), join(home, "remote.git")];
  execFileSync("git", ["init", "-q", "--bare", addresses[1]]);
  if (process.env.BOUGH_POSTGRES) addresses.push(process.env.BOUGH_POSTGRES);
  await run("the SDK's store in memory", () => new sdk.InMemorySessionStore(), CONTRACT);
  for (const address of addresses) {
    await initStore(address);
    const store = await openStore(address, { home });
    const checks = { ...CONTRACT, ...STRICTER, ...functionsOf(sdk) };
    await run(store.kind, () => new AgentSdkStore(store), checks);
    const { foldSessionSummary } = sdk;
    await run(`${store.kind} with summaries`, () => new AgentSdkStore(store, { foldSessionSummary }), functionsOf(sdk));
    await store.close();
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}

function install(folder) {
  const words = ["install", "--ignore-scripts", "--omit=optional", "--no-audit", "--no-fund", "--prefix", folder];
  execFileSync("npm", [...words, "@anthropic-ai/claude-agent-sdk"], { stdio: "inherit" });
  return folder;
}

/** Checks that the compiler accepts the adapter as a `SessionStore`. */
function checkTypes(installed) {
  const file = join(home, "check.mts");
  const door = join(import.meta.dirname, "../dist/store/index.js");
  const types = join(installed, "node_modules/@anthropic-ai/claude-agent-sdk/sdk.js");
  writeFileSync(
    file,
    `import type { SessionStore } from ${JSON.stringify(types)};\nimport type { AgentSdkStore } from ${JSON.stringify(door)};\nexport const check = (store: AgentSdkStore): SessionStore => store;\n`,
  );
  const words = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2023", file];
  execFileSync(join(import.meta.dirname, "../node_modules/.bin/tsc"), words, { stdio: "inherit", cwd: home });
  console.log("types: AgentSdkStore is a SessionStore");
}

async function run(name, newStore, checks) {
  for (const [what, check] of Object.entries(checks)) {
    await check(newStore());
    console.log(`${name}: ${what}`);
  }
}

/** The SDK's functions about sessions, run on a store. */
function functionsOf({ listSessions, getSessionMessages, renameSession, forkSession, deleteSession, listSubagents }) {
  return {
    "lists, reads, renames, forks and deletes through the SDK's functions": async (sessionStore) => {
      const dir = home;
      const sessionId = randomUUID();
      const base = { sessionId, cwd: dir, version: "2.1.0", isSidechain: false, timestamp: new Date().toISOString() };
      const [a, b] = [randomUUID(), randomUUID()];
      const talk = [
        { ...base, type: "user", uuid: a, parentUuid: null, message: { role: "user", content: "Plant a tree" } },
        {
          ...base,
          type: "assistant",
          uuid: b,
          parentUuid: a,
          message: { id: "m", type: "message", role: "assistant", content: [{ type: "text", text: "Which one?" }] },
        },
      ];
      const projectKey = dir.replace(/[^a-zA-Z0-9]/g, "-");
      await sessionStore.append({ projectKey, sessionId }, talk);
      await sessionStore.append({ projectKey, sessionId, subpath: "subagents/agent-a1" }, [
        { ...talk[0], agentId: "a1", isSidechain: true },
      ]);
      const options = { dir, sessionStore };
      const listed = async () => (await listSessions(options)).find((one) => one.sessionId === sessionId);
      assert.equal((await listed()).summary, "Plant a tree");
      const messages = await getSessionMessages(sessionId, options);
      assert.deepEqual(
        messages.map((one) => one.uuid),
        [a, b],
      );
      assert.deepEqual(await listSubagents(sessionId, options), ["a1"]);
      await renameSession(sessionId, "Forestry", options);
      assert.equal((await listed()).customTitle, "Forestry");
      const fork = await forkSession(sessionId, options);
      assert.equal((await getSessionMessages(fork.sessionId, options)).length, 2);
      await deleteSession(sessionId, options);
      assert.equal(await listed(), undefined);
    },
  };
}
