/** Random sessions and random damage to them, for property tests. */
import fc from "fast-check";
import { call, entry, HEADER, line, result } from "../verify/damaged-files.test-support.js";

/** The lines of a healthy session: the header, then entries of many kinds under random parents. */
export const sessionLines: fc.Arbitrary<string[]> = fc
  .array(fc.record({ shape: fc.nat(7), parent: fc.nat() }), { minLength: 1, maxLength: 25 })
  .map((plan) => {
    const lines = [HEADER];
    const ids: string[] = [];
    for (const [at, { shape, parent }] of plan.entries()) {
      const id = `e${at.toString().padStart(3, "0")}`;
      const parentId = ids.length === 0 || parent % 11 === 0 ? null : (ids[parent % ids.length] as string);
      lines.push(randomEntry(shape, id, parentId));
      // A position record is never a parent.
      if (shape !== 0) ids.push(id);
    }
    return lines;
  });

function randomEntry(shape: number, id: string, parentId: string | null): string {
  switch (shape) {
    case 0:
      return entry(id, parentId, `"type":"custom"`, `"customType":"bough.position"`);
    case 1:
      return entry(id, parentId, `"type":"label"`, `"targetId":"${parentId ?? id}","label":"L"`);
    case 2:
      return call(id, parentId, `call-${id}`);
    case 3:
      return result(id, parentId, `call-${parentId}`);
    case 4:
      return entry(
        id,
        parentId,
        `"type":"compaction"`,
        `"summary":"s","firstKeptEntryId":"${parentId ?? id}","tokensBefore":1`,
      );
    case 5:
      return `{"message":{"role":"user","content":"other order"},"timestamp":"2026-01-01T00:00:00Z","parentId":${JSON.stringify(parentId)},"id":"${id}","type":"message"}`;
    default:
      return line(id, parentId, `text of ${id} – ünï {\\"type\\":\\"x\\"}`);
  }
}

/** One way to damage a file. */
export type Damage = (bytes: Buffer) => Buffer;

const at = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });
const place = (bytes: Buffer, where: number) => Math.floor(where * bytes.length);

export const damage: fc.Arbitrary<Damage> = fc.oneof(
  at.map(
    (where): Damage =>
      (bytes) =>
        bytes.subarray(0, place(bytes, where)),
  ),
  fc.tuple(at, fc.integer({ min: 1, max: 255 })).map(
    ([where, flip]): Damage =>
      (bytes) => {
        const copy = Buffer.from(bytes);
        if (copy.length > 0) copy[place(bytes, where)] = (copy[place(bytes, where)] as number) ^ flip;
        return copy;
      },
  ),
  fc.tuple(at, fc.nat(80)).map(
    ([where, length]): Damage =>
      (bytes) => {
        const start = place(bytes, where);
        return Buffer.concat([bytes.subarray(0, start), bytes.subarray(start + length)]);
      },
  ),
  fc.tuple(at, fc.uint8Array({ maxLength: 20 })).map(
    ([where, stray]): Damage =>
      (bytes) => {
        const start = place(bytes, where);
        return Buffer.concat([bytes.subarray(0, start), stray, bytes.subarray(start)]);
      },
  ),
  at.map(onLines((lines, n) => lines.filter((_, i) => i !== n))),
  at.map(onLines((lines, n) => lines.flatMap((text, i) => (i === n ? [text, text] : [text])))),
  at.map(onLines((lines, n) => [...lines.slice(n), ...lines.slice(0, n)])),
  at.map(onLines((lines, n) => [...lines.slice(0, n), (lines[n] ?? "") + (lines[n + 1] ?? ""), ...lines.slice(n + 2)])),
  joinedDamage(),
  fc.constant<Damage>(onLines((lines) => lines.map((text) => `${text}\r`))(0)),
  fc.constant<Damage>((bytes) => Buffer.concat([Buffer.from("\uFEFF"), bytes])),
);

/**
 * The damage when a file is truncated while others append to it: a line is cut somewhere and the next record follows
 * directly; the line may be written again later, whole, or cut again, or with another text; lines change positions;
 * parents point down, or in a loop.
 */
export function joinedDamage(): fc.Arbitrary<Damage> {
  return fc.oneof(
    fc.tuple(at, at).map(([where, cut]) => joinTo(cut, () => [])(where)),
    fc.tuple(at, at).map(([where, cut]) => joinTo(cut, (line) => [line])(where)),
    fc.tuple(at, at).map(([where, cut]) => joinTo(cut, (line, next) => [next, line])(where)),
    fc.tuple(at, at, at).map(([where, cut, again]) => joinTo(cut, (line, next) => [stump(line, again) + next])(where)),
    fc.tuple(at, at, at).map(([where, cut, again]) => joinTo(cut, (line, next) => [stump(next, again) + line])(where)),
    fc.tuple(at, at).map(([where, cut]) => joinTo(cut, (line) => [line.replace("text", "other text")])(where)),
    fc.tuple(at, at).map(([from, to]) => onLines((lines, n) => moved(lines, n, Math.floor(to * lines.length)))(from)),
    fc
      .tuple(at, at)
      .map(([from, to]) => onLines((lines, n) => reparented(lines, n, Math.floor(to * lines.length)))(from)),
  );
}

function stump(line: string, cut: number): string {
  return line.slice(0, Math.floor(cut * line.length));
}

/** Line n is cut and the next line follows on the same line; `again` is appended at the end of the file. */
function joinTo(cut: number, again: (line: string, next: string) => string[]): (where: number) => Damage {
  return onLines((lines, n) => {
    const [line = "", next = ""] = lines.slice(n);
    return [...lines.slice(0, n), stump(line, cut) + next, ...lines.slice(n + 2, -1), ...again(line, next), ""];
  });
}

function moved(lines: readonly string[], from: number, to: number): string[] {
  const rest = lines.filter((_, i) => i !== from);
  return [...rest.slice(0, to), lines[from] ?? "", ...rest.slice(to)];
}

function reparented(lines: readonly string[], child: number, parent: number): string[] {
  const id = /"id":"(\w+)"/.exec(lines[parent] ?? "")?.[1];
  if (id === undefined) return [...lines];
  return lines.map((text, i) => (i === child ? text.replace(/"parentId":(null|"\w+")/, `"parentId":"${id}"`) : text));
}

/** Damages the lines without their newlines; the text has one character per byte. */
function onLines(change: (lines: string[], n: number) => string[]): (where: number) => Damage {
  return (where) => (bytes) => {
    const lines = bytes.toString("latin1").split("\n");
    const changed = change(lines, Math.floor(where * lines.length));
    return Buffer.from(changed.join("\n"), "latin1");
  };
}
