import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { workshop } from "../tool-context.test-support.js";
import type { EditorFiles } from "./editor-files.js";

/** An editor with some buffers, which saves what it is told to write. */
function editorWith(buffers: Map<string, string>): EditorFiles & { readonly written: string[] } {
  const written: string[] = [];
  return {
    written,
    read: async (path) => buffers.get(path),
    write: async (path, text) => {
      written.push(path);
      buffers.set(path, text);
      writeFileSync(path, text);
    },
  };
}

describe("files of an editor", () => {
  test("read shows what is not saved yet, with line ranges, also of a file that was never saved", async () => {
    const shop = workshop();
    const path = shop.put("a.txt", "one\ntwo\n");
    const fresh = `${shop.cwd}/new.txt`;
    const editor = editorWith(new Map([[path, "one\nTWO\nthree\n"]]).set(fresh, "draft\n"));
    const tools = { editor };
    expect(await shop.text("read", { path: "a.txt" }, { tools })).toBe("one\nTWO\nthree");
    expect(await shop.text("read", { path: "a.txt", offset: 2, limit: 1 }, { tools })).toContain("TWO");
    expect(await shop.text("read", { path: "new.txt" }, { tools })).toBe("draft");
    expect(await shop.failure("read", { path: "none.txt" }, { tools })).toContain("File not found: none.txt");
  });

  test("an edit applies to the unsaved text, shows its diff, and is written by the editor", async () => {
    const shop = workshop();
    const path = shop.put("a.txt", "one\ntwo\n");
    const editor = editorWith(new Map([[path, "one\nTWO\n"]]));
    const edits = [{ oldText: "TWO", newText: "2" }];
    await shop.text("edit", { path: "a.txt", edits }, { tools: { editor } });
    expect(shop.asked.at(-1)).toMatchObject({
      preview: { kind: "change", diff: expect.stringContaining("-TWO\n+2\n") },
    });
    expect(editor.written).toEqual([path]);
    expect(readFileSync(path, "utf8")).toBe("one\n2\n");
    // The text on disk is not in the buffer.
    const stale = [{ oldText: "two", newText: "x" }];
    expect(await shop.failure("edit", { path: "a.txt", edits: stale }, { tools: { editor } })).toContain(
      "Nothing was changed",
    );
  });

  test("a buffer that changes while the question is open is not overwritten", async () => {
    const shop = workshop();
    const path = shop.put("a.txt", "one\n");
    const buffers = new Map([[path, "one\n"]]);
    const editor = editorWith(buffers);
    const permit = async () => {
      buffers.set(path, "one, typed on\n");
      return { allowed: true } as const;
    };
    const call = { tools: { editor }, permit };
    const said = await shop.failure("write", { path: "a.txt", content: "two\n" }, call);
    expect(said).toContain("was changed in the editor meanwhile");
    expect([buffers.get(path), readFileSync(path, "utf8")]).toEqual(["one, typed on\n", "one\n"]);
  });

  test("line endings that the editor keeps apart are not a change, and stay", async () => {
    const shop = workshop();
    const path = shop.put("a.txt", "one\r\ntwo\r\n");
    const editor = editorWith(new Map([[path, "one\ntwo\n"]]));
    await shop.text("edit", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] }, { tools: { editor } });
    expect(readFileSync(path, "utf8")).toBe("one\r\n2\r\n");
  });

  test("a file the editor does not know is changed on disk; a new one is created by the editor", async () => {
    const shop = workshop();
    const path = shop.put("a.txt", "one\n");
    const editor = editorWith(new Map());
    await shop.text("write", { path: "a.txt", content: "two\n" }, { tools: { editor } });
    await shop.text("write", { path: "b.txt", content: "new\n" }, { tools: { editor } });
    expect(editor.written).toEqual([`${shop.cwd}/b.txt`]);
    expect(readFileSync(path, "utf8")).toBe("two\n");
  });

  test("if an editor does not write, the call fails and the disk is unchanged", async () => {
    const shop = workshop();
    const editor: EditorFiles = {
      write: async () => {
        throw new Error("buffer is read-only");
      },
    };
    const said = await shop.failure("write", { path: "a.txt", content: "x" }, { tools: { editor } });
    expect(said).toBe("The editor did not write a.txt: buffer is read-only");
    expect(existsSync(`${shop.cwd}/a.txt`)).toBe(false);
  });
});
