import { describe, expect, test } from "vitest";
import { Heights } from "./heights.js";

describe("heights of a list", () => {
  test("sums, and finds the item at a distance, before and after something was measured", () => {
    const heights = new Heights(5, (index) => (index + 1) * 10);
    const starts = () => [0, 1, 2, 3, 4, 5].map((index) => heights.before(index));
    expect(starts()).toEqual([0, 10, 30, 60, 100, 150]);
    expect([0, 9, 10, 59, 60, 149, 150, 9999, -5].map((distance) => heights.at(distance))).toEqual([
      0, 0, 1, 2, 3, 4, 4, 4, 0,
    ]);
    expect(heights.set(1, 120)).toBe(true);
    expect(heights.set(1, 120.2)).toBe(false);
    expect(starts()).toEqual([0, 10, 130, 160, 200, 250]);
    expect(heights.at(129)).toBe(1);
    expect(heights.total).toBe(250);
  });

  test("agrees with adding up, for a list that is not a power of two", () => {
    const heights = new Heights(1000, (index) => index % 7);
    for (let index = 0; index < 1000; index += 13) heights.set(index, index % 31);
    let sum = 0;
    for (let index = 0; index < 1000; index++) {
      expect(heights.before(index)).toBe(sum);
      sum += heights.of(index);
    }
  });

  test("an empty list has no height", () => {
    expect(new Heights(0, () => 10).total).toBe(0);
  });
});
