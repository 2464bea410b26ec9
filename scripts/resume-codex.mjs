// node scripts/resume-codex.mjs [--program <path>] [--package <name@version>]... [<transcript>...]: writes each
// transcript, from any agent, as a rollout into an empty home, lets the real Codex resume it against a model on
// loopback, and compares what was sent with what was written. Needs a build. Without a program it installs one from the
// package registry into a scratch folder; without transcripts it uses all samples. Exits with 1 if any part of a
// history was missing or out of order.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writerFor, writeTranscript } from "../dist/interop/index.js";
import { installedProgram, ProgramMissing } from "./resume/installed-program.mjs";
import { responsesServer } from "./resume/responses-server.mjs";
import { samples } from "./resume/samples.mjs";
import { tryScreen } from "./resume/try-screen.mjs";

const LONGEST_RUN = 120_000;

function configuration(address) {
  return [
    'model = "gpt-5-codex"',
    'model_provider = "loopback"',
    "[model_providers.loopback]",
    'name = "loopback"',
    `base_url = "${address}/v1"`,
    'wire_api = "responses"',
    "",
  ].join("\n");
}

async function resume(program, { home, cwd, id }) {
  const environment = { PATH: program.path, HOME: home, CODEX_HOME: join(home, ".codex") };
  const options = { cwd, env: environment, stdio: ["ignore", "ignore", "pipe"] };
  const child = spawn(program.file, ["exec", "--skip-git-repo-check", "resume", id, "And now?"], options);
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const stop = setTimeout(() => child.kill(), LONGEST_RUN);
  const code = await new Promise((resolve) => child.on("exit", resolve));
  clearTimeout(stop);
  return { code, errors };
}

/** What the model must be shown: the replacement written by the last compaction, and everything after it. */
function expectedItems(lines) {
  let items = [];
  for (const { type, payload } of [...lines].map((line) => JSON.parse(line))) {
    if (type === "compacted") items = [...(payload.replacement_history ?? [])];
    if (type === "response_item") items.push(payload);
  }
  // Codex 0.166 never sends back an image that it generated, not even from its own files.
  return items.filter(({ type }) => type !== "image_generation_call").map(signOf);
}

/**
 * The program shortens long results in its own way: it keeps the start and the end, and says how much is missing
 * between.
 */
const SHORTENED = /…\d+ (?:tokens|chars|characters) truncated…/;

function isSent(expected, sent) {
  if (expected === sent) return true;
  const [start, end, ...more] = sent.split(SHORTENED);
  // Both are JSON, so whatever follows the text is the same.
  return end !== undefined && more.length === 0 && expected.startsWith(start) && expected.endsWith(end);
}

/** The content of an item, without what the program adds or drops when sending. */
function signOf({ type, role, content, call_id, name, output, summary }) {
  const texts = (Array.isArray(content) ? content : []).map(({ text }) => text);
  return JSON.stringify([type, role, texts, call_id, name, output, type === "reasoning" ? summary : undefined]);
}

/** Undefined if there is nothing to write. */
function planned(request) {
  try {
    return writerFor("codex").planWrite(request);
  } catch (error) {
    if (error.code === "nothing-to-write") return undefined;
    throw error;
  }
}

async function check(program, sample) {
  const home = mkdtempSync(join(tmpdir(), "bough-resume-"));
  const cwd = join(home, "project");
  mkdirSync(join(home, ".codex"), { recursive: true });
  mkdirSync(cwd);
  const server = await responsesServer();
  const opened = await sample.open();
  try {
    writeFileSync(join(home, ".codex", "config.toml"), configuration(server.address));
    const entries = opened.session.getBranch();
    const plan = planned({ entries, cwd, places: { home }, now: () => new Date(), newId: randomUUID });
    if (plan === undefined) return "skipped";
    writeTranscript(plan);
    const { code, errors } = await resume(program, { home, cwd, id: plan.sessionId });
    const sent = (server.requests[0]?.input ?? []).map(signOf);
    const expected = expectedItems(plan.lines);
    let at = 0;
    for (const item of sent) if (at < expected.length && isSent(expected[at], item)) at += 1;
    const whole = code === 0 && at === expected.length;
    const facts = `${at} of ${expected.length} items`;
    console.log(`${whole ? "resumed" : "FAILED "}  ${facts.padEnd(24)}  ${sample.from.padEnd(11)}  ${sample.name}`);
    if (!whole) console.log(`         expected  ${expected[at]?.slice(0, 300)}\n${errors.slice(-500)}`);
    return whole ? "resumed" : "failed";
  } finally {
    opened.close();
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function installed() {
  try {
    const packages = values.package ?? ["@openai/codex"];
    return installedProgram({ program: values.program, packages, command: "codex" });
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const options = {
  program: { type: "string" },
  package: { type: "string", multiple: true },
  screen: { type: "boolean" },
};
/** How to start its interactive screen, for `tryScreen`. */
const SCREEN = {
  agent: "codex",
  command: "codex",
  prepare: () => {},
  environment: (home) => ({ CODEX_HOME: join(home, ".codex") }),
  screen: {
    prepare: (home, address, cwd) => {
      const trusted = `[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`;
      writeFileSync(join(home, ".codex", "config.toml"), `${configuration(address)}${trusted}`);
    },
    args: (plan) => ["resume", plan.sessionId],
    footer: /gpt-5-codex/,
  },
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const program = installed();
console.log(program.version);
const counts = { resumed: 0, failed: 0, skipped: 0 };
let isDrawn = true;
try {
  isDrawn = await tryScreen(SCREEN, program, responsesServer);
  for (const sample of values.screen ? [] : await samples(positionals)) counts[await check(program, sample)] += 1;
} finally {
  program.close();
}
if (!values.screen) {
  console.log(`${counts.resumed} of ${counts.resumed + counts.failed} resumed with their whole history`);
}
process.exit(counts.failed === 0 && isDrawn ? 0 : 1);
