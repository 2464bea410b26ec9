/** The total is the truth, however often calls were copied, and whatever numbers a log contains. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { AssistantMessage, EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { afterTest } from "../../../../test/support/after-test.js";
import { assistant, user } from "../../../../test/support/messages.js";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { findSessions, importSession, writeTranscript } from "../interop/index.js";
import { knowsBranches, planHandoff } from "../interop/internal.js";
import { type PriceOf, readUsage, type UsageGroup, type UsageReport, usageReport } from "./index.js";

let home: string;
let work: string;
let clock: number;

beforeEach(() => {
  home = tempFolder();
  work = join(home, "work");
  mkdirSync(work);
  clock = Date.parse("2026-10-01T10:00:00.000Z");
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  afterTest(() => vi.unstubAllEnvs());
});

function tick(): Date {
  clock += 61_007;
  return new Date(clock);
}
const places = () => ({ home: join(home, ".bough"), agents: { home, environment: {} } });

/** What was really called, kept apart from every log. */
interface Truth {
  calls: number;
  tokens: number;
}

interface Counts {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
}

const counts = fc.record({
  input: fc.nat(3),
  output: fc.integer({ min: 1, max: 4 }),
  cacheRead: fc.constantFrom(0, 100),
});

function note(truth: Truth, { input, output, cacheRead }: Counts): void {
  truth.calls += 1;
  truth.tokens += input + output + cacheRead;
}

function answer(given: Counts, named: { readonly responseId?: string } = {}): AssistantMessage {
  return { ...assistant("Done."), usage: { ...given, cacheWrite: 0 }, timestamp: clock, ...named };
}

function ownSession(): SessionManager {
  const dir = join(home, ".bough", "sessions", "--work--");
  return SessionManager.create(work, dir, { now: tick });
}

async function report(by: UsageGroup = "agent", more: { readonly priceOf?: PriceOf } = {}): Promise<UsageReport> {
  const source = await readUsage({ ...places(), scope: "all-agents" });
  expect(source.problems).toEqual([]);
  const priceOf = more.priceOf ?? (() => undefined);
  return usageReport(source, { by, priceOf, knowsBranches });
}

const id = (number: number): string => `${String(number).padStart(8, "0")}-1111-4222-8333-444444444444`;

/** A Claude Code transcript: an answer is written in two records, the first of them with fewer output tokens. */
function claudeRecords(session: string, calls: readonly Counts[], start: number): object[] {
  let parentUuid: string | null = null;
  const records: object[] = [];
  const push = (record: object, at: number): void => {
    const uuid = id(start * 1000 + records.length);
    const common = { parentUuid, isSidechain: false, cwd: work, sessionId: session, version: "2.1.0" };
    records.push({ ...common, ...record, uuid, timestamp: new Date(at).toISOString() });
    parentUuid = uuid;
  };
  for (const [at, { input, output, cacheRead }] of calls.entries()) {
    const time = tick().getTime();
    push({ type: "user", message: { role: "user", content: `prompt ${at}` } }, time);
    const said = (output: number, content: object) => ({
      type: "assistant",
      requestId: `req_${start}_${at}`,
      message: {
        ...{ id: `msg_${start}_${at}`, type: "message", role: "assistant", model: "claude-x", content: [content] },
        usage: { input_tokens: input, output_tokens: output, cache_read_input_tokens: cacheRead },
      },
    });
    push(said(1, { type: "thinking", thinking: "Hm." }), time + 10);
    push(said(output, { type: "text", text: `answer ${at}` }), time + 20);
  }
  return records;
}

function writeLines(path: string, records: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

const claudeFile = (session: string) => join(home, ".claude", "projects", "-work", `${session}.jsonl`);

function codexRecords(
  thread: string,
  calls: readonly Counts[],
  from?: string,
  before: readonly Counts[] = [],
): { payload: object; type: string; timestamp: string }[] {
  const time = () => tick().toISOString();
  const meta = {
    id: thread,
    timestamp: time(),
    cwd: work,
    originator: "codex_cli_rs",
    cli_version: "0.144.0",
    source: "cli",
    model_provider: "openai",
  };
  const records = [
    {
      timestamp: meta.timestamp,
      type: "session_meta",
      payload: { ...meta, ...(from === undefined ? {} : { forked_from_id: from }) },
    },
  ] as { payload: object; type: string; timestamp: string }[];
  // A fork continues the totals of its parent.
  let total = before.reduce((sum, { input, output, cacheRead }) => sum + input + output + cacheRead, 0);
  for (const { input, output, cacheRead } of calls) {
    records.push({ timestamp: time(), type: "turn_context", payload: { cwd: work, model: "gpt-x" } });
    const message = { type: "message", role: "user", content: [{ type: "input_text", text: "Go on." }] };
    records.push({ timestamp: time(), type: "response_item", payload: message });
    const text = { type: "message", role: "assistant", content: [{ type: "output_text", text: "Done." }] };
    records.push({ timestamp: time(), type: "response_item", payload: text });
    total += input + output + cacheRead;
    const last = {
      input_tokens: input + cacheRead,
      cached_input_tokens: cacheRead,
      output_tokens: output,
      total_tokens: input + output + cacheRead,
    };
    const info = { total_token_usage: { total_tokens: total, input_tokens: total }, last_token_usage: last };
    const count = { timestamp: time(), type: "event_msg", payload: { type: "token_count", info } };
    // Codex repeats the event.
    records.push(count, { ...count, timestamp: time() });
  }
  return records;
}

function codexFile(thread: string): string {
  const now = new Date(clock).toISOString();
  const day = now.slice(0, 10).replace(/-/g, "/");
  return join(home, ".codex", "sessions", day, `rollout-${now.slice(0, 19).replace(/:/g, "-")}-${thread}.jsonl`);
}

describe("seeded copies", () => {
  test("forks, clones and summaries of Bough's sessions, by any number of copies, give the truth", async () => {
    const run = fc.asyncProperty(
      fc.array(counts, { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.nat(5), fc.array(counts, { maxLength: 3 })), { maxLength: 4 }),
      async (first, forks) => {
        rmSync(join(home, ".bough"), { recursive: true, force: true });
        const truth = { calls: 0, tokens: 0 };
        const session = ownSession();
        const ids: EntryId[] = [];
        const say = (given: Counts): void => {
          session.appendMessage(user("Go on."));
          ids.push(session.appendMessage(answer(given)));
          note(truth, given);
        };
        for (const given of first) say(given);
        for (const [at, more] of forks) {
          const here = ids.filter((known) => session.getEntry(known) !== undefined);
          session.createBranchedSession(here[at % here.length] as EntryId);
          for (const given of more) say(given);
        }
        session.close();
        const { total, copies } = await report();
        expect({ calls: total.calls, tokens: total.tokens }).toEqual(truth);
        expect(copies.calls).toBeGreaterThanOrEqual(forks.length);
      },
    );
    await fc.assert(run, { numRuns: sampledRuns({ all: 200, some: 6 }) });
  });

  test("sessions that Claude Code resumed into new files, with sub-agents in both, give the truth", async () => {
    const run = fc.asyncProperty(
      fc.array(counts, { minLength: 2, maxLength: 5 }),
      fc.array(counts, { minLength: 1, maxLength: 3 }),
      fc.nat(20),
      async (main, agent, cut) => {
        rmSync(join(home, ".claude"), { recursive: true, force: true });
        const truth = { calls: 0, tokens: 0 };
        const records = claudeRecords(id(1), main, 1);
        const side = claudeRecords(id(1), agent, 2).map((record) => ({ ...record, isSidechain: true, agentId: "a1" }));
        for (const given of [...main, ...agent]) note(truth, given);
        writeLines(claudeFile(id(1)), records);
        const inFolder = (session: string) =>
          join(dirname(claudeFile(session)), session, "subagents", "agent-a1.jsonl");
        writeLines(inFolder(id(1)), side);
        // The copy has another session ID, and sometimes other uuids; it ends anywhere, also inside an answer.
        const copied = records.slice(0, 1 + (cut % records.length)).map((record, at) => ({
          ...record,
          sessionId: id(2),
          ...(cut % 2 === 0 ? { uuid: id(90_000 + at), parentUuid: at === 0 ? null : id(90_000 + at - 1) } : {}),
        }));
        const more = claudeRecords(id(2), agent, 3);
        for (const given of agent) note(truth, given);
        writeLines(claudeFile(id(2)), [...copied, ...more]);
        writeLines(
          inFolder(id(2)),
          side.map((record) => ({ ...record, sessionId: id(2) })),
        );
        const { total } = await report();
        expect({ calls: total.calls, tokens: total.tokens }).toEqual(truth);
      },
    );
    await fc.assert(run, { numRuns: sampledRuns({ all: 200, some: 6 }) });
  });

  test("forks of Codex threads give the truth, whether the copies keep their times or not", async () => {
    const run = fc.asyncProperty(
      fc.array(counts, { minLength: 1, maxLength: 5 }),
      fc.array(counts, { maxLength: 3 }),
      fc.array(counts, { maxLength: 3 }),
      fc.boolean(),
      async (shared, own, other, keepsTimes) => {
        rmSync(join(home, ".codex"), { recursive: true, force: true });
        const truth = { calls: 0, tokens: 0 };
        for (const given of [...shared, ...own, ...other]) note(truth, given);
        const parent = codexRecords(id(1), [...shared, ...own]);
        writeLines(codexFile(id(1)), parent);
        const [meta, ...rest] = codexRecords(id(2), other, id(1), shared);
        const start = meta?.timestamp ?? "";
        const copied = parent
          .slice(0, 1 + shared.length * 5)
          .map((record) =>
            keepsTimes ? record : { ...record, timestamp: new Date(Date.parse(start) + 5).toISOString() },
          );
        writeLines(codexFile(id(2)), [meta as object, ...copied, ...rest]);
        const { total } = await report();
        expect({ calls: total.calls, tokens: total.tokens }).toEqual(truth);
      },
    );
    await fc.assert(run, { numRuns: sampledRuns({ all: 200, some: 6 }) });
  });

  test("imports, and their forks and hand-offs, count once; without the source, they count instead of it", async () => {
    const truth = { calls: 0, tokens: 0 };
    const same = { input: 2, output: 3, cacheRead: 100 };
    const given = [same, same, { input: 1, output: 1, cacheRead: 0 }];
    for (const one of [...given, ...given]) note(truth, one);
    writeLines(claudeFile(id(1)), claudeRecords(id(1), given, 1));
    writeLines(codexFile(id(2)), codexRecords(id(2), given));
    for (const source of await findSessions({ home, environment: {} })) {
      const { path } = await importSession(source);
      const session = SessionManager.open(path, undefined, { now: tick });
      session.appendMessage(user("More."));
      session.appendMessage(answer(same));
      note(truth, same);
      const agents = ["claude-code", "opencode", "gemini"] as const;
      for (const agent of agents) {
        const { plan } = await planHandoff({ session, agent, places: { home, environment: {} }, now: tick });
        writeTranscript(plan);
      }
      session.createBranchedSession(session.getLeafId() as EntryId);
      session.close();
    }
    const { total, copies } = await report();
    expect({ calls: total.calls, tokens: total.tokens }).toEqual(truth);
    expect(copies.calls).toBeGreaterThan(truth.calls);
    rmSync(join(home, ".claude"), { recursive: true });
    rmSync(join(home, ".codex"), { recursive: true });
    const later = await report();
    expect({ calls: later.total.calls, tokens: later.total.tokens }).toEqual(truth);
  });
});

describe("groups", () => {
  test("say what was left, what sub-agents used and what each branch cost", async () => {
    const session = ownSession();
    session.appendMessage(user("Start."));
    const start = session.appendMessage(answer({ input: 1, output: 0, cacheRead: 0 }));
    session.appendMessage(user("Try this."));
    session.appendMessage(answer({ input: 10, output: 0, cacheRead: 0 }));
    session.branch(start);
    session.appendMessage(user("Try that."));
    session.appendMessage({
      ...answer({ input: 100, output: 0, cacheRead: 0 }),
      usage: {
        input: 100,
        output: 0,
        cacheRead: 0,
        cacheWrite: 0,
        cost: { input: 2, output: 0, cacheRead: 0, cacheWrite: 0, total: 2 },
      },
    });
    session.close();
    const found = await report("branch");
    const sums = (sum: UsageReport["total"]) => [sum.calls, sum.tokens, sum.dollars, sum.unpriced];
    expect(found.rows.map((row) => [row.branch, ...sums(row)])).toEqual([
      [{ number: 2, name: "Try that." }, 1, 100, 2, 0],
      [{ number: 1, name: "Start." }, 2, 11, 0, 2],
    ]);
    expect([sums(found.left), sums(found.total)]).toEqual([
      [1, 10, 0, 1],
      [3, 111, 2, 2],
    ]);
    expect(found.unpricedModels).toEqual([{ model: "acme/m-1", calls: 2, tokens: 11 }]);
  });

  test("what caching and compaction saved is counted with the price of the day", async () => {
    const session = ownSession();
    session.appendMessage(user("Start."));
    const first = session.appendMessage(answer({ input: 1000, output: 0, cacheRead: 0 }));
    session.appendCompaction("short", first, 5000);
    session.appendMessage(user("Next."));
    session.appendMessage(answer({ input: 0, output: 0, cacheRead: 1000 }));
    session.appendMessage(answer({ input: 0, output: 0, cacheRead: 2000 }));
    session.close();
    const priceOf: PriceOf = ({ input, cacheRead }) => ({
      dollars: input + cacheRead / 10,
      withoutCache: input + cacheRead,
      cachedToken: 0.1,
    });
    const { caching, compaction, total } = await report("day", { priceOf });
    expect({ caching, compaction, dollars: total.dollars }).toEqual({
      caching: { dollars: 2700, unpriced: 0 },
      compaction: { tokens: 8000, dollars: 800, unpriced: 0 },
      dollars: 1300,
    });
  });
});

describe("odd logs", () => {
  const ABSURD = [-1, 1e300, "12", null, {}, [], true, Number.MAX_SAFE_INTEGER, 0.5];

  test("absurd numbers never break a sum, and are reported", async () => {
    const session = ownSession();
    session.appendMessage(user("Go."));
    for (const value of ABSURD) {
      const usage = { input: value, output: value, cacheRead: value, cacheWrite: 1, cost: { total: value } };
      session.appendMessage({ ...answer({ input: 0, output: 0, cacheRead: 0 }), usage } as never);
    }
    session.close();
    const lines = claudeRecords(id(1), [{ input: 1, output: 1, cacheRead: 1 }], 1).flatMap((record) =>
      ABSURD.map(
        (value, at) =>
          JSON.parse(
            JSON.stringify(record)
              .replace(/"input_tokens":1/, `"input_tokens":${JSON.stringify(value)}`)
              .replace(/msg_1_0/, `msg_${at}`),
          ) as object,
      ),
    );
    writeLines(claudeFile(id(1)), lines);
    const codex = codexRecords(
      id(2),
      ABSURD.map(() => ({ input: 1, output: 1, cacheRead: 0 })),
    );
    writeLines(
      codexFile(id(2)),
      codex.map(
        (record, at) =>
          JSON.parse(
            JSON.stringify(record).replace(
              /"output_tokens":1/,
              `"output_tokens":${JSON.stringify(ABSURD[at % ABSURD.length])}`,
            ),
          ) as object,
      ),
    );
    const { total, odd, rows } = await report("day");
    for (const sum of [total, ...rows])
      for (const value of Object.values(sum)) if (typeof value === "number") expect(value).toBeGreaterThanOrEqual(0);
    expect(total.tokens).toBeLessThan(1000);
    expect(Number.isFinite(total.dollars)).toBe(true);
    expect(odd).toBeGreaterThan(ABSURD.length);
  });

  test("lines that are torn, or are not JSON, cost only themselves", async () => {
    const file = claudeFile(id(1));
    writeLines(
      file,
      claudeRecords(
        id(1),
        [
          { input: 1, output: 2, cacheRead: 0 },
          { input: 1, output: 2, cacheRead: 0 },
        ],
        1,
      ),
    );
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      `{"usage": NaN}\n\0\0\n[1,{"usage":{}}]\n"usage"\n${text}{"type":"assistant","message":{"usage":{"input_tok`,
    );
    const { total } = await report();
    expect(total).toMatchObject({ calls: 2, tokens: 6 });
  });
});

describe("the index", () => {
  test("is not read again, notices what changed, and is made again if it is damaged", async () => {
    const file = claudeFile(id(1));
    const old = new Date("2026-01-01T00:00:00Z");
    const write = (calls: number): void => {
      clock = Date.parse("2026-10-01T10:00:00.000Z");
      writeLines(
        file,
        claudeRecords(
          id(1),
          Array.from({ length: calls }, () => ({ input: 1, output: 1, cacheRead: 0 })),
          1,
        ),
      );
      utimesSync(file, old, old);
    };
    const total = async () => (await report()).total.calls;
    const index = join(home, ".bough", "cache", "usage");
    write(2);
    expect(await total()).toBe(2);
    expect(statSync(index).mode & 0o777).toBe(0o600);
    const [bytes, time] = [readFileSync(index), statSync(index).mtimeMs];
    expect(await total()).toBe(2);
    expect(statSync(index).mtimeMs).toBe(time);
    write(3);
    expect(await total()).toBe(3);
    for (const length of [0, 10, bytes.length - 1]) {
      truncateSync(index, length);
      expect(await total()).toBe(3);
    }
    writeFileSync(index, Buffer.concat([bytes.subarray(0, -8), Buffer.alloc(8, 1)]));
    expect(await total()).toBe(3);
    rmSync(file);
    expect(await total()).toBe(0);
    expect(readdirSync(join(home, ".bough", "cache")).filter((name) => name.startsWith("usage"))).toEqual(["usage"]);
  });
});
