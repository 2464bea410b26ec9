import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { editTool } from "./edit-tool.js";
import { NO, workshop } from "./tool-context.test-support.js";

const content = (shop: { cwd: string }, path: string) => readFileSync(join(shop.cwd, path), "utf8");

describe("editing", () => {
  test("replaces several places in order and gives a unified diff", async () => {
    const shop = workshop();
    const path = shop.put("a.ts", "const a = 1;\nconst b = 2;\n");
    const edits = [
      { oldText: "a = 1", newText: "a = 10" },
      { oldText: "a = 10;\nconst b = 2", newText: "a = 11;\nconst b = 22" },
    ];
    expect(await shop.call("edit", { path: "a.ts", edits })).toEqual({
      content: [{ type: "text", text: "Edited a.ts in 2 places (2 lines added, 2 removed)" }],
      details: {
        path,
        change: "changed",
        added: 2,
        removed: 2,
        diff: "--- a.ts\n+++ a.ts\n@@ -1,2 +1,2 @@\n-const a = 1;\n-const b = 2;\n+const a = 11;\n+const b = 22;\n",
      },
    });
    expect(content(shop, "a.ts")).toBe("const a = 11;\nconst b = 22;\n");
    expect(shop.asked).toMatchObject([{ tool: "edit", action: "write", target: path, preview: { kind: "change" } }]);
  });

  test("one edit may be given without its list", () => {
    const tool = editTool();
    const one = { path: "a.ts", oldText: "a", newText: "b" };
    const given = tool.prepareArguments?.(one);
    expect(given).toEqual({ path: "a.ts", edits: [{ oldText: "a", newText: "b" }] });
    expect(tool.check(given).ok).toBe(true);
    const whole = { path: "a.ts", edits: [{ oldText: "a", newText: "b" }] };
    expect(tool.prepareArguments?.(whole)).toBe(whole);
  });

  test("one edit may be given beside its list, and the list as JSON in a string", () => {
    const tool = editTool();
    const [first, second] = [
      { oldText: "a", newText: "b" },
      { oldText: "c", newText: "d" },
    ];
    for (const [given, edits] of [
      [{ path: "a.ts", edits: [], ...first }, [first]],
      [{ path: "a.ts", edits: [first], ...second, replaceAll: true }, [first, { ...second, replaceAll: true }]],
      [{ path: "a.ts", edits: JSON.stringify([first, second]) }, [first, second]],
      [{ path: "a.ts", edits: JSON.stringify([first]), ...second }, [first, second]],
    ] as const) {
      const prepared = tool.prepareArguments?.(given);
      expect(prepared).toEqual({ path: "a.ts", edits });
      expect(tool.check(prepared).ok).toBe(true);
    }
    // Input that makes no sense is rejected unchanged.
    for (const edits of ["not json", '{"oldText":"a"}', 5, null]) {
      const given = { path: "a.ts", edits, ...first };
      expect(tool.prepareArguments?.(given)).toBe(given);
      expect(tool.check(given).ok).toBe(false);
    }
  });

  test("replaceAll replaces every place; newText is taken as it is, dollar signs included", async () => {
    const shop = workshop();
    shop.put("a.txt", "aaa b aa");
    await shop.text("edit", { path: "a.txt", edits: [{ oldText: "aa", newText: "$&$1", replaceAll: true }] });
    expect(content(shop, "a.txt")).toBe("$&$1a b $&$1");
  });

  test("keeps CRLF, mixed endings and the byte order mark, and finds across them", async () => {
    const shop = workshop();
    shop.put("crlf.txt", "\ufeffone\r\ntwo\r\nthree\r\n");
    shop.put("mixed.txt", "one\r\ntwo\nthree\r\nfour\n");
    const edits = [{ oldText: "one\ntwo", newText: "1\n1.5\n2" }];
    await shop.text("edit", { path: "crlf.txt", edits });
    await shop.text("edit", { path: "mixed.txt", edits });
    await shop.text("edit", { path: "mixed.txt", edits: [{ oldText: "\nfour", newText: "\n4" }] });
    expect([content(shop, "crlf.txt"), content(shop, "mixed.txt")]).toEqual([
      "\ufeff1\r\n1.5\r\n2\r\nthree\r\n",
      "1\r\n1.5\r\n2\nthree\r\n4\n",
    ]);
  });

  test("bytes that are not UTF-8 stay as they are", async () => {
    const shop = workshop();
    const latin = Buffer.from("gr\xfcn und blau\n", "latin1");
    shop.put("latin.txt", latin);
    await shop.text("edit", { path: "latin.txt", edits: [{ oldText: "blau", newText: "weiß" }] });
    expect(readFileSync(join(shop.cwd, "latin.txt"))).toEqual(
      Buffer.concat([Buffer.from("gr\xfcn und ", "latin1"), Buffer.from("weiß\n", "utf8")]),
    );
  });

  test("parallel edits of one file all land", async () => {
    const shop = workshop();
    const letters = [..."abcdefghijklmnopqrst"];
    shop.put("a.txt", letters.join("\n"));
    await Promise.all(
      letters.map((letter) =>
        shop.text("edit", { path: "a.txt", edits: [{ oldText: letter, newText: letter.toUpperCase() }] }),
      ),
    );
    expect(content(shop, "a.txt")).toBe(letters.join("\n").toUpperCase());
  });
});

describe("an edit that cannot be made changes nothing", () => {
  const text = "function a() {\n\treturn 1;\n}\nfunction b() {\n\treturn 1;\n}\n";
  const rows: readonly (readonly [string, readonly object[], string])[] = [
    [
      "not unique: how often and where",
      [{ oldText: "return 1", newText: "return 2" }],
      "oldText appears 2 times (starting at lines 2, 5). Add more of the text around it, or set replaceAll",
    ],
    [
      "overlapping places are not unique",
      [{ oldText: "\n}\n", newText: "" }],
      "oldText appears 2 times (starting at lines 2, 5). Add more of the text around it, or set replaceAll",
    ],
    [
      "missing, but for whitespace",
      [{ oldText: "function b() {\n    return 1;\n}", newText: "" }],
      "oldText is not in the file. Lines 4 to 6 differ from it only in whitespace or quotes; in the file they are:\nfunction b() {\n\treturn 1;\n}",
    ],
    [
      "missing after its first line",
      [{ oldText: "function b() {\n  return 3;", newText: "" }],
      "oldText is not in the file. Its first line is at line 4, but what follows differs. Read the file again",
    ],
    [
      "missing",
      [{ oldText: "class C", newText: "" }],
      "oldText is not in the file. Read the file again and copy the text exactly",
    ],
    ["the same", [{ oldText: "a()", newText: "a()" }], "oldText and newText are the same"],
    [
      "the second of two",
      [
        { oldText: "a()", newText: "c()" },
        { oldText: "a()", newText: "d()" },
      ],
      "Edit 2 of 2: oldText is not in the file. Read the file again and copy the text exactly",
    ],
    [
      "all together nothing",
      [
        { oldText: "a()", newText: "c()" },
        { oldText: "c()", newText: "a()" },
      ],
      "Edit 2 of 2: the edits together change nothing",
    ],
  ];
  test.each(rows)("%s", async (_, edits, reason) => {
    const shop = workshop();
    shop.put("a.ts", text);
    expect(await shop.failure("edit", { path: "a.ts", edits })).toBe(`${reason}\nNothing was changed in a.ts`);
    // No question for an edit that does not apply.
    expect([content(shop, "a.ts"), shop.asked]).toEqual([text, []]);
  });

  test("binary files, missing files, refusals and empty texts", async () => {
    const shop = workshop();
    shop.put("binary", Buffer.from([1, 0, 2]));
    shop.put("late", Buffer.concat([Buffer.from("a".repeat(10_000)), Buffer.from([0])]));
    shop.put("a.txt", "old");
    const edits = [{ oldText: "old", newText: "new" }];
    expect([
      await shop.failure("edit", { path: "binary", edits }),
      await shop.failure("edit", { path: "late", edits }),
      await shop.failure("edit", { path: "missing.txt", edits }),
      await shop.failure("edit", { path: "a.txt", edits }, { decision: NO }),
      await shop.failure("edit", { path: "a.txt", edits: [{ oldText: "", newText: "x" }] }),
      content(shop, "a.txt"),
    ]).toEqual([
      "binary is not UTF-8 text, and edit only changes text. Use bash with a suitable program",
      "late is not UTF-8 text, and edit only changes text. Use bash with a suitable program",
      "File not found: missing.txt\nUse write to create it, or find to look for it",
      "The user said no.",
      "Invalid input for edit: edits[0].oldText: too small: expected string to have >=1 characters",
      "old",
    ]);
  });
});
