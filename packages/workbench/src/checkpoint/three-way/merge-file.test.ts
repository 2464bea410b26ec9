import type { FileState } from "@bough/session/entry/index.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { hashOf } from "../store/blob-store.js";
import { type FileSide, type MergedFile, mergeFile } from "./merge-file.js";

function file(content: string | Buffer, mode: "644" | "755" = "644"): FileSide {
  const bytes = Buffer.from(content);
  return { state: { hash: hashOf(bytes), mode, size: bytes.length }, content: bytes };
}

const link = (target: string): FileSide => ({ state: { link: target }, content: undefined });
const nothing: FileSide = { state: null, content: undefined };

function shown(merged: MergedFile) {
  if (merged.kind === "same") return "same";
  if (merged.kind === "clash") return `clash: ${merged.clash}`;
  const { state, content } = merged;
  if (state === null) return "deleted";
  return "link" in state ? `-> ${state.link}` : `${state.mode} ${content}`;
}

const merge = (base: FileSide, ours: FileSide, theirs: FileSide) => shown(mergeFile({ base, ours, theirs }));

const side = fc.oneof(
  fc.constant(nothing),
  fc.constantFrom("a", "b").map(link),
  fc
    .record({
      text: fc.constantFrom("", "a\n", "a\nb\nc\n", "\0"),
      mode: fc.constantFrom("644" as const, "755" as const),
    })
    .map(({ text, mode }) => file(text, mode)),
);

describe("a file that changed on two sides", () => {
  test("is theirs if ours is the base, and stays if theirs is the base or the same", () => {
    fc.assert(
      fc.property(side, side, (base, other) => {
        const same = (a: FileState, b: FileState) => JSON.stringify(a) === JSON.stringify(b);
        const theirs = mergeFile({ base, ours: base, theirs: other });
        if (same(base.state, other.state)) expect(theirs).toEqual({ kind: "same" });
        else expect(theirs).toEqual({ kind: "merged", ...other });
        expect(mergeFile({ base, ours: other, theirs: base })).toEqual({ kind: "same" });
        expect(mergeFile({ base, ours: other, theirs: other })).toEqual({ kind: "same" });
      }),
      { numRuns: sampledRuns({ all: 2000, some: 300 }) },
    );
  });

  test("has the same reason for a conflict if the sides are swapped", () => {
    fc.assert(
      fc.property(side, side, side, (base, ours, theirs) => {
        const one = mergeFile({ base, ours, theirs });
        const other = mergeFile({ base, ours: theirs, theirs: ours });
        expect(one.kind === "clash" ? one.clash : undefined).toBe(other.kind === "clash" ? other.clash : undefined);
      }),
      { numRuns: sampledRuns({ all: 5000, some: 500 }) },
    );
  });

  test("combines a change of the content with a change of the executable bit", () => {
    const base = file("a\nb\nc\n");
    expect(merge(base, file("a\nb\nc\n", "755"), file("A\nb\nc\n"))).toBe("755 A\nb\nc\n");
    expect(merge(base, file("A\nb\nc\n"), file("a\nb\nc\n", "755"))).toBe("755 A\nb\nc\n");
    expect(merge(base, file("A\nb\nc\n", "755"), file("a\nb\nC\n"))).toBe("755 A\nb\nC\n");
  });

  test("needs an answer where changes cannot be combined", () => {
    const base = file("a\n");
    expect(merge(base, file("b\n"), file("c\n"))).toBe("clash: lines");
    expect(merge(base, file("b\0"), file("c\n"))).toBe("clash: binary");
    expect(merge(base, nothing, file("c\n"))).toBe("clash: deleted");
    expect(merge(base, file("c\n"), nothing)).toBe("clash: deleted");
    expect(merge(base, link("b"), file("c\n"))).toBe("clash: link");
    expect(merge(link("a"), link("b"), link("c"))).toBe("clash: link");
    expect(merge(nothing, file("a\n"), file("a\n", "755"))).toBe("clash: mode");
    expect(merge(nothing, file("a\n"), file("b\n"))).toBe("clash: lines");
    const big = (end: string) => file(`${"x".repeat(4 * 1024 * 1024)}${end}`);
    expect(merge(file("a\n"), big("1"), big("2"))).toBe("clash: large");
    expect(merge({ ...base, content: "missing" }, file("b\n"), file("c\n"))).toBe("clash: missing");
  });

  test("keeps the permissions of the file on disk", () => {
    const secret = file("a\nb\nc\n");
    const ours: FileSide = {
      state: { ...(secret.state as object), access: "600" } as FileState,
      content: secret.content,
    };
    const lines = mergeFile({ base: file("a\nb\n"), ours, theirs: file("A\nb\n") });
    expect(lines).toMatchObject({ kind: "merged", state: { access: "600", mode: "644" } });
    const mode = mergeFile({ base: file("a\nb\nx\n"), ours, theirs: file("a\nb\nx\n", "755") });
    expect(mode).toMatchObject({ kind: "merged", state: { access: "600", mode: "755" } });
  });

  test("text in any encoding is merged byte by byte", () => {
    const latin = (text: string) => file(Buffer.from(text, "latin1"));
    const merged = mergeFile({
      base: latin("é\nb\nc\n"),
      ours: latin("é\nb\nc\nü\n"),
      theirs: latin("ø\nb\nc\n"),
    });
    expect(merged.kind === "merged" && Buffer.isBuffer(merged.content) && merged.content.toString("latin1")).toBe(
      "ø\nb\nc\nü\n",
    );
  });
});
