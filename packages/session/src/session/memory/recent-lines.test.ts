import { describe, expect, it } from "vitest";
import { line } from "../../../../../test/support/session-lines.js";
import { RecentLines } from "./recent-lines.js";

const written = (id: string, content = id) =>
  line(id, null, { message: { role: "user", content, timestamp: 1 } }).trimEnd();

describe("the lines a process wrote", () => {
  it("are bytes with a newline, and found again by id", () => {
    const recent = new RecentLines(1 << 20);
    const kept = ["a", "b", "日本"].map((id) => recent.keep(written(id)).toString());
    expect(kept).toEqual(["a", "b", "日本"].map((id) => `${written(id)}\n`));
    expect(["b", "日本", "a"].map((id) => recent.find(id)?.toString())).toEqual([kept[1], kept[2], kept[0]]);
    expect(recent.find("c")).toBeUndefined();
  });

  it("are found also when more were kept after the first call", () => {
    const recent = new RecentLines(1 << 20);
    recent.keep(written("a"));
    expect(recent.find("b")).toBeUndefined();
    recent.keep(written("b"));
    expect(recent.find("b")?.toString()).toBe(`${written("b")}\n`);
  });

  it("are the ones kept last, where an entry was kept twice", () => {
    const recent = new RecentLines(1 << 24);
    recent.keep(written("a", "first"));
    recent.keep(written("large", "x".repeat(2 << 20)));
    recent.keep(written("a", "second"));
    expect(recent.find("a")?.toString()).toContain("second");
  });

  it("are whole wherever the end of a block is", () => {
    const text = written("b", "é日😀");
    for (let left = -2; left < 12; left++) {
      const recent = new RecentLines(1 << 20);
      const room = (1 << 16) - Buffer.byteLength(text) - Buffer.byteLength(written("a", "")) - 1 - left;
      recent.keep(written("a", "x".repeat(room)));
      expect(recent.keep(text).toString()).toBe(`${text}\n`);
      expect([recent.find("a")?.length, recent.find("b")?.toString()]).toEqual([
        written("a", "").length + room + 1,
        `${text}\n`,
      ]);
    }
  });

  it("are not mistaken for what a message says", () => {
    const recent = new RecentLines(1 << 20);
    recent.keep(written("a", written("b")));
    expect([recent.find("b"), recent.find("a")?.toString()]).toEqual([undefined, `${written("a", written("b"))}\n`]);
  });

  it("stay valid while more are kept", () => {
    const recent = new RecentLines(64 << 20);
    const first = recent.keep(written("first"));
    for (let i = 0; i < 20_000; i++) recent.keep(written(`${i}`, "x".repeat(100)));
    expect([first.toString(), recent.find("first")?.toString()]).toEqual(Array(2).fill(`${written("first")}\n`));
  });

  it("are dropped from the oldest on when the budget is used up, and the last one never", () => {
    const recent = new RecentLines(3 << 20);
    for (let i = 0; i < 10; i++) recent.keep(written(`${i}`, "x".repeat(1 << 20)));
    const found = Array.from({ length: 10 }, (_, i) => recent.find(`${i}`) !== undefined);
    expect([found.slice(0, 5), found[9]]).toEqual([Array(5).fill(false), true]);
  });

  it("are found one by one, 60,000 of them: looking through all for each one would never end", () => {
    const recent = new RecentLines(64 << 20);
    for (let i = 0; i < 60_000; i++) recent.keep(written(`${i}`));
    for (let i = 0; i < 60_000; i++) if (recent.find(`${i}`) === undefined) expect.fail(`${i} is not there`);
    expect(recent.find("60000")).toBeUndefined();
  });

  it("take a line of any length", () => {
    const recent = new RecentLines(1 << 20);
    const long = written("long", "é".repeat(3 << 20));
    expect(recent.keep(long).length).toBe(Buffer.byteLength(long) + 1);
    expect(recent.find("long")?.length).toBe(Buffer.byteLength(long) + 1);
  });
});
