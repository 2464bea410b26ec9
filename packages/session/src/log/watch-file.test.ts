import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import fs, {
  appendFileSync,
  type FSWatcher,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type FileChange, type Watch, type WatchFileOptions, watchFile } from "./watch-file.js";

const support = (name: string) => fileURLToPath(new URL(`../../../../test/support/${name}`, import.meta.url));

let directory: string;
let path: string;
let writer: ChildProcessWithoutNullStreams;
let answers: Interface;
const open: Watch[] = [];

beforeAll(() => {
  writer = spawn(process.execPath, [support("watch-writer.mjs")]);
  writer.stderr.pipe(process.stderr);
  answers = createInterface({ input: writer.stdout });
});

afterAll(() => {
  writer.kill("SIGKILL");
});

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "bough-watch-")));
  path = join(directory, "one.jsonl");
});

afterEach(() => {
  for (const watch of open.splice(0)) watch.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(directory, { recursive: true, force: true });
});

/** Makes another process act on a file; resolves when that is done. */
async function elsewhere(act: "append" | "create" | "replace" | "remove" | "makeFolder", at: string, text = "") {
  const done = once(answers, "line");
  writer.stdin.write(`${JSON.stringify([act, at, text])}\n`);
  expect(await done).toEqual(["done"]);
}

/** Watches, and returns the reports one by one, in order. */
function observe(options: WatchFileOptions = {}, file = path) {
  const reports: FileChange[] = [];
  let size = -1;
  let wake: (() => void) | undefined;
  const watch = watchFile(
    file,
    (change) => {
      // The system updates the time of a write shortly before the size, and a poll may fall in between.
      if (change.kind === "changed" && change.size === size) return;
      size = change.size;
      reports.push(change);
      wake?.();
    },
    options,
  );
  size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  open.push(watch);
  async function next(): Promise<FileChange> {
    while (reports.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return reports.shift() as FileChange;
  }
  return { watch, reports, next };
}

/** Stops the periodic checks, so that only the watch can explain a report. */
function withoutRegularLooks(): void {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
}

const modes: readonly (readonly [Watch["mode"], WatchFileOptions])[] = [
  ["watch", { mode: "auto" }],
  ["poll", { mode: "poll", pollMs: 5 }],
];

describe.each(modes)("in mode %s", (mode, options) => {
  beforeEach(() => {
    if (mode === "watch") withoutRegularLooks();
  });

  it("reports an append by another process, with the new size", async () => {
    writeFileSync(path, "one\n");
    const { watch, next } = observe(options);
    expect(watch.mode).toBe(mode);
    await elsewhere("append", path, "two\n");
    expect(await next()).toEqual({ kind: "changed", size: 8 });
    await elsewhere("append", path, "three\n");
    expect(await next()).toEqual({ kind: "changed", size: 14 });
  });

  it("reports a file renamed over it, and then follows the new one", async () => {
    writeFileSync(path, "one\n");
    const { next } = observe(options);
    await elsewhere("replace", path, "another\n");
    expect(await next()).toEqual({ kind: "replaced", size: 8 });
    await elsewhere("append", path, "more\n");
    expect(await next()).toEqual({ kind: "changed", size: 13 });
  });

  it("reports deletion and re-creation, and then follows the new file", async () => {
    writeFileSync(path, "one\n");
    const { next } = observe(options);
    await elsewhere("remove", path);
    expect(await next()).toEqual({ kind: "vanished", size: 0 });
    await elsewhere("create", path);
    expect(await next()).toEqual({ kind: "appeared", size: 0 });
    await elsewhere("append", path, "two\n");
    expect(await next()).toEqual({ kind: "changed", size: 4 });
  });

  it.runIf(process.platform === "linux")(
    "tells a new file from a grown one, also under the old one's number",
    async () => {
      writeFileSync(path, "one\n");
      // Like any session that was written to: its last change is later than its birth.
      await vi.waitFor(
        () => {
          appendFileSync(path, "two\n");
          const { birthtimeNs, ctimeNs } = statSync(path, { bigint: true });
          expect(ctimeNs).toBeGreaterThan(birthtimeNs);
        },
        { timeout: 60_000 },
      );
      const { next } = observe(options);
      rmSync(path);
      writeFileSync(path, "another, longer file\n");
      expect(await next()).toEqual({ kind: "replaced", size: 21 });
    },
  );

  it("reports the first appearance of a file", async () => {
    const { next } = observe(options);
    await elsewhere("create", path);
    expect(await next()).toEqual({ kind: "appeared", size: 0 });
  });

  it("says nothing about what was there before, and nothing about other files in the folder", async () => {
    writeFileSync(path, "one\n");
    const { reports, next } = observe(options);
    await elsewhere("create", join(directory, "two.jsonl"));
    await elsewhere("append", join(directory, "two.jsonl"), "two\n");
    await elsewhere("remove", join(directory, "two.jsonl"));
    await elsewhere("append", path, "end\n");
    expect(await next()).toEqual({ kind: "changed", size: 8 });
    expect(reports).toEqual([]);
  });

  it("joins a burst of appends into fewer reports, the last of which has the whole size", async () => {
    writeFileSync(path, "");
    const { next } = observe(options);
    for (let count = 0; count < 500; count++) appendFileSync(path, "x\n");
    // All of them happened before the first report could be made.
    expect(await next()).toEqual({ kind: "changed", size: 1_000 });
  });

  it("reports nothing after close, also when called from within a report", async () => {
    writeFileSync(path, "");
    const closed = observe(options);
    let calls = 0;
    const single = watchFile(
      path,
      () => {
        calls++;
        single.close();
      },
      options,
    );
    const witness = observe(options);
    closed.watch.close();
    closed.watch.close();
    for (let count = 1; count <= 3; count++) {
      await elsewhere("append", path, "x");
      expect(await witness.next()).toEqual({ kind: "changed", size: count });
    }
    expect([closed.reports, calls]).toEqual([[], 1]);
  });

  it("reports nothing once its signal is aborted, also when the signal was aborted before", async () => {
    writeFileSync(path, "");
    const controller = new AbortController();
    const aborted = observe({ ...options, signal: controller.signal });
    const stillborn = observe({ ...options, signal: AbortSignal.abort() });
    const witness = observe(options);
    await elsewhere("append", path, "x");
    expect([await aborted.next(), await witness.next()]).toEqual([
      { kind: "changed", size: 1 },
      { kind: "changed", size: 1 },
    ]);
    controller.abort();
    for (let count = 2; count <= 3; count++) {
      await elsewhere("append", path, "x");
      expect(await witness.next()).toEqual({ kind: "changed", size: count });
    }
    expect([aborted.reports, stillborn.reports]).toEqual([[], []]);
  });
});

describe("falling back to polling", () => {
  const options: WatchFileOptions = { mode: "auto", pollMs: 5 };

  it("happens where the folder does not exist yet", async () => {
    const folder = join(directory, "later");
    const { watch, next } = observe(options, join(folder, "one.jsonl"));
    expect(watch.mode).toBe("poll");
    await elsewhere("makeFolder", folder);
    await elsewhere("create", join(folder, "one.jsonl"));
    expect(await next()).toEqual({ kind: "appeared", size: 0 });
  });

  it("happens when the folder is deleted, so that its successor is seen", async () => {
    const folder = join(directory, "folder");
    const file = join(folder, "one.jsonl");
    await elsewhere("makeFolder", folder);
    await elsewhere("create", file);
    const { watch, next } = observe(options, file);
    expect(watch.mode).toBe("watch");
    await elsewhere("remove", folder);
    expect(await next()).toEqual({ kind: "vanished", size: 0 });
    await elsewhere("makeFolder", folder);
    await vi.waitFor(() => expect(watch.mode).toBe("poll"), { timeout: 60_000 });
    await elsewhere("create", file);
    expect(await next()).toEqual({ kind: "appeared", size: 0 });
  });

  it("happens when the system has no watches left", async () => {
    vi.spyOn(fs, "watch").mockImplementation(() => {
      throw Object.assign(new Error("ENOSPC: System limit for number of file watchers reached"), { code: "ENOSPC" });
    });
    syncBuiltinESMExports();
    writeFileSync(path, "");
    const { watch, next } = observe(options);
    expect(watch.mode).toBe("poll");
    await elsewhere("append", path, "x");
    expect(await next()).toEqual({ kind: "changed", size: 1 });
  });

  it("happens when the watch fails later", async () => {
    const spy = vi.spyOn(fs, "watch");
    syncBuiltinESMExports();
    writeFileSync(path, "");
    const { watch, next } = observe(options);
    expect(watch.mode).toBe("watch");
    const watcher = spy.mock.results[0]?.value as FSWatcher;
    watcher.emit("error", Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }));
    expect(watch.mode).toBe("poll");
    await elsewhere("append", path, "x");
    expect(await next()).toEqual({ kind: "changed", size: 1 });
  });
});

it("costs few looks when much happens in the folder at once", async () => {
  writeFileSync(path, "");
  const { next } = observe();
  const looks = vi.spyOn(fs, "statSync");
  syncBuiltinESMExports();
  for (let count = 0; count < 200; count++) writeFileSync(join(directory, `${count}.jsonl`), "x");
  await elsewhere("append", path, "x");
  expect(await next()).toEqual({ kind: "changed", size: 1 });
  expect(looks.mock.calls.length).toBeLessThan(20);
});

it("watches a file behind a symbolic link where it really is", async () => {
  await elsewhere("makeFolder", join(directory, "links"));
  const link = join(directory, "links", "linked.jsonl");
  writeFileSync(path, "");
  symlinkSync(path, link);
  withoutRegularLooks();
  const { watch, next } = observe({}, link);
  await elsewhere("append", path, "x");
  expect(await next()).toEqual({ kind: "changed", size: 1 });
  expect(watch.mode).toBe("watch");
});

it("looks now and then while watching, because some file systems lose events", () => {
  vi.spyOn(fs, "watch").mockImplementation((() => {
    const deaf = new EventEmitter();
    return Object.assign(deaf, { close() {} });
  }) as unknown as typeof fs.watch);
  syncBuiltinESMExports();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  writeFileSync(path, "");
  const { watch, reports } = observe();
  appendFileSync(path, "x");
  vi.advanceTimersByTime(60_000);
  expect([watch.mode, reports]).toEqual(["watch", [{ kind: "changed", size: 1 }]]);
});

it("does not keep a process alive that has nothing else to do, in either mode", async () => {
  writeFileSync(path, "");
  const child = spawn(process.execPath, [support("watch-idle.mjs"), path]);
  child.stderr.pipe(process.stderr);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  expect(await once(child, "close")).toEqual([0, null]);
  expect(output).toBe("watch poll\n");
});
