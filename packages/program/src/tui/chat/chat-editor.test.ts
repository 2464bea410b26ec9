import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { endless, opened, says, tool } from "@bough/agent/agent/agent-harness.test-support.js";
import { promptsOf, scriptedModel } from "@bough/agent/agent/scripted-model.test-support.js";
import { afterEach, describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { closeChats, type TestChat, testChat, until } from "./chat-harness.test-support.js";

afterEach(closeChats);

const texts = (made: TestChat): readonly unknown[] =>
  made.session
    .getBranch()
    .map((entry) => (entry.type === "message" && entry.message.role === "user" ? entry.message.content : undefined))
    .filter((content) => content !== undefined);

describe("writing", () => {
  test("the first character of a prompt lets the agent look ahead; a command, and what follows, do not", () => {
    const made = testChat();
    const ahead = vi.spyOn(made.agent, "lookAhead");
    made.type("/help");
    expect(ahead).not.toHaveBeenCalled();
    made.chat.clearText();
    made.type("hello there");
    expect(ahead).toHaveBeenCalledTimes(1);
    made.chat.clearText();
    made.chat.editor.handlePaste("a long text");
    expect(ahead).toHaveBeenCalledTimes(2);
  });

  test("lines start with their keys and with a backslash before Enter; Enter sends", async () => {
    const made = testChat({ model: scriptedModel(["ok"]) });
    made.type("one");
    made.press("shift+enter");
    made.type("two");
    made.press("ctrl+j");
    made.type("three");
    made.press("alt+enter");
    made.type("four\\");
    made.press("enter");
    made.type("five");
    expect(made.chat.text).toBe("one\ntwo\nthree\nfour\nfive");
    expect(made.editor(20, 8)).toBe(`${"─".repeat(20)}\n› one\n  two\n  three\n  four\n  five`);
    made.press("enter");
    expect(made.chat.text).toBe("");
    await until(() => texts(made).length > 0);
    expect(texts(made)).toEqual(["one\ntwo\nthree\nfour\nfive"]);
  });

  test("the placeholder is shown until something is typed, in as many words as fit, with the cursor before it", () => {
    const made = testChat();
    expect(made.editor(80, 5)).toBe(
      `${"─".repeat(80)}\n› Describe a task, or type / for commands, @ for files, ! for the shell`,
    );
    expect(made.editor(40, 5)).toBe(`${"─".repeat(40)}\n› Describe a task, / for commands`);
    expect(made.chat.editor.draw({ width: 80, height: 5 }).cursor).toEqual({ row: 1, column: 2 });
    expect(made.editor(16, 5)).toBe(`${"─".repeat(16)}\nTask or /`);
    made.type("x");
    expect(made.editor(80, 5)).toBe(`${"─".repeat(80)}\n› x`);
  });

  test("the cursor is where the next character comes, also behind wide ones", () => {
    const made = testChat();
    made.type("a漢字");
    expect(made.chat.editor.draw({ width: 20, height: 5 }).cursor).toEqual({ row: 1, column: 7 });
    made.press("left");
    expect(made.chat.editor.draw({ width: 20, height: 5 }).cursor).toEqual({ row: 1, column: 5 });
  });

  test("a text that is longer than the window shows the lines around the cursor", () => {
    const made = testChat();
    made.chat.setText(Array.from({ length: 30 }, (_, i) => `line ${i + 1}`).join("\n"));
    const shown = made.editor(30, 6).split("\n");
    expect(shown.length).toBeLessThanOrEqual(6);
    expect(shown.join("\n")).toContain("line 30");
    const { cursor, lines } = made.chat.editor.draw({ width: 30, height: 2 });
    expect(lines[cursor?.row ?? -1]).toContain("line 30");
  });

  test("works in ASCII and from twenty columns", () => {
    const made = testChat({ testHost: { glyphs: "ascii" } });
    made.type("hello there, this is long enough to be broken");
    expect(made.editor(20)).toMatchInlineSnapshot(`
      "--------------------
      > hello there,
        this is long
        enough to be
        broken"
    `);
  });

  test("a large paste is a mark until it is sent, and control characters in it are gone", async () => {
    const made = testChat({ model: scriptedModel(["ok"]) });
    const pasted = Array.from({ length: 40 }, (_, i) => `row ${i}\x1b[2J`).join("\n");
    made.chat.editor.handlePaste?.(pasted);
    expect(made.editor()).toContain("[paste #1 +40 lines]");
    made.press("enter");
    await until(() => texts(made).length > 0);
    expect(texts(made)).toEqual([pasted.replaceAll("\x1b[2J", "")]);
  });

  test("the newline at the end of a paste is not a line", async () => {
    const made = testChat({ model: scriptedModel(["ok"]) });
    made.chat.editor.handlePaste?.(`${Array.from({ length: 40 }, (_, i) => `row ${i}`).join("\n")}\n`);
    expect(made.editor()).toContain("[paste #1 +40 lines]");
    made.chat.setText("");
    made.chat.editor.handlePaste?.("one line\n");
    expect(made.chat.text).toBe("one line");
  });

  test("keys of the app are left to the app; a question mark and Ctrl+D are its own only on an empty text", () => {
    const made = testChat();
    expect(["?", "ctrl+d", "ctrl+p", "shift+tab", "ctrl+c", "f1", "ctrl+z"].map((key) => made.press(key))).toEqual(
      Array.from({ length: 7 }, () => false),
    );
    expect(made.chat.text).toBe("");
    made.type("why");
    expect([made.press("?"), made.press("left"), made.press("ctrl+d"), made.chat.text]).toEqual([
      true,
      true,
      true,
      "why",
    ]);
  });

  test("sends with a key of one's own, and then Enter no longer does", async () => {
    const made = testChat({
      model: scriptedModel([{ text: "ok" }]),
      testHost: { keys: { "chat.send": ["alt+x"] } },
    });
    made.type("hello");
    made.press("enter");
    const kept = made.chat.text;
    made.press("alt+x");
    expect([kept, made.chat.text]).toEqual(["hello", ""]);
    await made.agent.whenIdle();
  });

  test("keys can be bound otherwise", () => {
    const made = testChat({ testHost: { keys: { "editor.deleteToStart": ["alt+x"], "chat.newLine": ["ctrl+n"] } } });
    made.type("gone");
    made.press("ctrl+u");
    expect(made.chat.text).toBe("gone");
    made.press("alt+x");
    made.type("a");
    made.press("ctrl+n");
    made.type("b");
    expect(made.chat.text).toBe("a\nb");
  });
});

describe("history", () => {
  test("Up recalls the prompts of the path and what was typed in this run", () => {
    const made = testChat();
    for (const content of ["first", "second"]) made.session.appendMessage({ role: "user", content, timestamp: 0 });
    made.chat.setText("a draft");
    made.chat.setText("");
    const seen: string[] = [];
    for (const key of ["up", "up", "up", "up", "down", "down", "down"]) {
      made.press(key);
      seen.push(made.chat.text);
    }
    expect(seen).toEqual(["a draft", "second", "first", "first", "second", "a draft", ""]);
  });

  test("another path has another history", () => {
    const made = testChat();
    const first = made.session.appendMessage({ role: "user", content: "first", timestamp: 0 });
    made.session.appendMessage({ role: "user", content: "second", timestamp: 0 });
    made.session.branch(first);
    made.chat.refresh();
    made.press("up");
    expect(made.chat.text).toBe("first");
  });

  test("a text that makes room can be had back", () => {
    const made = testChat();
    made.type("half a thought");
    made.chat.setText("from the tree");
    expect(made.chat.text).toBe("from the tree");
    expect([made.chat.clearText(), made.chat.clearText()]).toEqual([true, false]);
    made.press("up", "up");
    expect(made.chat.text).toBe("half a thought");
  });
});

describe("sending", () => {
  test("commands, shell commands and prompts go their ways", async () => {
    const folder = tempFolder();
    const made = testChat({ model: scriptedModel(["ok"]), cwd: folder, harness: { cwd: folder } });
    await made.chat.submit("/tree now");
    await made.chat.submit("!echo seen");
    await made.chat.submit("!!echo unseen");
    await made.chat.submit("/usr/bin/env is a path");
    expect(made.commands).toEqual(["/tree now"]);
    const shown = made.session.getBranch().flatMap((entry): readonly unknown[][] => {
      if (entry.type !== "message") return [];
      const { message } = entry;
      if (message.role === "bashExecution")
        return [[message.command, message.output, message.excludeFromContext === true]];
      return message.role === "user" ? [[message.content]] : [];
    });
    expect(shown).toEqual([["echo seen", "seen", false], ["echo unseen", "unseen", true], ["/usr/bin/env is a path"]]);
    expect(made.transcript(60, 30)).toContain("· !!  echo unseen  not shown to the model\n  unseen");
  });

  test("the rule says what kind of line it is", () => {
    const made = testChat();
    made.type("!l");
    expect(made.editor(40).split("\n")[0]).toBe(`─── shell ${"─".repeat(30)}`);
    made.chat.setText("!!l");
    expect(made.editor(40).split("\n")[0]).toBe(`─── shell, not shown to the model ${"─".repeat(6)}`);
  });

  test("while the agent works Enter steers and Alt+Enter waits; both are shown, and Esc gives them back", async () => {
    const waiting = endless("wait");
    const made = testChat({ model: scriptedModel([{ calls: [{ name: "wait" }] }]), harness: { tools: [waiting] } });
    const sent = made.chat.submit("go");
    await waiting.started;
    made.type("faster");
    made.press("enter");
    made.type("then the docs");
    made.press("alt+enter");
    made.type("and");
    expect(made.editor(44)).toMatchInlineSnapshot(`
      " next → faster
       then → then the docs
       Esc: back to the editor
      ────────────────────────────────────────────
      › and"
    `);
    made.press("esc");
    await sent;
    expect(made.chat.text).toBe("faster\n\nthen the docs\n\nand");
    expect(made.editor(44)).not.toContain("next");
    expect(texts(made)).toEqual(["go"]);
  });

  test("what waited for a run that fails is back in the editor, before what is being written", async () => {
    const model = scriptedModel([
      () => {
        made.type("drop the table");
        made.press("alt+enter");
        made.type("half a thought");
        return { failure: { kind: "auth", message: "key rejected", retryable: false } };
      },
      "fine",
    ]);
    const made: TestChat = testChat({ model });
    await made.chat.submit("go");
    expect(made.chat.text).toBe("drop the table\n\nhalf a thought");
    expect(made.editor(44)).not.toContain("then");
    expect(made.host.statuses.at(-1)?.message).toBe("The run failed. Queued messages are back in the editor.");
    made.chat.setText("");
    await made.chat.submit("again");
    expect(texts(made)).toEqual(["go", "again"]);
  });

  test("a text sent while the agent is stopping says so, and is the next prompt", async () => {
    const started = opened();
    const ending = opened();
    const slow = tool({
      name: "slow",
      execute: async () => {
        started.open();
        await ending.promise;
        return says("half");
      },
    });
    const model = scriptedModel([{ calls: [{ name: "slow" }] }, "corrected"]);
    const made = testChat({ model, harness: { tools: [slow], sleep: () => new Promise(() => {}) } });
    const sent = made.chat.submit("go");
    await started.promise;
    made.press("esc");
    made.type("use spaces");
    made.press("enter");
    expect(made.editor(44)).toMatchInlineSnapshot(`
      " next → use spaces
       Stopping… your message is sent next (Esc: …
      ────────────────────────────────────────────
      › Write to the agent"
    `);
    ending.open();
    await sent;
    await made.agent.whenIdle();
    expect(texts(made)).toEqual(["go", "use spaces"]);
    expect(made.editor(44)).not.toContain("next");
  });

  test("a text that could not be sent returns to the editor, with the reason", async () => {
    const busy = testChat({ model: scriptedModel([{ text: "half", hang: true }]) });
    const run = busy.chat.submit("go");
    await until(() => busy.agent.isStreaming);
    await busy.chat.submit("!ls");
    expect([busy.chat.text, busy.host.statuses.at(-1)?.level]).toEqual(["!ls", "error"]);
    busy.press("esc");
    await run;
  });

  test("named images are sent if they can be read and the model supports images", async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, "shot one.png"), Buffer.from([137, 80, 78, 71]));
    const model = scriptedModel(["seen", "not seen"]);
    const made = testChat({ model, cwd: folder });
    await made.chat.submit('look at @"shot one.png" and @gone.png and @notes.txt');
    expect(texts(made)).toEqual([
      [
        { type: "text", text: 'look at @"shot one.png" and @gone.png and @notes.txt' },
        { type: "image", data: "iVBORw==", mimeType: "image/png" },
      ],
    ]);
    expect(made.host.statuses.map(({ message }) => message)).toEqual([
      "gone.png could not be read, so only its name was sent.",
    ]);
    made.chat.editor.handlePaste?.(`'${join(folder, "shot one.png")}'`);
    await until(() => made.chat.text !== "");
    expect(made.chat.text).toBe(`@"${join(folder, "shot one.png")}" `);
    expect(promptsOf(model)).toHaveLength(1);
  });
});

describe("Esc", () => {
  test("twice on an empty text does what the setting says, within half a second", () => {
    const made = testChat();
    made.press("esc");
    made.host.advance(600);
    made.press("esc");
    expect(made.doubleEscapes()).toBe(0);
    made.host.advance(300);
    made.press("esc");
    expect(made.doubleEscapes()).toBe(1);
    made.press("esc", "x", "backspace", "esc");
    expect(made.doubleEscapes()).toBe(1);
    made.type("text");
    made.press("esc", "esc");
    expect([made.doubleEscapes(), made.chat.text]).toEqual([1, "text"]);
  });

  test("does nothing twice if the gesture is disabled", () => {
    const made = testChat({ testHost: { keys: { "chat.doubleEscape": [] } } });
    made.press("esc", "esc");
    expect(made.doubleEscapes()).toBe(0);
  });
});
