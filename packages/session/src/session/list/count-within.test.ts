import { appendFileSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { header, line } from "../../../../../test/support/session-lines.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { type Countable, type CountOutcome, countable, countWithin } from "./count-within.js";

/** A session with this many prompts, each a child of the one before. */
function session(folder: string, id: string, prompts: number): string {
  const path = join(folder, `${id}.jsonl`);
  let text = header({ id });
  for (let i = 0; i < prompts; i++) text += line(`${id}${i}`, i === 0 ? null : `${id}${i - 1}`);
  writeFileSync(path, text);
  return path;
}

/** An item as a list passes it, counting how often it was counted. */
function watched(path: string): Countable & { readonly count: ReturnType<typeof vi.fn> } {
  const item = countable({ path, size: statSync(path, { throwIfNoEntry: false })?.size ?? 0 });
  return { ...item, count: vi.fn(item.count) };
}

/** The same, as a session that takes long to count. */
function slow(path: string, { bytes = statSync(path).size } = {}) {
  return { ...watched(path), slowBytes: bytes };
}

/** Adds this many prompts at the end. */
function grow(path: string, prompts: number): void {
  const before = readFileSync(path, "utf8").split("\n").length;
  for (let i = 0; i < prompts; i++) appendFileSync(path, line(`more${before + i}`, null));
}

const turns = (outcomes: readonly CountOutcome[]) =>
  outcomes.map((outcome) => ("counts" in outcome ? outcome.counts.turnCount : outcome.kind));

describe("counting within a budget", () => {
  it("goes from first to last, and skips what does not fit", async () => {
    const folder = tempFolder();
    const items = [3, 200, 2, 4].map((prompts, i) => watched(session(folder, `s${i}`, prompts)));
    const [small, , least] = items.map(({ work }) => work()) as [number, number, number, number];
    expect(turns(await countWithin(items, { budget: small + least }))).toEqual([3, "left-out", 2, "left-out"]);
    expect(turns(await countWithin(items))).toEqual([3, 200, 2, 4]);
  });

  it("takes a file in an old dialect for a larger one, since it is upgraded before", async () => {
    const folder = tempFolder();
    const path = join(folder, "old.jsonl");
    const entry = (text: string) => line(text, null, { id: undefined, parentId: undefined });
    writeFileSync(path, header({ version: undefined }) + entry("a") + entry("b"));
    const { size } = statSync(path);
    expect(turns(await countWithin([watched(path)], { budget: 2 * size }))).toEqual(["left-out"]);
    expect(turns(await countWithin([watched(path)]))).toEqual([2]);
  });

  it("has an outcome also for what is gone, or no session file", async () => {
    const folder = tempFolder();
    const items = [watched(join(folder, "gone.jsonl")), watched(folder), watched(session(folder, "s", 1))];
    expect(turns(await countWithin(items))).toEqual(["failed", "failed", 1]);
  });

  it("reports its progress", async () => {
    const folder = tempFolder();
    const items = [1, 2].map((prompts) => watched(session(folder, `s${prompts}`, prompts)));
    const onProgress = vi.fn();
    await countWithin(items, { onProgress });
    expect(onProgress.mock.calls).toEqual([[{ done: 1, total: 2 }], [{ done: 2, total: 2 }]]);
  });
});

describe("counting with a cache", () => {
  it("counts a session once, until it is written to", async () => {
    const folder = tempFolder();
    const cache = join(folder, "cache", "counts.jsonl");
    const path = session(folder, "s", 3);
    const other = session(folder, "t", 1);
    expect(turns(await countWithin([watched(path), watched(other)], { cache }))).toEqual([3, 1]);

    const again = [watched(path), watched(other)];
    expect(turns(await countWithin(again, { cache, budget: 0 }))).toEqual([3, 1]);
    expect(again.map(({ count }) => count.mock.calls.length)).toEqual([0, 0]);

    appendFileSync(path, line("new", "s2"));
    const grown = [watched(path), watched(other)];
    expect(turns(await countWithin(grown, { cache }))).toEqual([4, 1]);
    expect(grown.map(({ count }) => count.mock.calls.length)).toEqual([1, 0]);
  });

  it("leaves out again what it left out if that takes long, until it has grown by half or the budget is lifted", async () => {
    const folder = tempFolder();
    const cache = join(folder, "counts.jsonl");
    const [path, other] = [session(folder, "s", 8), session(folder, "t", 1)] as const;
    expect(turns(await countWithin([slow(path), watched(other)], { cache, budget: 0 }))).toEqual([
      "left-out",
      "left-out",
    ]);
    expect(turns(await countWithin([slow(path), watched(other)], { cache, budget: 1 << 20 }))).toEqual(["left-out", 1]);
    grow(path, 1);
    expect(turns(await countWithin([slow(path)], { cache, budget: 1 << 20 }))).toEqual(["left-out"]);
    expect(turns(await countWithin([slow(path)], { cache }))).toEqual([9]);
    expect(turns(await countWithin([slow(path)], { cache, budget: 0 }))).toEqual([9]);
  });

  it("shows earlier counts of a session that takes long, and counts it again once it has grown by half", async () => {
    const folder = tempFolder();
    const cache = join(folder, "counts.jsonl");
    const path = session(folder, "s", 8);
    const listed = async (...given: Parameters<typeof slow>) => {
      const item = slow(...given);
      const [outcome] = await countWithin([item], { cache, budget: 1 << 20 });
      return [outcome?.kind, ...turns(outcome === undefined ? [] : [outcome]), item.count.mock.calls.length];
    };
    expect(await listed(path)).toEqual(["counted", 8, 1]);
    grow(path, 2);
    expect(await listed(path)).toEqual(["counted-earlier", 8, 0]);
    // Of what shares its file with others, nobody knows how much it has grown.
    expect(await listed(path, { bytes: 0 })).toEqual(["counted", 10, 1]);
    expect(await listed(path)).toEqual(["counted", 10, 0]);
    grow(path, 2);
    expect(await listed(path)).toEqual(["counted", 12, 1]);
    grow(path, 7);
    expect(await listed(path)).toEqual(["counted", 19, 1]);
  });

  it("counts a session that takes long again if another, shorter one is in its place", async () => {
    const folder = tempFolder();
    const cache = join(folder, "counts.jsonl");
    const path = session(folder, "s", 8);
    await countWithin([slow(path)], { cache });
    expect(turns(await countWithin([slow(session(folder, "s", 5))], { cache, budget: 1 << 20 }))).toEqual([5]);
  });

  it("notices another file of the same size and time in its place", async () => {
    const folder = tempFolder();
    const cache = join(folder, "counts.jsonl");
    const path = session(folder, "s", 2);
    await countWithin([watched(path)], { cache });
    const { mtime, size } = statSync(path);
    const replaced = readFileSync(path, "utf8").replace('"role":"user"', '"role":"toad"');
    writeFileSync(join(folder, "new"), replaced);
    utimesSync(join(folder, "new"), mtime, mtime);
    renameSync(join(folder, "new"), path);
    expect(statSync(path).size).toBe(size);
    expect(turns(await countWithin([watched(path)], { cache }))).toEqual([1]);
  });

  it("does not keep counts of a session that is written to while it is counted", async () => {
    const folder = tempFolder();
    const cache = join(folder, "counts.jsonl");
    const path = session(folder, "s", 2);
    const item = countable({ path, size: 1 });
    const busy: Countable = {
      ...item,
      count: () => {
        const counts = item.count();
        appendFileSync(path, line("late", "s1"));
        return counts;
      },
    };
    expect(turns(await countWithin([busy], { cache }))).toEqual([2]);
    expect(turns(await countWithin([item], { cache }))).toEqual([3]);
  });

  it("keeps what it has if stopped halfway", async () => {
    const folder = tempFolder();
    const cache = join(folder, "counts.jsonl");
    const items = [1, 2, 3].map((prompts) => watched(session(folder, `s${prompts}`, prompts)));
    const stop = new AbortController();
    const counting = countWithin(items, {
      cache,
      signal: stop.signal,
      onProgress: ({ done }) => {
        if (done === 2) stop.abort();
      },
    });
    await expect(counting).rejects.toMatchObject({ code: "aborted" });
    expect(turns(await countWithin(items, { cache, budget: 0 }))).toEqual([1, 2, "left-out"]);
  });

  it("passes on that a conversion was stopped, and takes any other failure as one", async () => {
    const path = session(tempFolder(), "s", 1);
    const stop = new AbortController();
    const failing = (signal: AbortController | undefined): Countable => ({
      ...countable({ path, size: 1 }),
      count: () => {
        signal?.abort();
        throw new Error("no");
      },
    });
    expect(turns(await countWithin([failing(undefined)], { signal: stop.signal }))).toEqual(["failed"]);
    await expect(countWithin([failing(stop)], { signal: stop.signal })).rejects.toThrow("no");
  });

  it("twice at once gives both the same counts, and a cache that can be read", async () => {
    const folder = tempFolder();
    const cache = join(folder, "cache", "counts.jsonl");
    const items = [1, 2, 3, 4].map((prompts) => watched(session(folder, `s${prompts}`, prompts)));
    const both = await Promise.all([countWithin(items, { cache }), countWithin([...items].reverse(), { cache })]);
    expect(both.map(turns)).toEqual([
      [1, 2, 3, 4],
      [4, 3, 2, 1],
    ]);
    expect(turns(await countWithin(items, { cache, budget: 0 }))).toEqual([1, 2, 3, 4]);
  });

  it("shows nothing of a session that is gone, though its counts are known", async () => {
    const folder = tempFolder();
    const cache = join(folder, "counts.jsonl");
    const path = session(folder, "s", 2);
    await countWithin([watched(path)], { cache });
    rmSync(path);
    expect(turns(await countWithin([watched(path)], { cache }))).toEqual(["failed"]);
  });
});
