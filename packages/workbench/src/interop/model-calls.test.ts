/** What is read of model calls without a conversion is what a conversion finds, on every sample transcript. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, test } from "vitest";
import { FIXTURES } from "../../../../test/support/interop-source.js";
import { headOf } from "./codex/rollout-head.js";
import type { ForeignReader, ForeignSession } from "./contract.js";
import { foreignLines, objectIn } from "./foreign-lines.js";
import { openSource, READERS } from "./index.js";
import type { ModelCall } from "./model-call.js";
import { convertedModelCalls, modelCalls } from "./model-calls.js";

const OWN = fileURLToPath(new URL("../../../../test/fixtures/interop", import.meta.url));
const ROOTS = [OWN, join(FIXTURES, "foreign"), join(FIXTURES, "real")].filter((root) => existsSync(root));
const FILES = ROOTS.flatMap((root) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(
      (item) => item.isFile() && /\.(?:jsonl|json|zst)$/.test(item.name) && !item.parentPath.includes("subagents"),
    )
    .map((item) => join(item.parentPath, item.name)),
);

async function* sessions(agent: string): AsyncGenerator<ForeignSession> {
  const reader = READERS.find((known) => known.agent === agent) as ForeignReader;
  for (const file of FILES) if (await reader.detect(file)) yield* await reader.describe(file);
}

async function gathered(calls: AsyncIterable<ModelCall> | Iterable<ModelCall>): Promise<ModelCall[]> {
  const all: ModelCall[] = [];
  for await (const call of calls) all.push(call);
  return all;
}

function counts(calls: readonly ModelCall[]): string[] {
  return calls
    .map(({ model, input, output, cacheRead, cacheWrite }) => [model, input, output, cacheRead, cacheWrite].join(" "))
    .sort();
}

describe("the calls of a transcript, read from its bytes", () => {
  test.each(["claude-code", "codex"])("are those of its conversion: %s", async (agent) => {
    let seen = 0;
    for await (const source of sessions(agent)) {
      if (source.problem !== undefined) continue;
      const [quick, whole] = [await gathered(modelCalls(source)), await gathered(convertedModelCalls(source))];
      // The conversion of a fork that names its parent's file includes the parent's calls, which belong to the parent.
      const own = (await continuesAnother(source)) ? quick : whole;
      expect({ path: source.path, calls: counts(quick) }).toEqual({ path: source.path, calls: counts(own) });
      seen += quick.length;
    }
    if (existsSync(FIXTURES)) expect(seen).toBeGreaterThan(50);
  });

  test("of Claude Code are on the path exactly if they are on the path of the conversion", async () => {
    for await (const source of sessions("claude-code")) {
      if (source.problem !== undefined || !isLinked(source)) continue;
      const opened = await openSource(source);
      const path = new Set<unknown>();
      for (const entry of opened.session.readBranch()) path.add(responseIdOf(entry));
      opened.close();
      const quick = (await gathered(modelCalls(source))).filter(
        ({ place, responseId }) => place !== "subagent" && responseId !== undefined,
      );
      const told = quick.map(({ responseId, place }) => [responseId, place]);
      expect({ path: source.path, told }).toEqual({
        path: source.path,
        told: quick.map(({ responseId }) => [responseId, path.has(responseId) ? "path" : "left"]),
      });
    }
  });
});

/** Some samples were trimmed or written by hand: their records have no parents, or all the same ID. */
function isLinked({ path }: ForeignSession): boolean {
  const records = [...foreignLines(path)]
    .map(({ text }) => objectIn(text))
    .filter((record) => record?.uuid !== undefined);
  const roots = records.filter((record) => record?.parentUuid === null && record.type !== "system");
  return roots.length <= 1 && new Set(records.map((record) => record?.uuid)).size === records.length;
}

async function continuesAnother({ agent, path }: ForeignSession): Promise<boolean> {
  return agent === "codex" && (await headOf(path))?.identity?.base !== undefined;
}

function responseIdOf(entry: SessionEntry): unknown {
  return entry.type === "message" ? (entry.message as { readonly responseId?: unknown }).responseId : undefined;
}
