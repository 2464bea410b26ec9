import fc from "fast-check";
import { expect, it } from "vitest";
import { isoMilliseconds } from "./iso-milliseconds.js";

const read = (text: string) => isoMilliseconds(Buffer.from(`..${text}"`), 2);

it("reads a time as Date.parse does, or leaves it to Date.parse", () => {
  const date = fc.date({ min: new Date(-1e12), max: new Date(8e14), noInvalidDate: true });
  fc.assert(
    fc.property(date, (time) => {
      const text = time.toISOString();
      const own = read(text);
      if (!Number.isNaN(own)) expect(own).toBe(Date.parse(text));
      const isPlain = text.length === 24 && time.getTime() >= 0 && !text.includes("-02-29T");
      expect(Number.isNaN(own)).toBe(!isPlain);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ["2026-11-16T09:30:00Z"],
  ["2026-11-16T09:30:00.000+02:00"],
  ["2026-13-16T09:30:00.000Z"],
  ["2026-11-16T24:30:00.000Z"],
  ["2026-11-16T09:60:00.000Z"],
  ["2026-11-16T09:30:61.000Z"],
  ["2026-11-1xT09:30:00.000Z"],
  ["2026-11-16T09:30:00.00xZ"],
  ["yesterday"],
  [""],
])("leaves %j to Date.parse", (text) => {
  expect(read(text)).toBeNaN();
});
