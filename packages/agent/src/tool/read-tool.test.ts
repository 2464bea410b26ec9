import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NO, workshop } from "./tool-context.test-support.js";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`);
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("reading text", () => {
  test("gives the text as it is, with line numbers in the details", async () => {
    const shop = workshop();
    const path = shop.put("a.txt", "one\ntwo\n");
    expect(await shop.call("read", { path: "a.txt" })).toEqual({
      content: [{ type: "text", text: "one\ntwo" }],
      details: { kind: "text", path, firstLine: 1, lastLine: 2, totalLines: 2, truncated: false },
    });
    expect(shop.asked).toEqual([]);
  });

  test("finds a file as people write its name, with an @ or another space, and asks about the real one", async () => {
    const shop = workshop();
    shop.put("Shot at 1.02\u202fPM.txt", "seen\n");
    for (const path of ["Shot at 1.02 PM.txt", "@Shot at 1.02 PM.txt", "@./Shot at 1.02\u00a0PM.txt"]) {
      expect(await shop.text("read", { path })).toBe("seen");
    }
    shop.put("@scope.txt", "its own\n");
    expect(await shop.text("read", { path: "@scope.txt" })).toBe("its own");
  });

  test("offset and limit choose lines; the rest is named", async () => {
    const shop = workshop();
    shop.put("a.txt", `${numbered(10).join("\n")}\n`);
    expect(await shop.text("read", { path: "a.txt", offset: 4, limit: 2 })).toBe(
      "line 4\nline 5\n[Lines 4 to 5 of 10. Continue with offset 6]",
    );
    expect(await shop.text("read", { path: "a.txt", offset: 9, limit: 2 })).toBe("line 9\nline 10");
    expect(await shop.failure("read", { path: "a.txt", offset: 11 })).toBe(
      "a.txt has 10 lines: line 11 is past its end",
    );
  });

  test("long files stop at 2000 lines and long lines at 2000 characters, each with a note", async () => {
    const shop = workshop();
    shop.put("long.txt", numbered(2500).join("\n"));
    shop.put("wide.txt", `${"x".repeat(5000)}\r\nshort\r\n${"y".repeat(2000)}\r\n`);
    const long = await shop.text("read", { path: "long.txt" });
    expect(long.split("\n").slice(-2)).toEqual(["line 2000", "[Lines 1 to 2000 of 2500. Continue with offset 2001]"]);
    expect(await shop.text("read", { path: "wide.txt" })).toBe(
      `${"x".repeat(2000)}\nshort\n${"y".repeat(2000)}\n` +
        "[Cut at 2000 characters: line 1. To see the rest of line N use bash: sed -n 'Np' FILE | cut -c2001-]",
    );
  });

  test("a file of many gigabytes is read from where it is asked, not whole", async () => {
    const shop = workshop();
    const path = shop.put("huge.log", `${numbered(3000).join("\n")}\n`);
    truncateSync(path, 8 * 1024 ** 3);
    const text = await shop.text("read", { path: "huge.log", offset: 2, limit: 1 });
    expect(text).toBe("line 2\n[Lines 2 to 2 of a larger file. Continue with offset 3]");
  });

  test("an empty file says so, CRLF and byte order marks do not show, wrong bytes become replacement characters", async () => {
    const shop = workshop();
    shop.put("empty", "");
    shop.put("crlf", "\ufeffa\r\nb\r\n");
    shop.put("wrong", Buffer.concat([Buffer.from("gr"), Buffer.from([0xfc]), Buffer.from("n is green in Latin 1\n")]));
    shop.put("utf16", Buffer.from("\ufeffwide\r\n", "utf16le"));
    const texts = await Promise.all(["empty", "crlf", "wrong", "utf16"].map((path) => shop.text("read", { path })));
    expect(texts).toEqual(["(The file is empty.)", "a\nb", "gr\ufffdn is green in Latin 1", "wide"]);
  });

  test("characters that fall on the border of two reads stay whole", async () => {
    const shop = workshop();
    const line = `${"a".repeat(1499)}é`;
    shop.put("border.txt", `x${`${line}\n`.repeat(100)}`);
    const text = await shop.text("read", { path: "border.txt", offset: 40, limit: 10 });
    expect(text.split("\n").slice(0, 10)).toEqual(Array.from({ length: 10 }, () => line));
  });
});

describe("reading other things", () => {
  test("an image is known by its content and comes as an image", async () => {
    const shop = workshop();
    const path = shop.put("picture.txt", PNG);
    expect(await shop.call("read", { path: "picture.txt" })).toEqual({
      content: [
        { type: "text", text: `picture.txt: image/png, ${PNG.length} bytes` },
        { type: "image", data: PNG.toString("base64"), mimeType: "image/png" },
      ],
      details: { kind: "image", path, mimeType: "image/png", bytes: PNG.length },
    });
  });

  test("jpeg, gif and webp too; one that is too big is refused with the limit", async () => {
    const shop = workshop();
    shop.put("a", Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
    shop.put("b", "GIF89a....");
    shop.put("c", "RIFF\x04\x00\x00\x00WEBPVP8 ");
    truncateSync(shop.put("d", PNG), 3_750_001);
    const texts = await Promise.all(["a", "b", "c"].map((path) => shop.text("read", { path })));
    expect(texts.map((text) => text.split("\n")[1])).toEqual(["<image/jpeg>", "<image/gif>", "<image/webp>"]);
    expect(await shop.failure("read", { path: "d" })).toBe(
      "d is an image of 3750001 bytes; the limit is 3750000. Make a smaller copy and read that",
    );
  });

  test("binary files, folders and pipes are refused with what to do instead", async () => {
    const shop = workshop();
    shop.put("program", "\x7fELF\x02\x01");
    shop.put("data", Buffer.from([1, 2, 0, 4]));
    shop.put("paper", "%PDF-1.4\nall of it text");
    mkdirSync(join(shop.cwd, "folder"));
    execFileSync("mkfifo", [join(shop.cwd, "pipe")]);
    const failures = [];
    for (const path of ["program", "data", "paper", "folder", "pipe"])
      failures.push(await shop.failure("read", { path }));
    const instead = "not text; use bash with a program that understands it, such as file or xxd";
    expect(failures).toEqual([
      `program is a program of 6 bytes, ${instead}`,
      `data is a binary file of 4 bytes, ${instead}`,
      `paper is a PDF document of 23 bytes, ${instead}`,
      `${join(shop.cwd, "folder")} is a folder; use ls to list it`,
      `${join(shop.cwd, "pipe")} is a pipe, a device or a socket, not a file`,
    ]);
  });

  test("a missing file names its near neighbours, also when a folder of the path is the wrong one", async () => {
    const shop = workshop();
    shop.put("src/session-manager.ts", "");
    shop.put("src/list-sessions.ts", "");
    shop.put("README.md", "");
    const failures = [];
    for (const path of ["src/session-manger.ts", "scr/index.ts", "readme.txt", "nothing-like-it.json"]) {
      failures.push(await shop.failure("read", { path }));
    }
    expect(failures).toEqual([
      "File not found: src/session-manger.ts\nDid you mean src/session-manager.ts?",
      "File not found: scr/index.ts\nDid you mean src?",
      "File not found: readme.txt\nDid you mean README.md?",
      "File not found: nothing-like-it.json\nUse find or ls to look for it.",
    ]);
  });
});

describe("reading outside the working directory", () => {
  test("asks for the real path, whichever way it is written", async () => {
    const shop = workshop();
    const secret = join(shop.outside, "secret.txt");
    writeFileSync(secret, "hidden\n");
    symlinkSync(secret, join(shop.cwd, "link.txt"));
    symlinkSync(shop.outside, join(shop.cwd, "folder"));
    for (const path of [
      "../outside/secret.txt",
      secret,
      "link.txt",
      "folder/secret.txt",
      "./x/../../outside/secret.txt",
    ]) {
      expect(await shop.text("read", { path })).toBe("hidden");
      expect(await shop.failure("read", { path }, { decision: NO })).toBe("The user said no.");
    }
    expect(shop.asked).toEqual(Array.from({ length: 10 }, () => ({ tool: "read", action: "read", target: secret })));
  });

  test("a refusal does not reveal what exists", async () => {
    const shop = workshop();
    writeFileSync(join(shop.outside, "secret.txt"), "");
    expect(await shop.failure("read", { path: "../outside/secrets.txt" }, { decision: NO })).toBe("The user said no.");
  });

  test("~ is the home folder, and a folder whose name begins like the working directory is outside", async () => {
    const shop = workshop();
    mkdirSync(`${shop.cwd}-other`);
    await shop.failure("read", { path: "~/x" }, { decision: NO });
    await shop.failure("read", { path: "../work-other/x" }, { decision: NO });
    expect(shop.asked.map((request) => request.target)).toEqual([join(homedir(), "x"), `${shop.cwd}-other/x`]);
  });

  test("kept output and readable folders do not ask; a link out of them does", async () => {
    const shop = workshop();
    mkdirSync(shop.outputDir);
    writeFileSync(join(shop.outputDir, "bash-1.txt"), "kept");
    writeFileSync(join(shop.outside, "SKILL.md"), "skill");
    const tools = { readableFolders: [shop.outside] };
    expect(await shop.text("read", { path: join(shop.outputDir, "bash-1.txt") })).toBe("kept");
    expect(await shop.text("read", { path: join(shop.outside, "SKILL.md") }, { tools })).toBe("skill");
    expect(shop.asked).toEqual([]);
    symlinkSync("/etc/passwd", join(shop.outside, "link"));
    await shop.failure("read", { path: join(shop.outside, "link") }, { tools, decision: NO });
    expect(shop.asked).toEqual([{ tool: "read", action: "read", target: "/etc/passwd" }]);
  });

  test("an unanswered question ends with the abort", async () => {
    const shop = workshop();
    const controller = new AbortController();
    const permit = () => {
      controller.abort();
      return new Promise<never>(() => undefined);
    };
    const failure = await shop.failure("read", { path: "/etc/hostname" }, { signal: controller.signal, permit });
    expect(failure).toBe("Stopped before it finished.");
  });
});
