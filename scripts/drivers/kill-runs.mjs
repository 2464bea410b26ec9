// node scripts/drivers/kill-runs.mjs <agent> <bin> <n>: n turns of a real agent, each of which ends with a kill -9 at a
// random moment: of Bough and of the agent, in turn. Afterwards, everything that was shown must be in the session, once,
// with its files. `scripts/drivers.mjs --kills <n>` starts it. Needs a build.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { SessionManager } from "../../dist/session/index.js";
import { realPlace } from "./real-place.mjs";

const [name, bin, count] = process.argv.slice(2);
const CHILD = fileURLToPath(new URL("killed-bough.mjs", import.meta.url));
const PACE_MS = 15;
const MOST_MS = 180_000;

const place = await realPlace(name, bin, { pace: PACE_MS });
const file = SessionManager.create(place.cwd, join(place.root, "sessions")).getSessionFile();
const shownFile = join(place.root, "shown.jsonl");
const problems = [];
const seen = { characters: 0, calls: 0 };

/** A Bough of its own: `next` waits for its next line, `tell` gives it a prompt. */
function startBough() {
  const { root, cwd, options } = place;
  const given = JSON.stringify({ name, file, cwd, home: join(root, "bough"), shownFile, options });
  const child = spawn(process.execPath, [CHILD, given], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = new Promise((resolve) => child.once("exit", resolve));
  const next = async () => {
    const late = new AbortController();
    const timeout = pause(MOST_MS, "late", { signal: late.signal }).catch(() => undefined);
    const line = await Promise.race([lines.next(), timeout]);
    late.abort();
    if (line === "late") throw new Error(`${name} did nothing for ${MOST_MS / 1000} s`);
    return line.done ? undefined : JSON.parse(line.value);
  };
  const tell = (value) => child.stdin.write(`${JSON.stringify(value)}\n`);
  return { child, exited, next, tell };
}

const squeezed = (text) => text.replace(/\s+/g, "");
const found = (text, part) => text.split(part).length - 1;

/** Compares what was shown of one turn with the session. */
function compare(turn, { what, prompt }) {
  const problem = (words) => problems.push(`${turn} (${what}): ${words}`);
  const session = SessionManager.open(file, undefined, { readOnly: true });
  const messages = session.getEntries().flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  const texts = messages.flatMap(({ role, content }) =>
    role === "assistant" ? content.flatMap((block) => (block.type === "text" ? [block.text] : [])) : [],
  );
  const said = squeezed(texts.join("\n"));
  const calls = messages.flatMap(({ role, content }) =>
    role === "assistant" ? content.flatMap((block) => (block.type === "toolCall" ? [block.id] : [])) : [],
  );
  const results = messages.flatMap(({ role, toolCallId }) => (role === "toolResult" ? [toolCallId] : []));
  const shown = (existsSync(shownFile) ? readFileSync(shownFile, "utf8") : "")
    .split("\n")
    .filter(Boolean)
    .map(JSON.parse);
  const prompts = messages.filter(({ role, content }) => role === "user" && JSON.stringify(content).includes(prompt));
  const wasSent = shown.some(({ sent }) => sent);
  if (prompts.length > 1) problem(`the prompt is there ${prompts.length} times`);
  if (wasSent && prompts.length === 0) problem("the prompt is missing");
  // Each answer starts with a word of its own.
  const text = squeezed(shown.map(({ text = "" }) => text).join(""));
  for (const piece of text.split(/(?=Running|Answer)/).filter(Boolean)) {
    // Notices of the program itself, such as Codex's about its model, are not part of a whole turn.
    if (!/^(Running|Answer)/.test(piece)) continue;
    if (!said.includes(piece)) problem(`missing: ${piece.slice(0, 80)}... (${piece.length} characters)`);
    const mark = /^(?:Running|Answer)[0-9a-z]+-\d+\./.exec(piece)?.[0];
    if (mark !== undefined && found(said, mark) > 1) problem(`${mark} is there ${found(said, mark)} times`);
  }
  seen.characters += text.length;
  seen.calls += shown.filter(({ call }) => call !== undefined).length;
  for (const id of new Set(shown.flatMap(({ call }) => (call === undefined ? [] : [call])))) {
    if (!calls.includes(id)) problem(`call ${id} is missing`);
  }
  for (const id of new Set(shown.flatMap(({ result }) => (result === undefined ? [] : [result])))) {
    if (!results.includes(id)) problem(`the result of ${id} is missing`);
  }
  for (const ids of [calls, results]) {
    for (const id of new Set(ids)) if (ids.indexOf(id) !== ids.lastIndexOf(id)) problem(`${id} is there twice`);
  }
  session.close();
}

let bough;
let turnMs = 3000;
let killedBough = 0;
let last;
const moments = [];
try {
  // The first turn is whole, to know how long one takes.
  for (let turn = 0; turn <= Number(count); turn++) {
    if (bough === undefined) {
      bough = startBough();
      const opened = await bough.next();
      if (opened?.opened !== true) throw new Error("Bough did not start");
      if (opened.files !== undefined) for (const one of opened.files) problems.push(`${turn}: ${one}`);
    }
    if (last !== undefined) compare(last.turn, last);
    const prompt = `Turn ${turn} of the run.`;
    const work = `RUN<<echo ${turn} > a.txt>> RUN<<echo ${turn} >> b.txt>>`;
    writeFileSync(shownFile, "");
    bough.tell({ prompt: `${prompt} ${work}` });
    let started = await bough.next();
    // The agent was killed between two turns, and that was noticed now: the prompt is in the editor again.
    if (started?.outcome === "failed") {
      bough.tell({ prompt: `${prompt} ${work}` });
      started = await bough.next();
    }
    if (started?.process === undefined) throw new Error(`Turn ${turn}: ${JSON.stringify(started)}`);
    const begun = performance.now();
    const victim = turn === 0 ? undefined : turn % 2 === 0 ? "agent" : "bough";
    const moment = Math.random() * turnMs * 1.1;
    last = { turn, prompt, what: victim === undefined ? "whole" : `${victim} killed after ${Math.round(moment)} ms` };
    if (victim === undefined) {
      const ended = await bough.next();
      turnMs = performance.now() - begun;
      if (ended?.outcome !== "done") throw new Error(`The first turn: ${JSON.stringify(ended)}`);
      continue;
    }
    await Promise.race([pause(moment), bough.exited]);
    moments.push(Math.round(moment));
    if (victim === "bough") {
      bough.child.kill("SIGKILL");
      await bough.exited;
      bough = undefined;
      killedBough += 1;
      continue;
    }
    try {
      process.kill(started.process, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    const ended = await bough.next();
    if (ended === undefined) throw new Error(`Turn ${turn}: Bough ended`);
  }
  // The next start, and one whole turn.
  bough ??= startBough();
  const opened = last.what.startsWith("bough") ? await bough.next() : undefined;
  if (opened !== undefined && opened.opened !== true) throw new Error("Bough did not start");
  compare(last.turn, last);
  writeFileSync(shownFile, "");
  bough.tell({ prompt: "The last turn." });
  for (let failures = 0, ended = await bough.next(); ended?.outcome !== "done"; ended = await bough.next()) {
    if (ended?.outcome === "failed" && failures++ === 0) bough.tell({ prompt: "The last turn." });
    else if (ended?.process === undefined) throw new Error(`The last turn: ${JSON.stringify(ended)}`);
  }
  compare("the last", { what: "whole", prompt: "The last turn." });
  const asked = place.server.requests.at(-1)?.filter(([kind]) => kind === "user") ?? [];
  const session = SessionManager.open(file, undefined, { readOnly: true });
  const said = session.getBranch().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "user") return [];
    const { content } = entry.message;
    return [typeof content === "string" ? content : content.map(({ text = "" }) => text).join("")];
  });
  session.close();
  const missing = said.filter((text) => !asked.some(([, sent]) => sent.includes(text)));
  if (missing.length > 0)
    console.log(`  note: the model was not sent ${missing.length} of ${said.length} prompts in the end`);
} catch (error) {
  problems.push(error.message);
} finally {
  bough?.child.stdin.end();
  await Promise.race([bough?.exited, pause(5000)]);
  bough?.child.kill("SIGKILL");
  place.close();
}
for (const problem of problems) console.log(`  FAILED  ${problem}`);
const span = `at ${Math.min(...moments)} to ${Math.max(...moments)} ms of a turn of ${Math.round(turnMs)} ms`;
const kills = `${killedBough} of Bough and ${Number(count) - killedBough} of the agent`;
console.log(`  ${name}: ${kills}, ${span}; ${seen.characters} characters and ${seen.calls} calls were shown`);
console.log(`  ${problems.length === 0 ? "nothing missing, nothing twice" : "FAILED"}`);
process.exit(problems.length === 0 ? 0 : 1);
