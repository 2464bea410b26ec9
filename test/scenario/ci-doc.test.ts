/** docs/ci.md: its examples do what the page says, as processes, against a scripted model server. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROTOCOLS, type Spoken } from "@bough/agent/model/wire-protocols.test-support.js";
import { type WireReply, type WireServer, wireServer } from "@bough/agent/model/wire-server.test-support.js";
import { EXITS, type ExitReason } from "@bough/program/cli/exit-codes.js";
import { describe, expect, test } from "vitest";
import { afterTest } from "../support/after-test.js";
import { tempFolder } from "../support/temp-folder.js";
import { conversation, makePlace, type Place, PROGRAM, sessionFiles, theOnly } from "./cli-support.js";

const page = readFileSync(fileURLToPath(new URL("../../docs/ci.md", import.meta.url)), "utf8");

/** The code blocks of a section. */
function blocks(heading: string, language: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(
    ([, text = ""]) => text,
  );
}

/** The text below a key, without its indentation. */
function below(lines: readonly string[], at: number): string[] {
  const indent = /^ */.exec(lines[at] ?? "")?.[0].length ?? 0;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.trim() !== "" && (/^ */.exec(line)?.[0].length ?? 0) <= indent);
  const inner = end === -1 ? rest : rest.slice(0, end);
  const least = Math.min(
    ...inner.filter((line) => line.trim() !== "").map((line) => /^ */.exec(line)?.[0].length ?? 0),
  );
  return inner.map((line) => line.slice(least));
}

interface Example {
  /** What the runner hands to a shell, without installing. */
  readonly script: string;
  readonly installs: readonly string[];
}

/** A step after the other, as `bash -e` runs each of them; the runner stops at the first that fails. */
function githubExample(): Example {
  const [yaml = ""] = blocks("GitHub Actions", "yaml");
  const lines = yaml.split("\n");
  const steps = lines.flatMap((line, at) => {
    const [, inline] = /^\s+run: (.*)$/.exec(line) ?? [];
    if (inline === undefined) return [];
    return [inline === "|" ? below(lines, at).join("\n") : inline];
  });
  const installs = steps.filter((step) => step.startsWith("npm install"));
  return { script: steps.filter((step) => !installs.includes(step)).join("\n"), installs };
}

function gitlabExample(): Example {
  const [yaml = ""] = blocks("GitLab CI", "yaml");
  const lines = yaml.split("\n");
  const steps = below(
    lines,
    lines.findIndex((line) => /^\s+script:$/.test(line)),
  )
    .filter((line) => line !== "")
    .map((line) => line.replace(/^- /, ""));
  const installs = steps.filter((step) => step.startsWith("npm install"));
  return { script: steps.filter((step) => !installs.includes(step)).join("\n"), installs };
}

const EXAMPLES = [
  ["GitHub Actions", githubExample()],
  ["GitLab CI", gitlabExample()],
] as const;

const anthropic = PROTOCOLS.find(({ api }) => api === "anthropic-messages") as (typeof PROTOCOLS)[number];
const speaks = (spoken: Spoken): WireReply => ({ frames: anthropic.frames(spoken), after: "end" });
const says = (text: string) => speaks({ parts: [{ text }], stop: "stop" });
const calls = (name: string, input: object) =>
  speaks({ parts: [{ call: "call_1", name, input: JSON.stringify(input) }], stop: "toolUse" });
/** An answer that costs nine dollars. */
const expensive = (reply: WireReply): WireReply =>
  "frames" in reply
    ? { ...reply, frames: reply.frames.map((frame) => frame.replace('"output_tokens":9', '"output_tokens":900000')) }
    : reply;
const REVIEW = { summary: "One bug.", bugs: [{ file: "app.js", line: 1, what: "It logs the wrong word." }] };

interface Runner extends Place {
  readonly server: WireServer;
  readonly summary: string;
  /** Has the process ID of `bough` once it runs. */
  readonly pid: string;
}

/** A checkout as a runner makes it, with a change on a branch, and `bough` on the path. */
async function runner({ key = "test-key" }: { readonly key?: string | undefined } = {}): Promise<Runner> {
  const server = await wireServer();
  afterTest(() => server.close());
  const settings = {
    retry: { maxRetries: 0 },
    models: { providers: { anthropic: { baseUrl: `${server.origin}/v1` } } },
  };
  const place = makePlace({ settings });
  const bin = join(tempFolder(), "bin");
  mkdirSync(bin);
  const pid = join(bin, "pid");
  const command = `#!/bin/sh\necho $$ > "${pid}"\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeFileSync(join(bin, "bough"), command, { mode: 0o755 });
  const summary = join(bin, "summary.md");
  const env = {
    ...place.env,
    PATH: `${bin}:${process.env.PATH}`,
    CI: "true",
    // The runner fills these in.
    ANTHROPIC_API_KEY: key,
    BASE: "origin/main",
    GITHUB_STEP_SUMMARY: summary,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
  };
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: place.cwd,
      env: { ...env, GIT_CONFIG_NOSYSTEM: "1" },
      stdio: "pipe",
    });
  const [schema = ""] = blocks("GitHub Actions", "json");
  writeFileSync(join(place.cwd, "review.schema.json"), schema);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "start");
  git("remote", "add", "origin", place.cwd);
  git("fetch", "-q", "origin");
  git("switch", "-q", "-c", "change");
  writeFileSync(join(place.cwd, "app.js"), "console.log('goodbye');\n");
  git("commit", "-q", "-a", "-m", "change");
  return { ...place, env, server, summary, pid };
}

/** Runs the script as a runner does. `meanwhile` gets the group of its processes. */
async function runScript(place: Runner, script: string, meanwhile: (group: number) => Promise<void> = async () => {}) {
  const shell = spawn("bash", ["-e", "-c", script], { cwd: place.cwd, env: place.env, detached: true });
  let stderr = "";
  shell.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  shell.stdout.resume();
  shell.stdin.end();
  const closed = once(shell, "close");
  await meanwhile(shell.pid as number);
  const [code] = (await closed) as [number | null];
  return { code, stderr };
}

/** What the example kept. */
function resultOf({ cwd }: Place): Record<string, unknown> {
  const text = readFileSync(join(cwd, "review.json"), "utf8");
  expect(text.trimEnd().split("\n")).toHaveLength(1);
  return JSON.parse(text) as Record<string, unknown>;
}

async function endsWith(place: Runner, script: string, reason: ExitReason) {
  const { code, stderr } = await runScript(place, script);
  const result = resultOf(place);
  expect({ code, stderr, result }).toMatchObject({
    code: EXITS[reason].code,
    result: { exitReason: reason, exitCode: EXITS[reason].code },
  });
  return { result, stderr };
}

test("the page has the exit codes of the program, in its order", () => {
  const rows = [...page.matchAll(/^\| (\d+) \| `([a-z-]+)` \| (.*) \|$/gm)].map(([, code, reason, meaning]) => [
    reason,
    { code: Number(code), meaning },
  ]);
  expect(rows).toEqual(Object.entries(EXITS));
});

test("everything in an example is run but what installs the program", () => {
  for (const [, { installs, script }] of EXAMPLES) {
    expect(installs).toHaveLength(1);
    expect(script).toMatch(/bough -p .*--schema review\.schema\.json/s);
  }
});

describe.each(EXAMPLES)("the example for %s", (_name, { script }) => {
  test("ends with 0 and keeps a review of the change", async () => {
    const place = await runner();
    place.server.reply(calls("read", { path: "app.js" }), calls("final_answer", REVIEW));
    const { result } = await endsWith(place, script, "success");
    const file = theOnly(sessionFiles(place));
    expect(result).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      ...{ exitReason: "success", exitCode: 0, answer: "", output: REVIEW },
      usage: { steps: 2, input: 24, output: 18, cacheRead: 100, cacheWrite: 200, tokens: 342 },
      cost: expect.closeTo(0.000_748, 6),
      denials: [],
      sessionId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      ...{ sessionFile: file, model: "anthropic/claude-sonnet-5" },
      durationMs: expect.any(Number),
    });
    const [prompt] = await conversation(file);
    expect(prompt).toContain("-console.log('hello');\n+console.log('goodbye');");
    if (script.includes("GITHUB_STEP_SUMMARY")) expect(readFileSync(place.summary, "utf8")).toBe("One bug.\n");
  });

  test("ends with the code for a refused tool, and has the review all the same", async () => {
    const place = await runner();
    place.server.reply(calls("bash", { command: "touch made.txt" }), calls("final_answer", REVIEW));
    const { result, stderr } = await endsWith(place, script, "refused-tool");
    expect(result).toMatchObject({ output: REVIEW, denials: [{ toolCallId: "call_1", toolName: "bash" }] });
    expect(stderr).toContain("bough: 1 tool call was refused (bash)\n");
  });

  test("ends with the code for a failed model", async () => {
    const place = await runner();
    place.server.reply({ status: 500, body: anthropic.failure(500, "out of order", "api_error") });
    const { result, stderr } = await endsWith(place, script, "model-failed");
    expect(result).toMatchObject({
      answer: null,
      error: { code: "server", message: expect.stringContaining("(500)") },
    });
    expect(stderr).toContain("out of order");
  });

  test.each([
    ["not set", undefined],
    ["empty, as for a fork", ""],
  ])("ends with the code for a missing key: %s", async (_how, key) => {
    const place = await runner({ key });
    if (key === undefined) delete (place.env as Record<string, unknown>).ANTHROPIC_API_KEY;
    const { result, stderr } = await endsWith(place, script, "no-model");
    expect(result).toMatchObject({ error: { code: "no-key", message: "No key for anthropic" } });
    expect(stderr).toContain("ANTHROPIC_API_KEY");
    expect(place.server.requests).toEqual([]);
  });

  test("ends with the code for a budget that is used up", async () => {
    const place = await runner();
    place.server.reply(expensive(calls("read", { path: "app.js" })), calls("final_answer", REVIEW));
    const { result, stderr } = await endsWith(place, script, "limit-reached");
    expect(result).toMatchObject({ limit: "dollars", cost: expect.closeTo(9, 0), usage: { steps: 1 } });
    expect(stderr).toContain("bough: Stopped after $0.5, the limit for one run\n");
    expect(place.server.requests).toHaveLength(1);
  });

  test("ends with the code for a schema that no answer met", async () => {
    const place = await runner();
    place.server.reply(
      says("Looks fine to me."),
      calls("final_answer", { summary: "x" }),
      calls("final_answer", { summary: 1, bugs: [] }),
      calls("final_answer", REVIEW),
    );
    const { result } = await endsWith(place, script, "schema-not-met");
    expect(result).toMatchObject({ answer: null, error: { code: "no-output" }, usage: { steps: 3 } });
    expect(Object.hasOwn(result, "output")).toBe(false);
  });

  test("ends with the code for a schema that is not one, before anything is sent", async () => {
    const place = await runner();
    writeFileSync(join(place.cwd, "review.schema.json"), '{ "type": "review" }');
    const { result, stderr } = await endsWith(place, script, "usage-error");
    expect(result).toMatchObject({ error: { code: "wrong-usage" }, sessionFile: null });
    expect(stderr).toContain("bough: --schema: review.schema.json: ");
    expect(place.server.requests).toEqual([]);
  });

  test.each([
    ["SIGINT", "interrupted", "everything the runner started"],
    ["SIGTERM", "terminated", "the program"],
  ] as const)("ends with the code for %s, %s, sent to %s, and the session is valid", async (signal, reason, _to) => {
    const place = await runner();
    place.server.reply({
      frames: anthropic.frames({ parts: [{ text: "Let me" }], stop: "stop" }).slice(0, 2),
      after: "wait",
    });
    const { code } = await runScript(place, script, async (group) => {
      await place.server.asked(1);
      process.kill(signal === "SIGINT" ? -group : Number(readFileSync(place.pid, "utf8")), signal);
    });
    const { code: exitCode } = EXITS[reason];
    expect([code, resultOf(place)]).toMatchObject([exitCode, { exitReason: reason, exitCode, answer: null }]);
    expect((await conversation(theOnly(sessionFiles(place))))[0]).toContain("Review this diff.");
  });
});
