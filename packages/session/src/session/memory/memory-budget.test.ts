import { describe, expect, it } from "vitest";
import { MemoryBudget } from "./memory-budget.js";

/** Owners that hold what they are given until they are asked to release it. */
function owners(limit: number, count: number) {
  const budget = new MemoryBudget(limit);
  const held = new Array<number>(count).fill(0);
  const shares = held.map((_, i) =>
    budget.share(() => {
      held[i] = 0;
    }),
  );
  const hold = (i: number, bytes: number) => {
    held[i] = bytes;
    shares[i]?.resize(bytes);
  };
  return { budget, held, hold };
}

describe("the memory of all sessions", () => {
  it("shares one budget, and the least recently used are dropped first", () => {
    const { budget, held, hold } = owners(100, 4);
    hold(0, 40);
    hold(1, 40);
    hold(0, 41);
    hold(2, 15);
    expect(held).toEqual([41, 40, 15, 0]);
    hold(3, 30);
    expect([held, budget.used]).toEqual([[41, 0, 15, 30], 86]);
  });

  it("spares the one that asks, which respects the limit itself", () => {
    const { budget, held, hold } = owners(100, 2);
    hold(1, 50);
    hold(0, 120);
    expect([held, budget.used]).toEqual([[120, 0], 120]);
    hold(0, 0);
    expect(budget.used).toBe(0);
  });

  it("is dropped at once when the limit is lowered", () => {
    const { budget, held, hold } = owners(100, 3);
    for (const i of [0, 1, 2]) hold(i, 30);
    budget.setLimit(50);
    expect([held, budget.used, budget.limit]).toEqual([[0, 0, 30], 30, 50]);
  });

  it("is counted right, whatever a thousand owners do", () => {
    const { budget, held, hold } = owners(10_000, 1000);
    for (let i = 0; i < 5000; i++) hold((i * 7919) % 1000, (i * 31) % 200);
    expect(budget.used).toBe(held.reduce((sum, bytes) => sum + bytes, 0));
    expect(budget.used).toBeLessThanOrEqual(10_000);
  });
});
