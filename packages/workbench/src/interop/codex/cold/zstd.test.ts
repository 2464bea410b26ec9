/** Compressed rollouts are read while they are unpacked, and never beyond the limits. */
import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sampledRuns } from "../../../../../../test/support/sampled.js";
import { runZstd, storedZstd } from "../../../../../../test/support/stored-zstd.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { openForeign } from "../../open-foreign.js";
import { codexReader } from "../codex-reader.js";
import { UNPACK_LIMITS } from "./unpack-limits.js";
import { zstdLines } from "./zstd-lines.js";
import { zstdProblem } from "./zstd-problem.js";

const THREAD = "0196aaaa-0000-7000-8000-00000000000a";
const TIME = "2026-03-04T10:00:00.000Z";
const META = JSON.stringify({
  ...{ timestamp: TIME, type: "session_meta" },
  payload: { id: THREAD, timestamp: TIME, cwd: "/repo", originator: "x", cli_version: "0.1.0" },
});

function rollout(bytes: Buffer): string {
  const path = join(tempFolder(), `rollout-2026-03-04T10-00-00-${THREAD}.jsonl.zst`);
  writeFileSync(path, bytes);
  return path;
}

async function linesOf(path: string, limits = UNPACK_LIMITS): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of zstdLines(path, { limits })) texts.push(text);
  return texts;
}

describe("a compressed rollout", () => {
  it("is read block by block, across block and frame boundaries", async () => {
    const text = (from: number) => Array.from({ length: 30_000 }, (_, at) => `line ${from + at}\n`).join("");
    const path = rollout(Buffer.concat([storedZstd(Buffer.from(text(0))), storedZstd(Buffer.from(text(30_000)))]));
    const lines = await linesOf(path);
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([60_000, "line 0", "line 59999"]);
    expect(await zstdProblem(path)).toBeUndefined();
  });

  const hasZstd = spawnSync("zstd", ["--version"]).status === 0;
  it.skipIf(!hasZstd)("is read as zstd itself packs it", async () => {
    const text = Array.from({ length: 50_000 }, (_, at) => `{"n":${at},"word":"${(at * 7919) % 1000}"}`).join("\n");
    const packed = execFileSync("zstd", ["-c", "-q", "--check"], { input: text, maxBuffer: 1 << 27 });
    expect((await linesOf(rollout(packed))).join("\n")).toBe(text);
  });

  it("yields what comes before damage, and one line for the rest", async () => {
    const whole = storedZstd(Buffer.from("a\n".repeat(200_000)));
    const lines = await linesOf(rollout(whole.subarray(0, whole.length - 10)));
    expect(lines.length).toBeGreaterThan(100_000);
    expect(lines.at(-1)).toBe("(the compressed file is damaged from here)");
  });
});

describe("a compressed rollout that unpacks to gigabytes", () => {
  const bomb = () => rollout(Buffer.concat([storedZstd(Buffer.from(`${META}\n`)), runZstd(0x20, 8 * 2 ** 30)]));

  it("is listed as too large, with the reason", async () => {
    const path = bomb();
    const [session] = await codexReader.describe(path);
    expect(session).toMatchObject({
      title: "(too large: it unpacks to more than 400 times its size)",
      problem: { kind: "too-large", reason: "It unpacks to more than 400 times its size." },
    });
    await expect(openForeign(path)).rejects.toMatchObject({
      code: "too-large",
      message: `${path} is too large to read. It unpacks to more than 400 times its size.`,
    });
  });

  it("is not unpacked beyond the limits even if a list could not tell", async () => {
    const limits = { ...UNPACK_LIMITS, bytes: 2 ** 24 };
    await expect(linesOf(bomb(), limits)).rejects.toMatchObject({ code: "too-large" });
  });

  it("lets timers and signals run", async () => {
    const path = rollout(runZstd(0x20, sampledRuns({ all: 2 ** 28, some: 2 ** 25 })));
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 1);
    await linesOf(path, { ...UNPACK_LIMITS, free: 2 ** 30 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });

  it("is recognized by its header before anything is unpacked", async () => {
    const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8]);
    const path = rollout(Buffer.concat([header, Buffer.alloc(32)]));
    expect(await zstdProblem(path)).toEqual({
      kind: "too-large",
      reason: "It needs more than 32 MB of memory to unpack.",
    });
  });

  it("is not suspected if it merely compresses well", async () => {
    const path = rollout(runZstd(0x0a, 2 ** 25));
    expect(await zstdProblem(path)).toBeUndefined();
  });
});
