import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { conversation, makePlace } from "./cli-support.js";
import { SharedSeat } from "./terminal-shared.js";
import { idle, onlySession, promptsOf, reading, say, sitDown } from "./terminal-support.js";

const shared = new SharedSeat();
const auto = new SharedSeat({ settings: { model: "offline/rules", permissionMode: "auto" } });

describe("writing", () => {
  test("Tab and Enter finish commands, and files after an at sign", async () => {
    const seat = await shared.atNew();
    const { terminal, place } = seat;
    mkdirSync(join(place.cwd, "deep"));
    writeFileSync(join(place.cwd, "deep", "file-with-a-name.txt"), "deep down\n");
    terminal.type("/sess");
    await terminal.shows(/❯ \/session/);
    terminal.press("tab");
    await terminal.shows(/─\n› \/session/);
    terminal.press("ctrl+u").type("read @notes");
    await terminal.shows(/❯ notes\.txt/);
    terminal.press("tab");
    await terminal.shows(/─\n› read @notes\.txt/);
    terminal.press("ctrl+u").type("read @with-a");
    await terminal.shows(/❯ deep\/file-with-a-name\.txt/);
    terminal.press("enter");
    await terminal.shows("read @deep/file-with-a-name.txt");
    terminal.press("ctrl+u");
    await shared.leave(seat);
  });

  test("! runs a command that the model sees, !! one that it does not", async () => {
    const seat = await shared.atNew();
    await say(seat, "!echo seen-$((40+2))", /seen-42/);
    await say(seat, "!!echo unseen-$((40+3))", /unseen-43/);
    await shared.leave(seat);
    const runs = await reading(onlySession(seat), (session) =>
      session.getBranch().flatMap((entry) => {
        if (entry.type !== "message" || entry.message.role !== "bashExecution") return [];
        return [[entry.message.output.trim(), entry.message.excludeFromContext === true]];
      }),
    );
    expect(runs).toEqual([
      ["seen-42", false],
      ["unseen-43", true],
    ]);
  });

  test("what is sent while the agent works waits; Esc brings it back", async () => {
    const seat = await auto.atNew();
    const { terminal } = seat;
    terminal.type("run sleep 60").press("enter");
    await terminal.shows(/bash {2}sleep 60/);
    terminal.type("steer this way").press("enter");
    await terminal.shows(/steer this way/);
    await terminal.shows((text) => !/─\n› steer this way/.test(text));
    terminal.type("and then that").press("alt+enter");
    await terminal.shows((text) => text.includes("and then that") && !/─\n› and then that/.test(text));
    terminal.press("esc");
    await terminal.shows(/─\n› steer this way\n\s+and then that/);
    await idle(seat);
    terminal.press("ctrl+c");
    await terminal.hides("and then that");
    await auto.leave(seat);
    expect(await reading(onlySession(seat), promptsOf)).toEqual(["run sleep 60"]);
  });

  test("what waits is heard: steering at the next step, a follow-up at the end", async () => {
    const seat = await auto.atNew();
    const { terminal, place } = seat;
    // The command ends when the test lets it.
    terminal.type("run until test -e go-on; do sleep 0.1; done").press("enter");
    await terminal.shows(/bash {2}until/);
    terminal.type("read notes.txt").press("enter");
    await terminal.shows((text) => text.includes("read notes.txt") && !/─\n› read notes/.test(text));
    terminal.type("read app.js").press("alt+enter");
    await terminal.shows((text) => text.includes("read app.js") && !/─\n› read app/.test(text));
    writeFileSync(join(place.cwd, "go-on"), "");
    await terminal.shows(/● read app\.js[\s\S]*○ [\s\S]*console\.log/);
    await auto.leave(seat);
    expect((await reading(onlySession(seat), promptsOf)).slice(1)).toEqual(["read notes.txt", "read app.js"]);
  });

  test("a large paste is a mark in the editor and goes out whole", async () => {
    const seat = await shared.atNew();
    const { terminal } = seat;
    const pasted = Array.from({ length: 60 }, (_, line) => `pasted line ${line}`).join("\n");
    terminal.paste(pasted);
    await terminal.shows(/\[paste #1 \+60 lines\]/);
    expect(terminal.text).not.toContain("pasted line 30");
    terminal.press("enter");
    await terminal.shows(/I am offline\/rules/);
    await shared.leave(seat);
    expect((await conversation(onlySession(seat)))[0]).toBe(`user: ${pasted}`);
  });

  test("Ctrl+G opens the person's editor and takes what it wrote", async () => {
    const place = makePlace();
    const editor = join(place.cwd, "my-editor");
    writeFileSync(editor, '#!/bin/sh\nprintf "%s and more" "$(cat "$1")" > "$1"\n');
    chmodSync(editor, 0o755);
    const seat = sitDown({ place, env: { EDITOR: editor, VISUAL: "" } });
    const { terminal } = seat;
    await terminal.shows("New session");
    terminal.type("written here");
    await terminal.shows("written here");
    terminal.press("ctrl+g");
    await terminal.shows(/─\n› written here and more/);
    expect(terminal.isFullScreen).toBe(true);
  });

  test("PgUp looks at what was said before, and the end stays one key away", async () => {
    const seat = await shared.atDemo();
    const { terminal } = seat;
    terminal.press("pageup", "pageup");
    await terminal.shows((text) => !text.includes("and bring it home"));
    terminal.press("alt+>");
    await terminal.shows("and bring it home");
    await shared.leave(seat);
  });

  test("what was sent before comes back with Up", async () => {
    const seat = await shared.atNew();
    await say(seat, "list the files here", "notes.txt");
    seat.terminal.press("up");
    await seat.terminal.shows(/─\n› list the files here/);
    seat.terminal.press("ctrl+u");
    await shared.leave(seat);
  });
});
