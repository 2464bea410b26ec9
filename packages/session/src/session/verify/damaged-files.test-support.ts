/** Session files with one thing wrong each, for the tests of verifying and repairing. */

export const TIME = "2026-01-02T03:04:05.000Z";
export const HEADER = `{"type":"session","version":3,"id":"the-session","timestamp":"${TIME}","cwd":"/work"}`;

/** A user message as a line. */
export function line(id: string, parentId: string | null, text = id): string {
  return entry(id, parentId, `"type":"message"`, `"message":{"role":"user","content":"${text}","timestamp":1}`);
}

/** Any entry as a line: its type first, then its ID and parent, then the rest. */
export function entry(id: string, parentId: string | null, type: string, rest: string, time = TIME): string {
  return `{${type},"id":"${id}","parentId":${JSON.stringify(parentId)},"timestamp":"${time}",${rest}}`;
}

export function call(id: string, parentId: string | null, callId: string): string {
  const block = `{"type":"toolCall","id":"${callId}","name":"read","arguments":{}}`;
  return entry(id, parentId, `"type":"message"`, `"message":{"role":"assistant","content":[${block}],"timestamp":1}`);
}

export function result(id: string, parentId: string | null, callId: string): string {
  const fields = `"role":"toolResult","toolCallId":"${callId}","toolName":"read","content":[],"isError":false`;
  return entry(id, parentId, `"type":"message"`, `"message":{${fields},"timestamp":1}`);
}

export function file(...lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join("\n")}\n`);
}

function broken(text: string): string {
  return text.replace('"content"', '"content');
}

const [a, b, c] = [line("a", null), line("b", "a"), line("c", "b")];
const position = (id: string, parentId: string | null) =>
  entry(id, parentId, `"type":"custom"`, `"customType":"bough.position"`);

/** By name: the kind of damage. */
export const DAMAGED: Readonly<Record<string, Buffer>> = {
  "nothing wrong": file(HEADER, a, b, c),
  "empty file": Buffer.alloc(0),
  "half a header": file(HEADER.slice(0, 60), a, b),
  "no header": file(a, b),
  "byte order mark": Buffer.concat([Buffer.from("\uFEFF"), file(HEADER, a, b)]),
  "byte order mark before an entry": file(HEADER, a, `\uFEFF${b}`),
  "windows lines": Buffer.from([HEADER, a, b, ""].join("\r\n")),
  "zero bytes in the middle": Buffer.concat([file(HEADER, a), Buffer.alloc(64), file("", b)]),
  "zero bytes at the end": Buffer.concat([file(HEADER, a, b), Buffer.alloc(64)]),
  "a zero byte in a text": file(HEADER, a, b.replace('"b","timestamp":1', '"b\0","timestamp":1'), c),
  "zero bytes before a record": file(HEADER, a, `\0\0\0\0${b}`),
  "bytes that are not UTF-8": Buffer.concat([
    file(HEADER),
    Buffer.from(line("a", null, "\xe9"), "latin1"),
    file("", b),
  ]),
  "bytes that are not UTF-8 in an id": Buffer.concat([
    file(HEADER, a),
    Buffer.from(line("b\xe9", "a"), "latin1"),
    Buffer.from(`\n${line("c", "b\xe9")}\n${c}\n`, "latin1"),
  ]),
  "deep nesting": file(HEADER, a, entry("b", "a", `"type":"custom"`, `"customType":"x","data":${nested(10_000)}`)),
  "__proto__ keys": file(HEADER, a, b.replace('"message":{', '"__proto__":{"x":1},"message":{"__proto__":{"y":2},')),
  "duplicate ids": file(HEADER, a, b, line("b", "a", "another"), c),
  "duplicate of the last entry": file(HEADER, a, b, line("b", "b", "itself")),
  "self-parent": file(HEADER, a, line("b", "b"), c),
  cycle: file(HEADER, a, line("b", "d"), c, line("d", "c"), line("e", "a")),
  "missing parent": file(HEADER, a, line("b", "nobody"), c),
  "parents that come later": file(HEADER, c, b, a),
  "entries before the header": file(a, HEADER, b),
  "two headers": file(HEADER, a, HEADER.replace("the-session", "another"), b),
  "clock going backwards": file(HEADER, a, b.replace(TIME, "2026-01-02T03:03:05.000Z"), c),
  "a later version": file(HEADER.replace('"version":3', '"version":4'), a, b),
  "a version that is no number": file(HEADER.replace('"version":3', '"version":"3"'), a, b),
  "torn tail": Buffer.from(file(HEADER, a, b, c).subarray(0, -20)),
  "torn tail without a place": Buffer.from(`${file(HEADER, a, b)}{"type":"mess`),
  "last newline missing": Buffer.from(file(HEADER, a, b).subarray(0, -1)),
  "the header joined to an entry": file(HEADER + a, b),
  "the header joined to a stump": file(HEADER + a.slice(0, 60), b),
  "joined records": file(HEADER, a + b, c),
  "joined records with a stray byte": file(HEADER, `${a}#${b}`, c),
  "a stump before a record": file(HEADER, a, b.slice(0, 30) + c, line("d", "c")),
  "a stump with its place before a record": file(HEADER, a, b.slice(0, 110) + c, line("d", "b")),
  "repeated lines": file(HEADER, a, b, a, b, c),
  "a line that is not JSON": file(HEADER, a, "not valid", b),
  "a line that is no object": file(HEADER, a, "[1,2]", "null", b),
  "an entry without an id": file(HEADER, a, `{"type":"message","message":{}}`, b),
  "an id that is a number": file(HEADER, a, b.replace('"id":"b"', '"id":7'), c),
  "an unreadable entry": file(HEADER, a, broken(b), c),
  "an unreadable last entry": file(HEADER, a, b, broken(c)),
  "an unreadable line with children": file(HEADER, a, b.slice(0, -1), c),
  "a chain of unreadable lines": file(HEADER, a, b.slice(0, -3), broken(c), line("d", "c"), line("e", "d")),
  "a line written again": file(HEADER, a, broken(b), b, c),
  "an unreadable line with a taken id": file(HEADER, a, b, broken(line("b", "a", "another")), c),
  "a position whose parent is missing": file(HEADER, a, b, position("p", "nobody")),
  "a position at an unreadable entry": file(HEADER, a, broken(b), c, position("p", "b")),
  "a position as a parent": file(HEADER, a, position("p", "a"), line("b", "p")),
  "an id that stands twice": file(HEADER, a, b.replace(/}$/, ',"id":"z"}'), c),
  "version 1": file(
    `{"type":"session","id":"old","timestamp":"${TIME}","cwd":"/work"}`,
    `{"type":"message","timestamp":"${TIME}","message":{"role":"user","content":"one"}}`,
    "not valid",
    `{"type":"message","timestamp":"${TIME}","message":{"role":"user","content":"two"}}`,
  ),
  "version 2": file(HEADER.replace('"version":3', '"version":2'), a, b, line("b", "a", "another"), c),
  "an old header that comes late": file(a, b, c, a, b, c, "x", "x", "x", HEADER.replace("3", "2")),
};

function nested(depth: number): string {
  return "[".repeat(depth) + "]".repeat(depth);
}
