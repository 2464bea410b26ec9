import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import type { SessionCounts } from "./count-log.js";
import { CountsCache } from "./counts-cache.js";

const counts = (turnCount: number, name?: string): SessionCounts => ({
  name,
  messageCount: 2 * turnCount,
  turnCount,
  branchCount: 1,
  cost: { dollars: turnCount / 8, unpriced: 1 },
});

/** A folder for the cache, and files whose counts are kept. */
function place() {
  const folder = tempFolder();
  const session = (name: string): string => {
    const path = join(folder, `${name}.jsonl`);
    writeFileSync(path, "");
    return path;
  };
  return { folder, session, file: join(folder, "cache", "counts.jsonl") };
}

describe("the cache of counts", () => {
  it("gives back what was kept, to the next process, in a private file", () => {
    const { file, session } = place();
    const a = session("a");
    const cache = new CountsCache(file);
    cache.keep({ path: a }, { stamp: "s1" }, counts(3, "A \u001b name"));
    cache.keep({ path: a, id: "one" }, { stamp: "s2" }, counts(4));
    cache.save();
    const next = new CountsCache(file);
    expect([next.find({ path: a }, "s1"), next.find({ path: a, id: "one" }, "s2")]).toEqual([
      counts(3, "A \u001b name"),
      counts(4),
    ]);
    expect([statSync(file).mode & 0o777, statSync(dirname(file)).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(dirname(file))).toEqual(["counts.jsonl"]);
  });

  it("knows nothing of a session that has changed, or of another one in the same file", () => {
    const { file, session } = place();
    const a = session("a");
    const cache = new CountsCache(file);
    cache.keep({ path: a, id: "one" }, { stamp: "s1" }, counts(3));
    expect([
      cache.find({ path: a, id: "one" }, "s2"),
      cache.find({ path: a, id: "two" }, "s1"),
      cache.find({ path: a }, "s1"),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it("is not touched where nothing is new", () => {
    const { file, session } = place();
    new CountsCache(file).save();
    expect(readdirSync(dirname(dirname(file)))).toEqual([]);
    const cache = new CountsCache(file);
    cache.keep({ path: session("a") }, { stamp: "s1" }, counts(1));
    cache.save();
    rmSync(file);
    cache.save();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it("keeps what another process saved in the meantime", () => {
    const { file, session } = place();
    const [a, b] = [session("a"), session("b")];
    const [one, two] = [new CountsCache(file), new CountsCache(file)];
    one.keep({ path: a }, { stamp: "s" }, counts(1));
    two.keep({ path: b }, { stamp: "s" }, counts(2));
    one.save();
    two.save();
    const next = new CountsCache(file);
    expect([next.find({ path: a }, "s"), next.find({ path: b }, "s")]).toEqual([counts(1), counts(2)]);
  });

  it("forgets sessions whose file is gone", () => {
    const { file, session } = place();
    const [a, b] = [session("a"), session("b")];
    const cache = new CountsCache(file);
    cache.keep({ path: a }, { stamp: "s" }, counts(1));
    cache.keep({ path: b }, { stamp: "s" }, counts(2));
    cache.save();
    rmSync(a);
    const later = new CountsCache(file);
    later.keep({ path: b }, { stamp: "t" }, counts(3));
    later.save();
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
    expect(new CountsCache(file).find({ path: b }, "t")).toEqual(counts(3));
  });

  it("does not grow forever: the oldest counts are dropped first", () => {
    const { file, session } = place();
    const a = session("a");
    const cache = new CountsCache(file);
    for (let i = 0; i < 10_001; i++) cache.keep({ path: a, id: `s${i}` }, { stamp: "s" }, counts(1));
    cache.keep({ path: a, id: "long" }, { stamp: "s" }, counts(1, "name ".repeat(1000)));
    cache.save();
    const next = new CountsCache(file);
    expect(["s0", "s1", "s2", "s10000", "long"].map((id) => next.find({ path: a, id }, "s") !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
  });
});

describe("a cache that cannot be used", () => {
  function saved(): { readonly file: string; readonly path: string } {
    const { file, session } = place();
    const path = session("a");
    const cache = new CountsCache(file);
    cache.keep({ path }, { stamp: "s" }, counts(1));
    cache.keep({ path, id: "x" }, { stamp: "s" }, counts(2));
    cache.save();
    return { file, path };
  }
  const changed = (change: (text: string) => string | Buffer) => {
    const { file, path } = saved();
    writeFileSync(file, change(readFileSync(file, "utf8")));
    const cache = new CountsCache(file);
    return [cache.find({ path }, "s"), cache.find({ path, id: "x" }, "s")];
  };

  it.each([
    ["empty", () => ""],
    ["no text", () => Buffer.from([0, 255, 254, 10, 7])],
    ["of a newer version", (text: string) => text.replace('"version":1', '"version":2')],
    ["without its first line", (text: string) => text.slice(text.indexOf("\n") + 1)],
    ["something else", () => '{"type":"session","version":1}\n'],
    ["null", () => "null\n"],
  ])("counts as empty where it is %s", (_, change) => {
    expect(changed(change)).toEqual([undefined, undefined]);
  });

  it.each([
    ["cut off", (text: string) => text.slice(0, -20)],
    ["no JSON", (text: string) => text.replace('"id":"x"', '"id"')],
    ["without a count", (text: string) => text.replace('"messages":4,', "")],
    ["with a count below nothing", (text: string) => text.replace('"messages":4,', '"messages":-4,')],
    ["with a count that is no whole number", (text: string) => text.replace('"messages":4,', '"messages":4.5,')],
    ["with a price that is none", (text: string) => text.replace('"dollars":0.25', '"dollars":"0.25"')],
    ["with a name that is none", (text: string) => text.replace('"id":"x",', '"id":"x","name":7,')],
  ])("loses a line that is %s, and no other", (_, change) => {
    expect(changed(change)).toEqual([counts(1), undefined]);
  });

  it("is written again if it was damaged", () => {
    const { file, path } = saved();
    writeFileSync(file, "rubbish");
    const cache = new CountsCache(file);
    cache.keep({ path }, { stamp: "t" }, counts(5));
    cache.save();
    expect(new CountsCache(file).find({ path }, "t")).toEqual(counts(5));
  });

  it("is not an error if it cannot be written", () => {
    const { folder, session } = place();
    const path = session("a");
    mkdirSync(join(folder, "folder.jsonl"));
    for (const file of [join(path, "cache", "counts.jsonl"), join(folder, "folder.jsonl")]) {
      const cache = new CountsCache(file);
      cache.keep({ path }, { stamp: "s" }, counts(1));
      cache.save();
      expect(cache.find({ path }, "s")).toEqual(counts(1));
    }
    expect(readdirSync(folder).sort()).toEqual(["a.jsonl", "folder.jsonl"]);
  });

  it("may grow at its end with lines of others", () => {
    const { file, path } = saved();
    appendFileSync(file, "\n\n{}\n[]\n7\n");
    expect(new CountsCache(file).find({ path }, "s")).toEqual(counts(1));
  });
});
