/** Verifying and repairing where recursion or a search per entry would show: very deep, very wide, very damaged. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repairSession, verifySession } from "@bough/session/session/index.js";
import { afterAll, describe, expect, test } from "vitest";
import { sampledRuns } from "./support/sampled.js";

const folder = mkdtempSync(join(tmpdir(), "bough-large-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TIME = "2026-01-02T03:04:05.000Z";
const HEADER = `{"type":"session","version":3,"id":"s","timestamp":"${TIME}","cwd":"/"}`;

function written(name: string, count: number, lineOf: (n: number) => string): string {
  const path = join(folder, name);
  const out = openSync(path, "w");
  let batch = `${HEADER}\n`;
  for (let n = 0; n < count; n++) {
    batch += `${lineOf(n)}\n`;
    if (batch.length < 1 << 20) continue;
    writeSync(out, batch);
    batch = "";
  }
  writeSync(out, batch);
  closeSync(out);
  return path;
}

function user(n: number, parentId: string | null): string {
  const place = `"id":"${n}","parentId":${JSON.stringify(parentId)},"timestamp":"${TIME}"`;
  return `{"type":"message",${place},"message":{"role":"user","content":"x","timestamp":1}}`;
}

/** A call on even lines, its result on odd ones, all with the same call id. */
function turn(n: number): string {
  const place = `"id":"${n}","parentId":${n === 0 ? null : `"${n - 1}"`},"timestamp":"${TIME}"`;
  const block = `{"type":"toolCall","id":"call","name":"t","arguments":{}}`;
  const call = `{"role":"assistant","content":[${block}],"timestamp":1}`;
  const result = `{"role":"toolResult","toolCallId":"call","toolName":"t","content":[],"isError":false,"timestamp":1}`;
  return `{"type":"message",${place},"message":${n % 2 === 0 ? call : result}}`;
}

const broken = (line: string) => line.replace('"content"', '"content');

/** Large enough for a search per entry to show; much more with BOUGH_RUNS=all. */
const FIFTY_THOUSAND = sampledRuns({ all: 50_000, some: 6_000 });

describe("large sessions", () => {
  test("a long chain is verified, and repaired where a stretch of it is damaged", async () => {
    const count = 4 * FIFTY_THOUSAND;
    const hurt = FIFTY_THOUSAND;
    const lost = FIFTY_THOUSAND / 25;
    const sound = written("chain.jsonl", count, turn);
    expect(await verifySession(sound)).toMatchObject({ entries: count, readable: count, findings: [] });
    const path = written("damaged-chain.jsonl", count, (n) => {
      const line = user(n, n === 0 ? null : String(n - 1));
      return n >= hurt && n < hurt + lost ? broken(line) : line;
    });
    const report = await repairSession(path);
    expect(report).toMatchObject({
      kind: "repaired",
      kept: count - lost - 1,
      changed: [
        {
          line: hurt + lost + 2,
          id: `${hurt + lost}`,
          reasons: [{ kind: "new-parent", from: `${hurt + lost - 1}`, to: `${hurt - 1}` }],
        },
      ],
      proof: { readable: count - lost, found: count - lost },
    });
  });

  test("very many siblings are verified, and repaired where every hundredth is damaged", async () => {
    const lost = FIFTY_THOUSAND / 50;
    const count = 100 * lost + 1;
    const sibling = (n: number) => user(n, n === 0 ? null : "0");
    const sound = written("siblings.jsonl", count, sibling);
    expect(await verifySession(sound)).toMatchObject({ entries: count, readable: count, findings: [] });
    const path = written("damaged-siblings.jsonl", count, (n) => (n % 100 === 50 ? broken(sibling(n)) : sibling(n)));
    const report = await repairSession(path);
    expect(report).toMatchObject({
      kind: "repaired",
      changed: [],
      proof: { readable: count - lost, found: count - lost },
    });
    expect(report.kind === "repaired" && report.dropped.length).toBe(lost);
  });

  test("a long cycle is cut once", async () => {
    const count = 2 * FIFTY_THOUSAND;
    const path = written("cycle.jsonl", count, (n) => user(n, String((n + 1) % count)));
    const report = await repairSession(path);
    expect(report).toMatchObject({ kind: "repaired", kept: count - 1, proof: { readable: count, found: count } });
    expect(report.before.findings.map(({ code }) => code)).toEqual(["cycle"]);
  });

  test("a long file written twice is the same file with every line repeated", async () => {
    const count = FIFTY_THOUSAND;
    const path = written("twice.jsonl", count * 2, (n) =>
      user(n % count, n % count === 0 ? null : String((n % count) - 1)),
    );
    const report = await repairSession(path);
    expect(report).toMatchObject({
      kind: "repaired",
      kept: count,
      changed: [],
      proof: { readable: count, found: count },
    });
    expect(report.before.counts).toEqual({ damage: 0, odd: count, note: 0 });
  });
});
