import { describe, expect, it } from "vitest";
import { line } from "../../../../../test/support/session-lines.js";
import { LineBlocks } from "./line-blocks.js";
import { RecentLines } from "./recent-lines.js";

const written = (id: string, size = 1000) => line(id, null, { text: "x".repeat(size) }).trimEnd();
const KB = 1 << 10;

describe("the lines that sessions wrote last", () => {
  it("share one budget: the oldest of all are given up first", () => {
    const pool = new LineBlocks(256 * KB);
    const sessions = Array.from({ length: 8 }, () => new RecentLines(8 << 20, pool));
    for (const [i, recent] of sessions.entries()) recent.keep(written(`e${i}`));
    expect(sessions.map((recent, i) => recent.find(`e${i}`) !== undefined)).toEqual([
      ...Array(4).fill(false),
      ...Array(4).fill(true),
    ]);
    expect(pool.bytes).toBe(256 * KB);
  });

  it("are kept again by a session that lost all of them", () => {
    const pool = new LineBlocks(128 * KB);
    const [one, other] = [new RecentLines(8 << 20, pool), new RecentLines(8 << 20, pool)];
    one.keep(written("a"));
    for (let i = 0; i < 200; i++) other.keep(written(`o${i}`));
    expect(one.find("a")).toBeUndefined();
    expect(one.keep(written("b")).toString()).toBe(`${written("b")}\n`);
    expect([one.find("b")?.toString(), pool.bytes <= 128 * KB]).toEqual([`${written("b")}\n`, true]);
  });

  it("take no memory before the first line, little for a few, and none after they were cleared", () => {
    const pool = new LineBlocks(32 << 20);
    const sessions = Array.from({ length: 100 }, () => new RecentLines(8 << 20, pool));
    expect(pool.bytes).toBe(0);
    for (const recent of sessions) recent.keep(written("a"));
    expect(pool.bytes).toBeLessThanOrEqual(100 * 64 * KB);
    for (const recent of sessions) recent.clear();
    expect([pool.bytes, sessions[0]?.find("a")]).toEqual([0, undefined]);
  });

  it("get the same memory again in sessions that are opened and closed one by one", () => {
    const pool = new LineBlocks(32 << 20);
    const memory = new Set<ArrayBufferLike>();
    for (let i = 0; i < 100; i++) {
      const recent = new RecentLines(8 << 20, pool);
      memory.add(recent.keep(written(`e${i}`)).buffer);
      recent.clear();
    }
    expect(memory.size).toBe(1);
  });

  it("never pass the budget, whatever the lines are like", () => {
    const pool = new LineBlocks(1 << 20);
    const sessions = Array.from({ length: 20 }, () => new RecentLines(200 * KB, pool));
    for (let i = 0; i < 2000; i++) {
      const recent = sessions[(i * 7) % 20] as RecentLines;
      const text = written(`e${i}`, (i * 7919) % 90_000);
      expect(recent.keep(text).toString() === `${text}\n`).toBe(true);
      expect(pool.bytes).toBeLessThanOrEqual(1 << 20);
      if (i % 97 === 0) sessions[i % 20]?.clear();
    }
  });
});
