/** Where session files of pi and oh-my-pi are when they are opened in place: where those programs would continue. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSessionContext } from "@bough/session/context/index.js";
import { type FileEntry, parseRecord } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { treeFromLines } from "@bough/session/tree/index.js";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { FIXTURES } from "../support/interop-source.js";
import { user } from "../support/messages.js";
import { piSession, piSteps } from "../support/pi-session.js";
import { sampledRuns } from "../support/sampled.js";
import { tempFolder } from "../support/temp-folder.js";

let folder = "";
beforeEach(() => {
  folder = tempFolder();
});
let files = 0;

function fileOf(lines: readonly string[]): string {
  const file = join(folder, `${files++}.jsonl`);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
  return file;
}

function leafOf(file: string): string | null {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  session.close();
  return session.getLeafId();
}

const alphabets = fc.constantFrom("pi" as const, "oh-my-pi" as const);

describe("a session file of pi or oh-my-pi", () => {
  it("is at its last line, whatever that is and wherever it hangs", () => {
    const property = fc.property(piSteps, alphabets, (steps, alphabet) => {
      const { lines, leaf } = piSession(steps, { alphabet });
      const { tree, leaf: drawn } = treeFromLines(lines);
      const entries = lines.map((text) => JSON.parse(text) as FileEntry);
      expect(leafOf(fileOf(lines))).toBe(leaf);
      expect(drawn < 0 ? null : tree.ids.textOf(drawn)).toBe(leaf);
      expect(buildSessionContext(entries)).toEqual(buildSessionContext(entries, leaf));
    });
    fc.assert(property, { numRuns: sampledRuns({ all: 2000, some: 100 }) });
  });

  it("is at its last line when lines are met that cannot be read at first sight", () => {
    const property = fc.property(piSteps, fc.nat(), (steps, at) => {
      const { lines, leaf } = piSession(steps, { alphabet: "pi" });
      // A line that is not JSON makes the careful index read the file; pi passes over it.
      const broken = [
        ...lines.slice(0, 1 + (at % lines.length)),
        "not a record",
        ...lines.slice(1 + (at % lines.length)),
      ];
      expect(leafOf(fileOf(broken))).toBe(leaf);
    });
    fc.assert(property, { numRuns: sampledRuns({ all: 500, some: 30 }) });
  });

  it("follows Bough's rule from the first record of Bough's on: a label elsewhere leaves the position alone", () => {
    const [act, pick] = ["message", 0] as const;
    const { lines } = piSession(
      [
        { act, pick },
        { act, pick },
        { act: "back", pick: 1 },
        { act: "label", pick: 1 },
      ],
      { alphabet: "pi" },
    );
    const label = lines.at(-1) as string;
    const own = (id: string, parentId: string | null, type = "custom") =>
      JSON.stringify({ type, id, parentId, timestamp: "t", customType: "bough.notes", content: "c", display: true });
    const later = label.replace('"id":"00000002"', '"id":"0000000f"');
    const at = (...more: readonly string[]) => leafOf(fileOf([...lines.slice(0, 3), ...more]));
    expect(at(label)).toBe("00000002");
    expect(at(own("aaaaaaaaaaaa", "00000001"), label)).toBe("aaaaaaaaaaaa");
    expect(at(own("aaaaaaaaaaaa", "00000001", "custom_message"), label)).toBe("aaaaaaaaaaaa");
    // What came before that record is where it was.
    expect(at(label, own("aaaaaaaaaaaa", "00000001"), later)).toBe("00000002");
  });

  it("stays where it is when Bough renames it from another place", () => {
    const { lines } = piSession(
      [0, 1, 2].map((pick) => ({ act: "message" as const, pick })),
      { alphabet: "pi" },
    );
    const file = fileOf(lines);
    const here = SessionManager.open(file);
    const other = SessionManager.open(file);
    here.appendMessage(user("more"));
    other.appendSessionInfo("name");
    other.close();
    expect(leafOf(file)).toBe(here.getLeafId());
    here.close();
    expect(leafOf(file)).toBe(here.getLeafId());
  });

  it("is continued below its last line, and closing after a look writes nothing", () => {
    const property = fc.property(piSteps, (steps) => {
      const { lines, leaf } = piSession(steps, { alphabet: "pi" });
      const file = fileOf(lines);
      const bytes = readFileSync(file);
      SessionManager.open(file).close();
      expect(readFileSync(file)).toEqual(bytes);
      const session = SessionManager.open(file);
      const id = session.appendMessage(user("on"));
      expect(session.getEntry(id)?.parentId).toBe(leaf);
      session.close();
      expect(leafOf(file)).toBe(id);
    });
    fc.assert(property, { numRuns: sampledRuns({ all: 200, some: 20 }) });
  });

  it("is at its last line in every file that the programs themselves wrote", ({ skip }) => {
    const found = ["pi", "pi-new"].flatMap((name) => sessionFilesBelow(join(FIXTURES, "real", name)));
    if (found.length === 0) skip(`no samples in ${FIXTURES}`);
    for (const path of found) {
      const records = readFileSync(path, "utf8").split("\n").map(parseRecord);
      const entries = records.flatMap((record) => (record.kind === "entry" ? [record.entry.id] : []));
      const copy = join(folder, `real-${files++}.jsonl`);
      copyFileSync(path, copy);
      expect([path, leafOf(copy)]).toEqual([path, entries.at(-1)]);
    }
  });
});

function sessionFilesBelow(top: string): string[] {
  try {
    const names = readdirSync(top, { recursive: true, encoding: "utf8" });
    return names.filter((name) => name.endsWith(".jsonl")).map((name) => join(top, name));
  } catch {
    return [];
  }
}
