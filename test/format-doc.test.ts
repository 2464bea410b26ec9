import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Kind, Role } from "@bough/session/entry/index.js";
import { createUpgrade, kindOfType, roleOfName } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterAll, describe, expect, test } from "vitest";
import { jsonlBlocks, type SampleBlock } from "./support/jsonl-blocks.js";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const blocks = jsonlBlocks(readFileSync(join(root, "docs", "format.md"), "utf8"));
const current = blocks.filter((block) => !block.marks.includes("old-version"));

type FieldKind = "string" | "number" | "boolean" | "object" | "array" | "content" | "any";
type Fields = Readonly<Record<string, FieldKind>>;

/** What each type of entry must carry beyond the four common fields. */
const FIELDS_BY_KIND: ReadonlyMap<Kind, Fields> = new Map<Kind, Fields>([
  [Kind.message, { message: "object" }],
  [Kind.modelChange, {}],
  [Kind.thinkingLevelChange, { thinkingLevel: "any" }],
  [Kind.modeChange, { mode: "string" }],
  [Kind.ruleInjection, { injectedRules: "array" }],
  [Kind.compaction, { summary: "string", firstKeptEntryId: "string", tokensBefore: "number" }],
  [Kind.branchSummary, { fromId: "string", summary: "string" }],
  [Kind.custom, { customType: "string" }],
  [Kind.customMessage, { customType: "string", content: "content", display: "boolean" }],
  [Kind.label, { targetId: "string" }],
  [Kind.sessionInfo, {}],
  [Kind.contextEdit, { targetId: "string", replacement: "any" }],
  [Kind.usage, { kind: "string", provider: "string", model: "string", usage: "object" }],
]);

const FIELDS_BY_ROLE: ReadonlyMap<Role, Fields> = new Map<Role, Fields>([
  [Role.user, { content: "content" }],
  [
    Role.assistant,
    { content: "array", api: "string", provider: "string", model: "string", usage: "object", stopReason: "string" },
  ],
  [Role.toolResult, { toolCallId: "string", toolName: "string", content: "array", isError: "boolean" }],
  [Role.bashExecution, { command: "string", output: "string", cancelled: "boolean", truncated: "boolean" }],
  [Role.custom, { customType: "string", content: "content", display: "boolean" }],
  [Role.branchSummary, { summary: "string", fromId: "string" }],
  [Role.compactionSummary, { summary: "string", tokensBefore: "number" }],
  [Role.system, { content: "content" }],
]);

const COMMON: Fields = { type: "string", id: "string", parentId: "any", timestamp: "string" };
const HEADER: Fields = { type: "string", version: "number", id: "string", timestamp: "string", cwd: "string" };

function hasKind(value: unknown, kind: FieldKind): boolean {
  if (kind === "any") return value !== undefined;
  if (kind === "array") return Array.isArray(value);
  if (kind === "content") return typeof value === "string" || Array.isArray(value);
  if (kind === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === kind;
}

function faultsIn(record: Readonly<Record<string, unknown>>, fields: Fields): string[] {
  return Object.entries(fields)
    .filter(([name, kind]) => !hasKind(record[name], kind))
    .map(([name, kind]) => `${name} is not ${kind}`);
}

/** Everything that is wrong with a version 3 block, as sentences. */
function faultsOf(block: SampleBlock): readonly string[] {
  const faults: string[] = [];
  const ids = new Set<string>();
  for (const { line, text } of block.lines) {
    const record: Record<string, unknown> = JSON.parse(text);
    const say = (found: readonly string[]) => faults.push(...found.map((fault) => `line ${line}: ${fault}`));
    const type = String(record.type);
    if (type === "session") {
      say(faultsIn(record, HEADER));
      continue;
    }
    if (type === "title" && block.marks.includes("title-line")) continue;
    say(faultsIn(record, COMMON));
    const fields = FIELDS_BY_KIND.get(kindOfType(type));
    if (fields !== undefined) say(faultsIn(record, fields));
    else if (!block.marks.includes("unknown-type")) say([`unknown type ${type}`]);
    if (type === "message") say(messageFaults(record.message as Record<string, unknown>));
    if (type === "model_change" && typeof record.model !== "string") {
      say(faultsIn(record, { provider: "string", modelId: "string" }));
    }
    if (Object.keys(record).slice(0, 4).join() !== Object.keys(COMMON).join()) say(["the common fields are not first"]);
    if (Number.isNaN(Date.parse(String(record.timestamp)))) say(["timestamp is not a time"]);
    for (const name of ["parentId", "targetId", "firstKeptEntryId", "abandonedLeafId"]) {
      const other = record[name];
      if (typeof other === "string" && !ids.has(other)) say([`${name} ${other} is not above in the block`]);
    }
    if (ids.has(String(record.id))) say([`id ${record.id} stands twice`]);
    ids.add(String(record.id));
  }
  return faults;
}

function upgraded(block: SampleBlock): SampleBlock {
  const upgrade = createUpgrade();
  return { marks: [], lines: block.lines.map(({ line, text }) => ({ line, text: upgrade.upgradeLine(text) })) };
}

function messageFaults(message: Readonly<Record<string, unknown>>): string[] {
  const fields = FIELDS_BY_ROLE.get(roleOfName(String(message.role)));
  if (fields === undefined) return [`unknown role ${message.role}`];
  return faultsIn(message, { ...fields, timestamp: "number" });
}

describe("the sample lines of docs/format.md", () => {
  test("every line is a JSON object with a type", () => {
    const types = blocks.flatMap((block) => block.lines.map(({ text }) => typeof JSON.parse(text).type));
    expect(types.length).toBeGreaterThan(40);
    expect(new Set(types)).toEqual(new Set(["string"]));
  });

  test("every line of a version 3 block has the fields of its type, a new id and a parent above it", () => {
    expect(current.flatMap(faultsOf)).toEqual([]);
  });

  test("every type of entry and every role that is read has a sample", () => {
    const records = current.flatMap((block) => block.lines.map(({ text }) => JSON.parse(text)));
    const kinds = new Set(records.map((record) => kindOfType(record.type)));
    const roles = new Set(records.flatMap((record) => (record.message ? [roleOfName(record.message.role)] : [])));
    expect([...FIELDS_BY_KIND.keys()].filter((kind) => !kinds.has(kind))).toEqual([]);
    expect([...FIELDS_BY_ROLE.keys()].filter((role) => !roles.has(role))).toEqual([]);
  });

  test("every block of an older version is a version 3 block after the upgrade, and upgrading again changes nothing", () => {
    const old = blocks.filter((block) => block.marks.includes("old-version"));
    expect(old.map((block) => JSON.parse(block.lines[0]?.text ?? "{}").version)).toEqual([undefined, 2, 2]);
    const once = old.map(upgraded);
    expect(once.flatMap(faultsOf)).toEqual([]);
    expect(once.map(upgraded)).toEqual(once);
  });

  test("the tables of this test have every kind and every role", () => {
    const odd: readonly number[] = [Kind.other, Kind.position, Kind.unreadable];
    expect([...FIELDS_BY_KIND.keys(), ...odd].sort()).toEqual([...Object.values(Kind)].sort());
    const own: readonly number[] = [Role.bough, Role.subagent, Role.attempt];
    expect([...FIELDS_BY_ROLE.keys(), Role.none, Role.other, ...own].sort()).toEqual([...Object.values(Role)].sort());
  });
});

describe("docs/format.md as session files", () => {
  const folder = mkdtempSync(join(tmpdir(), "bough-format-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function read(block: SampleBlock) {
    const file = join(folder, `block-${block.lines[0]?.line}.jsonl`);
    const texts = block.lines.map(({ text }) => text);
    const hasHeader = texts.some((text) => JSON.parse(text).type === "session");
    const header = `{"type":"session","version":3,"id":"doc","timestamp":"2026-03-01T00:00:00.000Z","cwd":"/"}`;
    writeFileSync(file, `${(hasHeader ? texts : [header, ...texts]).join("\n")}\n`);
    const session = SessionManager.open(file, undefined, { readOnly: true });
    const entries = session.getEntries();
    const problems = session.getProblems().map((problem) => problem.code);
    const leaf = session.getLeafId();
    session.close();
    return { entries, problems, leaf };
  }

  const entriesOf = (block: SampleBlock): unknown[] =>
    block.lines.map(({ text }) => JSON.parse(text)).filter((record) => !["session", "title"].includes(record.type));

  test.each(current.map((block) => [block.lines[0]?.line, block] as const))(
    "the block at line %i opens as written, without a problem",
    (_line, block) => {
      const { entries, problems } = read(block);
      expect(entries).toEqual(entriesOf(block));
      expect(problems).toEqual([]);
    },
  );

  test("a block of an older version opens as its upgrade, without a problem", () => {
    for (const block of blocks.filter(({ marks }) => marks.includes("old-version"))) {
      const { entries, problems } = read(block);
      expect(entries).toEqual(entriesOf(upgraded(block)));
      expect(problems).toEqual([]);
    }
  });

  test("the block about the leaf has the leaf the page names", () => {
    const block = blocks.find(({ lines }) => lines.some(({ text }) => text.includes("bough.position")));
    expect(block === undefined ? undefined : read(block).leaf).toBe("000000000701");
  });
});

describe("the checks above", () => {
  test("find a missing field, an unknown type, a repeated id and an absent parent", () => {
    const [block] = jsonlBlocks(
      [
        "```jsonl",
        `{"type":"label","id":"a","parentId":null,"timestamp":"2026-03-01T09:00:00.000Z"}`,
        `{"type":"weather","id":"a","parentId":"b","timestamp":"2026-03-01T09:00:00.000Z"}`,
        `{"id":"c","type":"custom","parentId":null,"timestamp":"soon","customType":"x"}`,
        "```",
      ].join("\n"),
    );
    expect(block === undefined ? [] : faultsOf(block)).toEqual([
      "line 2: targetId is not string",
      "line 3: unknown type weather",
      "line 3: parentId b is not above in the block",
      "line 3: id a stands twice",
      "line 4: the common fields are not first",
      "line 4: timestamp is not a time",
    ]);
  });
});
