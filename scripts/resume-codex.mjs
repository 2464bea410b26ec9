// node scripts/resume-codex.mjs <codex program> <transcript>...: writes each transcript, of whatever agent, as a rollout into
// an empty home, has the real Codex resume it against a model server on loopback, and compares what was sent with what
// was written. Needs a build and an installed Codex. Ends with 1 where anything of the history was missing or out of order.
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openForeign, writerFor, writeTranscript } from "../dist/interop/index.js";

const [program, ...transcripts] = process.argv.slice(2);
if (program === undefined || transcripts.length === 0) {
  console.error("usage: node scripts/resume-codex.mjs <codex program> <transcript>...");
  process.exit(2);
}

/** Answers every request with one sentence and keeps what was asked. */
async function modelServer() {
  const requests = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      if (!request.url.includes("/responses")) return response.writeHead(404).end();
      requests.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "text/event-stream" });
      const send = (type, data) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
      const content = [{ type: "output_text", text: "Going on.", annotations: [] }];
      const item = { type: "message", id: "msg_1", role: "assistant", status: "completed", content };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      send("response.created", { response: { id: "resp_1" } });
      send("response.output_item.done", { output_index: 0, item });
      send("response.completed", { response: { id: "resp_1", usage } });
      response.end();
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { requests, port: server.address().port, close: () => server.close() };
}

function configuration(port) {
  return [
    'model = "gpt-5-codex"',
    'model_provider = "loopback"',
    "[model_providers.loopback]",
    'name = "loopback"',
    `base_url = "http://127.0.0.1:${port}/v1"`,
    'wire_api = "responses"',
    "",
  ].join("\n");
}

async function resume(home, cwd, id) {
  const environment = { PATH: process.env.PATH, HOME: home, CODEX_HOME: join(home, ".codex") };
  const options = { cwd, env: environment, stdio: ["ignore", "ignore", "pipe"] };
  const child = spawn(program, ["exec", "--skip-git-repo-check", "resume", id, "And now?"], options);
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const stop = setTimeout(() => child.kill(), 120_000);
  const code = await new Promise((resolve) => child.on("exit", resolve));
  clearTimeout(stop);
  return { code, errors };
}

/** What the model has to be shown: everything behind the last compaction, and what that one put in its place. */
function expectedItems(lines) {
  let items = [];
  for (const { type, payload } of lines.map((line) => JSON.parse(line))) {
    if (type === "compacted") items = [...(payload.replacement_history ?? [])];
    if (type === "response_item") items.push(payload);
  }
  return items.map(signOf);
}

/** The program shortens long results in its own way: their start and end are there, and between them how much is not. */
const SHORTENED = /…\d+ (?:tokens|chars|characters) truncated…/;

function isSent(expected, sent) {
  if (expected === sent) return true;
  const [start, end, ...more] = sent.split(SHORTENED);
  // Both are JSON: the last thing behind the text is the same.
  return end !== undefined && more.length === 0 && expected.startsWith(start) && expected.endsWith(end);
}

/** What an item says, without what the program adds or leaves out on its way. */
function signOf({ type, role, content, call_id, name, output, summary }) {
  const texts = (Array.isArray(content) ? content : []).map(({ text }) => text);
  return JSON.stringify([type, role, texts, call_id, name, output, type === "reasoning" ? summary : undefined]);
}

/** Undefined where there is nothing to write. */
function planned(request) {
  try {
    return writerFor("codex").planWrite(request);
  } catch (error) {
    if (error.code === "nothing-to-write") return undefined;
    throw error;
  }
}

async function check(transcript) {
  const home = mkdtempSync(join(tmpdir(), "bough-resume-"));
  const cwd = join(home, "project");
  mkdirSync(join(home, ".codex"), { recursive: true });
  mkdirSync(cwd);
  const server = await modelServer();
  const opened = await openForeign(transcript);
  try {
    writeFileSync(join(home, ".codex", "config.toml"), configuration(server.port));
    const entries = opened.session.getBranch();
    const request = { entries, cwd, places: { home }, now: () => new Date(), newId: randomUUID };
    const plan = planned(request);
    if (plan === undefined) {
      console.log(`nothing  was said in                  ${transcript}`);
      return true;
    }
    writeTranscript(plan);
    const { code, errors } = await resume(home, cwd, plan.sessionId);
    const sent = (server.requests[0]?.input ?? []).map(signOf);
    const expected = expectedItems(plan.lines);
    let at = 0;
    for (const item of sent) if (at < expected.length && isSent(expected[at], item)) at += 1;
    const whole = code === 0 && at === expected.length;
    console.log(`${whole ? "resumed" : "FAILED "}  ${at} of ${expected.length} items in order  ${transcript}`);
    if (!whole) console.log(`  expected  ${expected[at]?.slice(0, 300)}\n${errors.slice(-500)}`);
    return whole;
  } finally {
    opened.close();
    server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

let failed = 0;
for (const transcript of transcripts) if (!(await check(transcript))) failed += 1;
process.exit(failed === 0 ? 0 : 1);
