import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../../test/support/code-points.js";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { Kind, kindOf, Role, roleOf } from "./kind.js";
import { parseRecord } from "./parse-entries.js";
import { newRecordScan, Scan, scanRecord } from "./scan-record.js";

const TYPES = [
  ...["message", "compaction", "branch_summary", "custom_message", "model_change", "thinking_level_change"],
  ...["mode_change", "ttsr_injection", "context_edit", "custom", "label", "session_info", "title_change", "usage"],
  ...["unreadable", "session", "title", "dream", "", "messages", "Message"],
];
const ROLES = [
  ...["user", "assistant", "toolResult", "bashExecution", "custom", "hookMessage", "branchSummary"],
  ...["compactionSummary", "system", "wizard", ""],
];

/** The result of a quick scan of a line, in the form of a full parse. */
function scanned(text: string) {
  const bytes = new TextEncoder().encode(text);
  const scan = newRecordScan();
  const kind = scanRecord(bytes, 0, bytes.length, scan);
  if (kind !== Scan.entry) return kind;
  const part = (start: number, end: number) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(start, end));
  return {
    id: part(scan.idStart, scan.idEnd),
    parentId: scan.parentStart < 0 ? null : part(scan.parentStart, scan.parentEnd),
    kind: scan.kind,
    role: scan.role,
  };
}

function parsed(text: string) {
  const record = parseRecord(text);
  if (record.kind === "header") return Scan.header;
  if (record.kind === "title") return Scan.title;
  if (record.kind === "bad") return record.reason;
  const { entry } = record;
  return { id: entry.id, parentId: entry.parentId, kind: kindOf(entry), role: roleOf(entry) };
}

const id = fc.oneof(fc.stringMatching(/^[0-9a-f]{1,12}$/), fc.string({ unit: codePoint, maxLength: 8 }));
const content = fc.oneof(fc.string({ unit: "grapheme", maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }));
const entry = fc.record(
  {
    type: fc.constantFrom(...TYPES),
    id,
    parentId: fc.oneof(id, fc.constant(null)),
    timestamp: fc.constantFrom("2026-01-15T12:00:00.000Z", "", 'a"b', "null"),
    message: fc.oneof(
      fc.record({ role: fc.constantFrom(...ROLES), content }),
      fc.record({ content, role: fc.constantFrom(...ROLES) }),
      content,
    ),
    customType: fc.constantFrom("bough.position", "bough.position2", "bough", "note"),
    data: content,
  },
  { requiredKeys: ["type", "id"] },
);

/** The fields in this order or any other, packed or with spaces: whatever a writer of this format might do. */
const line = fc
  .record({ entry, order: fc.option(fc.array(fc.nat(100), { minLength: 7, maxLength: 7 })), spaced: fc.boolean() })
  .map(({ entry: fields, order, spaced }) => {
    const pairs = Object.entries(fields);
    const sorted =
      order === null
        ? pairs
        : pairs
            .map((pair, i) => ({ pair, at: order[i] ?? 0 }))
            .sort((a, b) => a.at - b.at)
            .map(({ pair }) => pair);
    const text = sorted.map(([key, value]) => `${JSON.stringify(key)}:${spaced ? " " : ""}${JSON.stringify(value)}`);
    return `{${text.join(spaced ? ", " : ",")}}`;
  });

describe("the quick look at a line", () => {
  it("says what a full reading says, or says nothing", () => {
    fc.assert(
      fc.property(line, (text) => {
        const quick = scanned(text);
        // A header or a title without an ID is left to the full parse.
        if (quick === Scan.unclear || quick === Scan.header || quick === Scan.title) return;
        expect(quick).toEqual(parsed(text));
      }),
      { numRuns: sampledRuns({ all: 5000, some: 1000 }) },
    );
  });

  it.each(TYPES.filter((type) => !["session", "title"].includes(type)))(
    "knows the type %j as a full reading does",
    (type) => {
      const text = `{"type":"${type}","id":"a","parentId":"b","timestamp":"t","message":{"role":"user"}}`;
      expect([Scan.unclear, parsed(text)]).toContainEqual(scanned(text));
    },
  );

  it.each(ROLES)("knows the role %j as a full reading does", (role) => {
    const text = `{"type":"message","id":"a","parentId":null,"timestamp":"t","message":{"role":"${role}"}}`;
    expect([Scan.unclear, parsed(text)]).toContainEqual(scanned(text));
  });

  it("is enough for the lines Bough writes", () => {
    const head = '"id":"a","parentId":"b","timestamp":"t"';
    expect([
      scanned(`{"type":"message",${head},"message":{"role":"assistant","content":[]}}`),
      scanned(`{"type":"custom",${head},"customType":"bough.position"}`),
      scanned(`{"type":"custom",${head},"customType":"note"}`),
      scanned(`{"type":"label",${head},"targetId":"x"}`),
      scanned('{"type":"session","version":3,"id":"s"}'),
      scanned('{"type":"title","title":"T"}'),
    ]).toEqual([
      { id: "a", parentId: "b", kind: Kind.message, role: Role.assistant },
      { id: "a", parentId: "b", kind: Kind.position, role: Role.bough },
      { id: "a", parentId: "b", kind: Kind.custom, role: Role.none },
      { id: "a", parentId: "b", kind: Kind.label, role: Role.none },
      Scan.header,
      Scan.title,
    ]);
  });

  it("leaves a cut line to the full parser, or finds what is before the cut", () => {
    const text =
      '{"type":"message","id":"abc","parentId":"xyz","timestamp":"t","message":{"role":"user","content":"c"}}';
    const whole = scanned(text);
    for (let cut = 0; cut < text.length; cut++) {
      expect([Scan.unclear, whole]).toContainEqual(scanned(text.slice(0, cut)));
    }
  });

  it("does not read on behind the end of the line", () => {
    const text =
      '{"type":"message","id":"abc","parentId":"xyz","timestamp":"t","message":{"role":"user","content":"c"}}';
    const bytes = new TextEncoder().encode(text);
    for (let cut = 0; cut < 80; cut++) {
      // As in a buffer that still holds an older, longer line.
      const buffer = new Uint8Array(bytes);
      buffer[cut] = 0x0a;
      expect(scanRecord(buffer, 0, cut, newRecordScan())).toBe(Scan.unclear);
    }
  });
});
