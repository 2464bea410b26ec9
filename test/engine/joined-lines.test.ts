/**
 * Files as they become when one program cuts a session short while others append to it: lines joined to stumps, written
 * again, out of order, in rings. Whatever the bytes, every door answers with what can be read or with a coded error.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CodedError } from "@bough/session/entry/index.js";
import { repairSession, SessionManager, searchSessions, verifySession } from "@bough/session/session/index.js";
import { joinedDamage, sessionLines } from "@bough/session/session/repair/random-damage.test-support.js";
import { exportSession } from "@bough/workbench/export/index.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sampledRuns } from "../support/sampled.js";
import { fastFolder } from "../support/temp-folder.js";

/** The result of an action, or its code if it may fail. Anything else fails the test. */
async function coded<Result>(act: () => Result | Promise<Result>): Promise<Result | string> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof CodedError) return error.code;
    throw error;
  }
}

const OLD = ['"version":3', '"version":2'] as const;
const damagedFile = fc
  .tuple(sessionLines, fc.array(joinedDamage(), { minLength: 1, maxLength: 5 }), fc.boolean())
  .map(([lines, damages, old]) => {
    const text = `${lines.join("\n")}\n`;
    const whole = Buffer.from(old ? text.replace(...OLD) : text);
    return damages.reduce<Buffer>((bytes, hurt) => hurt(bytes), whole);
  });

async function readAll(path: string, file: string): Promise<string[]> {
  const session = SessionManager.open(path, undefined, { readOnly: true });
  try {
    session.buildSessionContext();
    const ids = session.getEntries().map(({ id }) => id);
    for (const [i, scope] of (["all", "path", "branch"] as const).entries()) {
      for (const format of ["jsonl", "markdown"] as const) {
        const request = { file: `${file}.${i}.${format === "jsonl" ? "jsonl" : "md"}`, scope, format };
        await exportSession(session, { ...request, now: () => new Date(0) });
      }
    }
    return ids;
  } finally {
    session.close();
  }
}

describe("any file of joined, cut, repeated and reordered lines", () => {
  it("opens, verifies, repairs, searches, exports and upgrades, or fails with a code", async () => {
    const folder = fastFolder();
    let files = 0;
    await fc.assert(
      fc.asyncProperty(damagedFile, async (bytes) => {
        const path = join(folder, `${files++}.jsonl`);
        writeFileSync(path, bytes);
        const read = await coded(() => readAll(path, join(folder, `out-${files}`)));
        const report = await coded(() => verifySession(path));
        const hits: string[] = [];
        for await (const hit of searchSessions("text", { files: [path] })) hits.push(hit.entryId);
        const repaired = await coded(() => repairSession(path));
        expect(readFileSync(path).equals(bytes)).toBe(true);
        if (typeof read !== "string" && typeof report !== "string") {
          expect(read).toHaveLength(report.entries);
          expect(hits.filter((id) => !read.includes(id))).toEqual([]);
          expect(typeof repaired === "string" ? repaired : repaired.kind).toMatch(/^(clean|repaired|future-version)$/);
        }
        const written = await coded(() => {
          const session = SessionManager.open(path);
          const backup = session.getUpgradeBackup();
          session.close();
          return { backup };
        });
        if (typeof written === "string" || written.backup === undefined) return;
        expect(readFileSync(written.backup).equals(bytes)).toBe(true);
        expect(existsSync(path)).toBe(true);
        expect(await coded(() => readAll(path, join(folder, `new-${files}`)))).toEqual(read);
      }),
      { numRuns: sampledRuns({ all: 150, some: 10 }) },
    );
  });
});
