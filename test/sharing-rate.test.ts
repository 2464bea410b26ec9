import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { scanEntries } from "@bough/workbench/export/index.js";
import { expect, test } from "vitest";
import { roomsIn } from "../scripts/build/packages.mjs";
import { sampledStep } from "./support/sampled.js";

const rooms = roomsIn(join(import.meta.dirname, ".."));
/** As much of a file as a tool shows at once. */
const PIECE = 20_000;

test("ordinary source code raises less than one alarm for each megabyte", async () => {
  let bytes = 0;
  const step = sampledStep(3);
  function* pieces() {
    const items = rooms.flatMap(({ folder }) => readdirSync(folder, { recursive: true, withFileTypes: true }));
    for (const [index, item] of items.entries()) {
      if (index % step !== 0) continue;
      // The tests of the scan itself are full of what it looks for.
      if (!item.isFile() || item.parentPath.includes("secrets") || !/\.tsx?$/.test(item.name)) continue;
      const path = join(item.parentPath, item.name);
      const text = readFileSync(path, "utf8");
      bytes += text.length;
      for (let start = 0; start < text.length; start += PIECE) {
        const content = text.slice(start, start + PIECE);
        const message = { role: "user", content, timestamp: 1 } as const;
        yield { type: "message", id: path, parentId: null, timestamp: "", message } as const;
      }
    }
  }
  const { findings } = await scanEntries(pieces(), { environment: {} });
  const alarms = findings.map(({ entryId, rule, excerpt }) => `${entryId}: ${rule}: ${excerpt}`);
  expect(bytes).toBeGreaterThan(2_000_000);
  expect({ alarms, rate: alarms.length / (bytes / 1e6) }).toEqual({
    alarms,
    rate: expect.toSatisfy((rate: number) => rate < 1),
  });
});
