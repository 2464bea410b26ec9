// Lets a program resume what Bough writes for it, sample after sample, and reports how much of each history reached the
// model.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openForeign, writerFor, writeTranscript } from "../../dist/interop/index.js";
import { inOrder, partsOfContext, partsOfRequest, unpaired } from "./history.mjs";
import { installedProgram, ProgramMissing } from "./installed-program.mjs";
import { messagesServer } from "./messages-server.mjs";
import { ANSWER } from "./model-server.mjs";
import { samples } from "./samples.mjs";
import { tryScreen } from "./try-screen.mjs";

const PROMPT = "And now?";
const LONGEST_RUN = 120_000;

/**
 * `agent`: the writer's name. `packages`, `command`: what to install, and its command. `prepare(home, address)` writes
 * the program's configuration; `run(plan, prompt)` returns its arguments; `environment(home, address)` its variables;
 * `serve()` starts the model it asks (by default one for the Messages protocol); `continued(home, plan)` returns where
 * the program keeps the session if not in the file that was written. What the program by its own rules does not send is
 * described as for `partsOfContext`. `screen` says how to start its interactive screen, which is drawn first
 * (`tryScreen`); with `--screen` nothing else is done. Exits the process with 0, or with 1 if anything failed.
 */
export async function tryResume(program) {
  const options = {
    program: { type: "string" },
    package: { type: "string", multiple: true },
    screen: { type: "boolean" },
  };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  let installed;
  try {
    const packages = values.package ?? program.packages;
    installed = installedProgram({ program: values.program, packages, command: program.command });
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    console.error(error.message);
    process.exit(1);
  }
  console.log(`${program.command} ${installed.version}`);
  let tried = 0;
  let failed = 0;
  let isDrawn = true;
  try {
    isDrawn = await tryScreen(program, installed, program.serve ?? messagesServer);
    for (const sample of values.screen ? [] : await samples(positionals)) {
      const outcome = await resumeSample(program, installed, sample);
      if (outcome.kind === "skipped") continue;
      tried += 1;
      if (outcome.kind === "failed") failed += 1;
      console.log(`${LABELS[outcome.kind]}  ${outcome.facts.padEnd(24)}  ${sample.from.padEnd(11)}  ${sample.name}`);
      for (const why of outcome.problems) console.log(`         ${why}`);
    }
  } finally {
    installed.close();
  }
  if (!values.screen) console.log(`${tried - failed} of ${tried} resumed with their whole history`);
  process.exit(failed === 0 && isDrawn ? 0 : 1);
}

const LABELS = { resumed: "resumed", failed: "FAILED " };

async function resumeSample(program, installed, sample) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "bough-resume-")));
  const cwd = join(home, "project");
  mkdirSync(cwd);
  const server = await (program.serve ?? messagesServer)();
  const opened = await sample.open();
  try {
    const plan = planFor(program, opened.session, { home, cwd });
    if (plan === undefined || contextOf(opened.session, program, plan).length === 0) return { kind: "skipped" };
    writeTranscript(plan);
    program.prepare(home, server.address);
    const environment = { PATH: installed.path, HOME: home, ...program.environment(home, server.address) };
    const before = plan.resume.before?.slice(1);
    const imported = before && (await run(installed.file, before, { cwd, env: environment }));
    const ran =
      imported === undefined || imported.code === 0
        ? await run(installed.file, program.run(plan, PROMPT), { cwd, env: environment })
        : imported;
    const kept = program.continued?.(home, plan);
    return await judge({ program, session: opened.session, plan, ran, requests: server.requests, kept });
  } finally {
    opened.close();
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function planFor(program, session, { home, cwd }) {
  const request = { entries: session.getBranch(), cwd, places: { home }, now: () => new Date(), newId: randomUUID };
  try {
    return writerFor(program.agent).planWrite(request);
  } catch (error) {
    // A transcript without a conversation cannot be resumed.
    if (error.code === "nothing-to-write") return undefined;
    throw error;
  }
}

async function run(file, args, options) {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const stop = setTimeout(() => child.kill("SIGKILL"), LONGEST_RUN);
  const code = await new Promise((resolve) => {
    child.on("close", resolve);
    child.on("error", (error) => resolve(error.message));
  });
  clearTimeout(stop);
  return { code, output };
}

/** What the program's model must be shown: everything except what another agent told its own model. */
function contextOf(session, program, { leftOut = [] }) {
  const own = new Set(leftOut.map(({ entryId }) => JSON.stringify(session.getEntry(entryId).content)));
  const isShown = ({ role, content }) => role !== "custom" || !own.has(JSON.stringify(content));
  return partsOfContext(session.buildSessionContext().messages.filter(isShown), program);
}

async function judge({ program, session, plan, ran, requests, kept }) {
  const expected = contextOf(session, program, plan);
  const request = conversationIn(requests);
  const sent = partsOfRequest(request);
  const { found, at } = inOrder(expected, sent);
  const problems = [];
  if (ran.code !== 0) problems.push(`ended with ${ran.code}: ${ran.output.trim().slice(-300)}`);
  if (found < expected.length)
    problems.push(`not sent, or not in its place: ${JSON.stringify(expected[found]).slice(0, 300)}`);
  const alone = unpaired(request);
  if (alone.length > 0) problems.push(`calls or results without their other half: ${alone.join(", ")}`);
  const rest = sent.slice(at).filter(({ kind }) => kind === "text");
  if (!rest.some(({ text }) => text.includes(PROMPT)))
    problems.push("the new prompt does not stand behind the history");
  const strangers = sent.filter((part) => textsOutside(session, expected, program).has(part.text));
  for (const { text } of strangers) problems.push(`sent, but not part of the history: ${text.slice(0, 100)}`);
  problems.push(...(await goesOn(plan, kept)));
  const facts = `${found} of ${expected.length} parts`;
  return { kind: problems.length === 0 ? "resumed" : "failed", facts, problems };
}

/** The longest request with the prompt; a program may also send the prompt alone to get a name for the session. */
function conversationIn(requests) {
  const asked = requests.filter(({ messages }) => JSON.stringify(messages).includes(PROMPT));
  const longest = Math.max(0, ...asked.map(({ messages }) => messages.length));
  return asked.findLast(({ messages }) => messages.length === longest) ?? { messages: [] };
}

/** Texts elsewhere in the session: on other branches, before a compaction, or before an edit. */
function textsOutside(session, expected, program) {
  const said = session.getEntries().flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  const shown = new Set(expected.map(({ text }) => text));
  const outside = partsOfContext(said, program).flatMap(({ text }) =>
    text === undefined || shown.has(text) ? [] : [text],
  );
  return new Set(outside);
}

/** The program appends to the file that Bough wrote, and Bough can read all of it. */
async function goesOn(plan, kept = { path: plan.path }) {
  const written = [...plan.lines].map((line) => `${line}\n`).join("");
  const problems = readFileSync(plan.path, "utf8").startsWith(written)
    ? []
    : ["the file no longer starts as it was written"];
  const continued = await openForeign(kept.path, kept);
  const last = continued.session
    .buildSessionContext()
    .messages.slice(-2)
    .map((message) => JSON.stringify(message));
  continued.close();
  if (last[0]?.includes(PROMPT) && last[1]?.includes(ANSWER)) return problems;
  return [...problems, "the new turn is not the end of the file as Bough reads it"];
}
