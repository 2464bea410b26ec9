/** The rules of `Log`, each a sentence and the code that tests it. */
import type { Log } from "../log.js";

/** What the rules test: logs with given bytes, and more logs of the same bytes. */
export interface LogTrial {
  readonly create: (bytes: Buffer, access?: "read" | "write") => Promise<Log>;
  /** Undefined if the log cannot be opened a second time. */
  readonly reopen: ((log: Log) => Promise<Log>) | undefined;
}

/** A rule throws if it is broken. Its sentence continues "A log". */
export interface LogRule {
  readonly sentence: string;
  readonly holds: (trial: LogTrial) => Promise<void>;
  /** Such a rule is skipped if the log cannot be opened a second time. */
  readonly needsReopen?: true;
}

const NOTHING = Buffer.alloc(0);
const line = (text: string): Buffer => Buffer.from(`${text}\n`);

export const LOG_RULES: readonly LogRule[] = [
  {
    sentence: "returns what was appended, line by line and at its offset",
    holds: async ({ create }) => {
      const log = await create(NOTHING);
      const texts = ["first", "", "zweite äöü 🌱", "x".repeat(5000)];
      const offsets = texts.map((text) => log.write(line(text)));
      expectSame(scanAndAccept(log), texts);
      expectSame(
        texts.map((text, i) => textAt(log, offsets[i] as number, Buffer.byteLength(text))),
        texts,
      );
      log.close();
    },
  },
  {
    sentence: "takes several lines in one write, and returns the offset of the first",
    holds: async ({ create }) => {
      const log = await create(line("old"));
      scanAndAccept(log);
      expectSame([log.write(Buffer.from("one\ntwo\n")), scanAndAccept(log)], [4, ["old", "one", "two"]]);
      log.close();
    },
  },
  {
    sentence: "keeps its own copy of what is written: the caller may change its bytes afterwards",
    holds: async ({ create }) => {
      const log = await create(NOTHING);
      const bytes = line("mine");
      log.write(bytes);
      bytes.fill("x");
      expectSame(scanAndAccept(log), ["mine"]);
      log.close();
    },
  },
  {
    sentence: "is ready after its own appends, and knows how long it is",
    holds: async ({ create }) => {
      const log = await create(line("old"));
      scanAndAccept(log);
      log.write(line("new"));
      expectSame([log.prepareToWrite(), log.prepare(), ...bounds(log)], ["ready", "ready", 8, 8, 8]);
      log.close();
    },
  },
  {
    sentence: "holds nothing if it was created empty",
    holds: async ({ create }) => {
      const log = await create(NOTHING);
      expectSame([scanAndAccept(log), log.prepare(), ...bounds(log)], [[], "ready", 0, 0, 0]);
      log.close();
    },
  },
  {
    sentence: "is grown until its content was scanned and accepted, but can be read at any offset before",
    holds: async ({ create }) => {
      const log = await create(Buffer.from("a\nbb\n"));
      expectSame([textAt(log, 2, 2), log.size(), log.prepare()], ["bb", 5, "grown"]);
      expectSame([scanAndAccept(log), log.prepare(), ...bounds(log)], [["a", "bb"], "ready", 5, 5, 5]);
      log.close();
    },
  },
  {
    sentence: "starts a new line after a torn one, keeps the torn one, and is then grown",
    holds: async ({ create }) => {
      const log = await create(Buffer.from("whole\nto"));
      expectSame([scanAndAccept(log), ...bounds(log)], [["whole", "to…"], 6, 8, 8]);
      const offset = log.write(line("next"));
      expectSame([offset, log.prepare(), scanAndAccept(log, log.certain)], [9, "grown", ["to", "next"]]);
      expectSame([textAt(log, offset, 4), log.prepare()], ["next", "ready"]);
      log.write(line("after"));
      expectSame(scanAndAccept(log), ["whole", "to", "next", "after"]);
      log.close();
    },
  },
  {
    sentence: "can be scanned from the start of any line",
    holds: async ({ create }) => {
      const log = await create(Buffer.from("a\nbb\nccc\n"));
      scanAndAccept(log);
      expectSame([scanAndAccept(log, 2), scanAndAccept(log, 5), scanAndAccept(log, 9)], [["bb", "ccc"], ["ccc"], []]);
      log.close();
    },
  },
  {
    sentence: "returns less at its end, and nothing after it",
    holds: async ({ create }) => {
      const log = await create(Buffer.from("abc\n"));
      scanAndAccept(log);
      expectSame([textAt(log, 2, 100), textAt(log, 4, 10), textAt(log, 50, 10)], ["c\n", "", ""]);
      log.close();
    },
  },
  {
    sentence: "reads forwards, backwards and across what was written in pieces",
    holds: async ({ create }) => {
      const log = await create(NOTHING);
      const texts = Array.from({ length: 300 }, (_, i) => `${i} ${"y".repeat((i * 37) % 2000)}`);
      const offsets = texts.map((text) => log.write(line(text)));
      const read = (i: number): string => textAt(log, offsets[i] as number, (texts[i] as string).length);
      for (let i = 0; i < 300; i++) expectSame(read(i), texts[i]);
      for (let i = 299; i >= 0; i--) expectSame(read(i), texts[i]);
      const three = `${texts[7]}\n${texts[8]}\n${texts[9]}`;
      expectSame(textAt(log, offsets[7] as number, three.length), three);
      log.close();
    },
  },
  {
    sentence: "scans the same lines whatever their length, including a megabyte and more",
    holds: async ({ create }) => {
      const lengths = [0, 1, 65_535, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 3 << 20, 5];
      const log = await create(Buffer.concat(lengths.map((length) => line("z".repeat(length)))));
      const seen: number[][] = [];
      log.accept(
        log.scan(0, ({ length, offset, terminated }) => {
          seen.push([length, offset, terminated ? 1 : 0]);
        }),
      );
      let offset = 0;
      const expected = lengths.map((length) => {
        const at = offset;
        offset += length + 1;
        return [length, at, 1];
      });
      expectSame(seen, expected);
      log.close();
    },
  },
  {
    sentence: "reports the last byte of each line that is not white space, or -1",
    holds: async ({ create }) => {
      const log = await create(
        Buffer.concat([line("{} \t\r"), line(""), line(" \r"), line(`${" ".repeat(1 << 21)}}`)]),
      );
      const seen: number[] = [];
      log.scan(0, ({ last }) => seen.push(last));
      expectSame(seen, [0x7d, -1, -1, 0x7d]);
      log.close();
    },
  },
  {
    sentence: "rejects writes with the code read-only if it was opened for reading",
    holds: async ({ create }) => {
      const log = await create(line("a"), "read");
      scanAndAccept(log);
      expectSame(
        failureOf(() => log.write(line("b"))),
        ["SessionError", "read-only"],
      );
      expectSame([log.writable, scanAndAccept(log)], [false, ["a"]]);
      log.close();
    },
  },
  {
    sentence: "can be synced and closed at any time, and closed twice",
    holds: async ({ create }) => {
      const log = await create(NOTHING);
      log.sync();
      await log.syncInBackground();
      log.write(line("a"));
      await log.syncInBackground();
      log.sync();
      log.sync();
      log.close();
      log.close();
    },
  },
  {
    sentence: "has everything that was written when it is opened again",
    needsReopen: true,
    holds: async (trial) => {
      const log = await trial.create(line("a"));
      scanAndAccept(log);
      log.write(line("b"));
      await log.syncInBackground();
      log.close();
      const again = await reopened(trial, log);
      expectSame([again.prepare(), scanAndAccept(again), again.prepare()], ["grown", ["a", "b"], "ready"]);
      again.close();
    },
  },
  {
    sentence: "is grown when another log of the same bytes wrote, and continues from where it was",
    needsReopen: true,
    holds: async (trial) => {
      const log = await trial.create(line("a"));
      const other = await reopened(trial, log);
      scanAndAccept(log);
      scanAndAccept(other);
      other.write(line("b"));
      expectSame([log.prepare(), log.certain, log.end, log.size()], ["grown", 2, 2, 4]);
      expectSame([scanAndAccept(log, log.certain), log.prepare(), ...bounds(log)], [["b"], "ready", 4, 4, 4]);
      log.close();
      other.close();
    },
  },
  {
    sentence: "loses nothing when two logs of the same bytes write in turn without checking",
    needsReopen: true,
    holds: async (trial) => {
      const log = await trial.create(NOTHING);
      const other = await reopened(trial, log);
      const texts = ["a", "bb", "ccc", "dddd"];
      texts.forEach((text, i) => {
        (i % 2 === 0 ? log : other).write(line(text));
      });
      expectSame([log.prepare(), other.prepare()], ["grown", "grown"]);
      expectSame([scanAndAccept(log), scanAndAccept(other)], [texts, texts]);
      expectSame([log.prepare(), other.prepare()], ["ready", "ready"]);
      log.close();
      other.close();
    },
  },
];

/** The lines from an offset on as text, one without a newline with an ellipsis; accepts the end of the scan. */
function scanAndAccept(log: Log, from = 0): string[] {
  const lines: string[] = [];
  const end = log.scan(from, ({ bytes, start, end: stop, terminated }) => {
    lines.push(bytes.toString("utf8", start, stop) + (terminated ? "" : "…"));
  });
  log.accept(end);
  return lines;
}

function bounds(log: Log): readonly [certain: number, end: number, size: number] {
  return [log.certain, log.end, log.size()];
}

function textAt(log: Log, offset: number, length: number): string {
  return log.readAt(offset, length).toString("utf8");
}

async function reopened({ reopen }: LogTrial, log: Log): Promise<Log> {
  if (reopen === undefined) throw new Error("bug: this rule needs a log that can be opened again");
  return reopen(log);
}

function failureOf(attempt: () => unknown): unknown {
  try {
    attempt();
  } catch (error) {
    const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
    return [name, code];
  }
  return "no error";
}

/** Compares as JSON: the rules compare only strings and numbers. */
function expectSame(found: unknown, expected: unknown): void {
  const [is, should] = [found, expected].map((value) => JSON.stringify(value) ?? "undefined") as [string, string];
  if (is !== should) throw new Error(`expected ${shortened(should)}, found ${shortened(is)}`);
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}
