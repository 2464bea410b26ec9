import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { closeChats, testChat, until } from "./chat-harness.test-support.js";

afterEach(closeChats);

describe("completion", () => {
  const commands = async (line: string) => {
    const names = ["tree", "switch", "fork"];
    if (!line.includes(" ")) {
      const items = names
        .filter((name) => name.startsWith(line.slice(1)))
        .map((value) => ({ value, description: `what ${value} does\x1b[2J` }));
      return { from: 1, items };
    }
    const typed = line.slice(line.indexOf(" ") + 1);
    const items = ["lexer", "lexer-two", "main"].filter((name) => name.startsWith(typed)).map((value) => ({ value }));
    return { from: line.length - typed.length, items };
  };

  test("commands are listed, chosen with the arrows, and Enter runs the one that is chosen", async () => {
    const made = testChat({ completeCommand: commands });
    made.type("/");
    await until(() => made.editor().includes("tree"));
    expect(made.editor(60)).toMatchInlineSnapshot(`
      "────────────────────────────────────────────────────────────
      › /
      ❯ /tree       what tree does
        /switch     what switch does
        /fork       what fork does"
    `);
    made.press("down", "enter");
    expect([made.commands, made.chat.text]).toEqual([["/switch"], ""]);
  });

  test("the start of a name is enough", async () => {
    const made = testChat({ completeCommand: commands });
    made.type("/tr");
    await until(() => made.editor().includes("what tree does"));
    made.press("enter");
    expect(made.commands).toEqual(["/tree"]);
  });

  test("arguments are taken with Tab; Enter sends what is written, unless something was chosen", async () => {
    const made = testChat({ completeCommand: commands });
    made.type("/switch le");
    await until(() => made.editor().includes("lexer-two"));
    made.press("enter");
    expect(made.commands).toEqual(["/switch le"]);
    made.type("/switch le");
    await until(() => made.editor().includes("lexer-two"));
    made.press("tab");
    expect(made.chat.text).toBe("/switch lexer ");
    made.chat.setText("");
    made.type("/switch l");
    await until(() => made.editor().includes("lexer-two"));
    made.press("down", "enter");
    expect(made.chat.text).toBe("/switch lexer-two ");
    made.press("enter");
    expect(made.commands).toEqual(["/switch le", "/switch lexer-two"]);
  });

  test("a list that was made for less than what is written by now changes nothing", async () => {
    const made = testChat({ completeCommand: commands });
    made.type("/sw");
    await until(() => made.editor().includes("what switch does"));
    made.type("itch #4");
    made.press("enter");
    expect(made.commands).toEqual(["/switch #4"]);
  });

  test("Esc closes the list and nothing else", async () => {
    const made = testChat({ completeCommand: commands });
    made.type("/tr");
    await until(() => made.editor().includes("what tree does"));
    made.press("esc", "esc");
    expect([made.editor().includes("what tree does"), made.chat.text, made.doubleEscapes()]).toEqual([false, "/tr", 0]);
  });

  test("files of the project come after an at sign, without what is ignored", async () => {
    const folder = tempFolder();
    for (const name of ["src", "dist", "node_modules"]) mkdirSync(join(folder, name));
    for (const name of ["src/lexer.ts", "src/lex one.ts", "dist/lexer.js", "node_modules/lexer.js", "lexicon.md"]) {
      writeFileSync(join(folder, name), "");
    }
    writeFileSync(join(folder, ".gitignore"), "dist/\n");
    const made = testChat({ cwd: folder });
    made.type("see @lex");
    await until(() => made.editor().includes("lexicon.md"));
    expect(made.editor(40)).toMatchInlineSnapshot(`
      "────────────────────────────────────────
      › see @lex
      ❯ lexicon.md
        src/lexer.ts
        src/lex one.ts"
    `);
    made.press("down", "enter");
    expect(made.chat.text).toBe("see @src/lexer.ts ");
    made.type("@lexone");
    await until(() => made.editor().includes("lex one"));
    made.press("tab");
    expect(made.chat.text).toBe('see @src/lexer.ts @"src/lex one.ts" ');
  });
});
