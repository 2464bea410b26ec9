import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { closeChats, testChat } from "./chat-harness.test-support.js";

afterEach(closeChats);

describe("the person's own editor", () => {
  const script = (folder: string, text: string): string => {
    const file = join(folder, "my editor");
    writeFileSync(file, `#!/bin/sh\n${text}\n`);
    chmodSync(file, 0o700);
    return `"${file}" --wait`;
  };

  test("gets the text in a private file and returns what was saved", async () => {
    const folder = tempFolder();
    const VISUAL = script(
      folder,
      `cp "$2" "${folder}/was"; echo "$2" > "${folder}/path"; ls -l "$2" | cut -c1-10 > "${folder}/mode"; printf 'new\\ntext\\n' > "$2"`,
    );
    const made = testChat({ environment: { VISUAL, EDITOR: "false" } });
    made.type("old text");
    await made.chat.openExternalEditor();
    expect(made.chat.text).toBe("new\ntext");
    expect([readFileSync(join(folder, "was"), "utf8"), readFileSync(join(folder, "mode"), "utf8")]).toEqual([
      "old text",
      "-rw-------\n",
    ]);
    expect(existsSync(readFileSync(join(folder, "path"), "utf8").trim())).toBe(false);
    made.press("ctrl+u", "backspace", "ctrl+u", "backspace", "up");
    expect(made.chat.text).toBe("old text");
  });

  test("that fails changes nothing and says so", async () => {
    const made = testChat({ environment: { EDITOR: "exit 3;" } });
    made.type("old text");
    await made.chat.openExternalEditor();
    expect([made.chat.text, made.host.statuses]).toEqual([
      "old text",
      [{ message: "The editor (exit 3;) ended with code 3. Your text is unchanged.", level: "error" }],
    ]);
  });
});
