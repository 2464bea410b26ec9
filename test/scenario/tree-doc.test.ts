import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as agent from "@bough/agent/agent/index.js";
import * as plan from "@bough/agent/agent/plan.js";
import { RPC_METHODS } from "@bough/program/cli/rpc/methods/rpc-methods.js";
import { describe, expect, test } from "vitest";
import { makePlace } from "./cli-support.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const page = readFileSync(join(root, "docs", "tree-operations.md"), "utf8");
const samples = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map((match) => match[1] as string);

const BEGIN = `
import { createAgentSession, createModelRegistry, createPermissions, createTools } from "bough/agent";
import { SessionManager } from "bough/session";
const registry = createModelRegistry({ home: process.env.BOUGH_HOME, env: {} });
const agent = await createAgentSession({
  session: SessionManager.inMemory(),
  registry,
  model: registry.resolve("offline/rules"),
  settings: { compaction: { enabled: true, reserveTokens: 1000, keepRecentTokens: 10 }, retry: { maxRetries: 0 } },
  tools: createTools(),
  permit: createPermissions({ mode: "read-only", cwd: process.cwd() }).permit,
  cwd: process.cwd(),
  outputDir: process.env.BOUGH_HOME,
});
await agent.prompt("what is in this folder?");
`;

describe("docs/tree-operations.md", () => {
  test("prints what its comments say, sample after sample", () => {
    const place = makePlace();
    mkdirSync(join(place.cwd, "node_modules"));
    symlinkSync(root, join(place.cwd, "node_modules", "bough"), "dir");
    const program = join(place.cwd, "program.mjs");
    writeFileSync(program, [BEGIN, ...samples, "await agent.dispose();\n"].join("\n"));
    const printed = execFileSync(process.execPath, [program], { cwd: place.cwd, env: place.env, encoding: "utf8" });
    const promised = samples.flatMap((sample) =>
      [...sample.matchAll(/^console\.log\(.*\/\/ (.+)$/gm)].map((match) => match[1]),
    );
    expect(promised.length).toBeGreaterThan(8);
    expect(printed.trimEnd().split("\n")).toEqual(promised);
  });

  test("shows requests that RPC accepts", () => {
    const requests = [...page.matchAll(/^→ (.+)$/gm)].map((match) => JSON.parse(match[1] as string));
    expect(requests.map(({ id }) => id)).toEqual(requests.map((_request, index) => index + 1));
    for (const { method, params } of requests) {
      expect([method, RPC_METHODS.get(method)?.params.safeParse(params ?? {}).error]).toEqual([method, undefined]);
    }
  });

  test("names operations and plans that exist", () => {
    const plans = [...new Set(page.match(/\bplan[A-Z]\w+/g))];
    expect(plans.filter((name) => !(name in plan || name in agent.AgentSession.prototype))).toEqual([]);
    const tables = [...page.matchAll(/^\| (`.+?) \|/gm)].map((match) => match[1] as string).join(" ");
    const operations = [...tables.matchAll(/`(\w+)\(/g)].map((match) => match[1] as string);
    expect(operations.length).toBeGreaterThan(8);
    expect(operations.filter((name) => !(name in agent.AgentSession.prototype))).toEqual([]);
    expect(operations.filter((name) => !RPC_METHODS.has(name))).toEqual([]);
  });

  test("gives the codes of errors as they are", () => {
    for (const code of ["busy", "summary-failed", "summary-cut-off", "not-on-another-branch", "not-a-user-message"]) {
      expect([code, page.includes(`\`${code}\``), code in agent.AGENT_ERROR_CODES]).toEqual([code, true, true]);
    }
  });
});
