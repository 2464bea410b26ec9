import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makePlace, type Place } from "./cli-support.js";
import { command, expectGivenBack, onlySession, promptsOf, reading, say, sitDown } from "./terminal-support.js";

const DIALOGS = `
export default function (bough) {
  bough.registerCommand("dialogs", {
    description: "Asks everything there is to ask",
    async handler(_args, { ui }) {
      const colour = await ui.select("Which colour?", ["red", "green"]);
      const sure = await ui.confirm("Paint it?", "All of it becomes " + colour);
      const name = await ui.input("Whose wall?", "a name");
      const text = await ui.editor("What shall stand there?", "first line");
      await new Promise((resolve) => ui.custom({
        render: (width) => ["a component of " + width + " columns"],
        handleInput: () => {},
      }, resolve));
      ui.notify([colour, sure, name, text].join("|"));
    },
  });
  bough.registerCommand("card", {
    handler() {
      bough.sendMessage({ customType: "card", content: "hidden words", display: true, details: { by: "a renderer" } });
    },
  });
  bough.registerMessageRenderer("card", (message) => ["+------+", "| " + message.details.by + " |", "+------+"]);
  bough.registerShortcut("alt+x", { handler: ({ ui }) => ui.notify("the shortcut was heard") });
  bough.registerShortcut("ctrl+d", { handler: ({ ui }) => ui.notify("never") });
  bough.registerShortcut("alt+k", { handler: () => { setTimeout(() => { throw new Error("nobody caught this"); }); } });
  bough.registerShortcut("alt+c", { handler: () => { throw new Error("a shortcut that throws"); } });
}
`;

function placeWithExtension(): Place {
  const place = makePlace();
  const folder = join(place.home, "extensions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "dialogs.js"), DIALOGS);
  return place;
}

describe("an extension", () => {
  test("is told which key is taken, asks in every way, hears its shortcut, and draws its messages", async () => {
    const seat = sitDown({ place: placeWithExtension() });
    const { terminal } = seat;
    await terminal.shows("New session");
    await terminal.shows(/ctrl\+d/i);
    await command(seat, "/dialogs", /Which colour\?[\s\S]*❯ red/);
    terminal.press("down").press("enter");
    await terminal.shows("All of it becomes green");
    terminal.press("y");
    await terminal.shows("Whose wall?");
    terminal.type("mine").press("enter");
    await terminal.shows(/What shall stand there\?[\s\S]*first line/);
    terminal.press("end").press("ctrl+j").type("second line");
    await terminal.shows("second line");
    terminal.press("enter");
    await terminal.shows("a component of 80 columns");
    // It keeps the keyboard to itself; Ctrl+C always leaves.
    terminal.press("ctrl+c");
    await terminal.shows(/green\|true\|mine\|first line/);
    terminal.press("alt+x");
    await terminal.shows("the shortcut was heard");
    terminal.press("alt+c");
    await terminal.shows("a shortcut that throws");
    await command(seat, "/card", "| a renderer |");
    expect(terminal.text).not.toContain("hidden words");
    terminal.press("ctrl+d");
    expect(await terminal.ends()).toBe(0);
    await reading(onlySession(seat), (session) => {
      expect(session.getBranch().map(({ type }) => type)).toContain("custom_message");
    });
  });

  test("that crashes the program leaves the terminal and the session in order", async () => {
    const seat = sitDown({ place: placeWithExtension() });
    const { terminal } = seat;
    await terminal.shows("New session");
    await say(seat, "read notes.txt", "buy milk");
    terminal.press("alt+k");
    expect(await terminal.ends()).not.toBe(0);
    expectGivenBack(seat);
    expect(terminal.history).toContain("nobody caught this");
    expect(await reading(onlySession(seat), promptsOf)).toEqual(["read notes.txt"]);
  });

  test("of a project runs only where the folder is trusted", async () => {
    const place = makePlace();
    const folder = join(place.cwd, ".bough", "extensions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "greets.js"),
      "export default (bough) => bough.registerCommand('greet', { handler: (_args, { ui }) => ui.notify('hello from the project') });",
    );
    const first = sitDown({ place });
    await first.terminal.shows(/This project brings extensions[\s\S]*Load them\?/);
    (await first.terminal.yieldNow()).press("enter");
    await first.terminal.shows("New session");
    await command(first, "/greet", "Unknown command /greet");
    first.terminal.press("ctrl+d");
    await first.terminal.ends();

    const second = sitDown({ place });
    await second.terminal.shows("Load them?");
    (await second.terminal.yieldNow()).press("ctrl+y");
    await second.terminal.shows("New session");
    await command(second, "/greet", "hello from the project");
    second.terminal.press("ctrl+d");
    await second.terminal.ends();

    const third = sitDown({ place });
    await third.terminal.shows("New session");
    expect(third.terminal.raw).not.toContain("Load them?");
  });
});

describe("permission", () => {
  test("once, for the session, and no with a reason", async () => {
    const seat = sitDown();
    const { terminal } = seat;
    await terminal.shows("New session");
    terminal.type("run echo one-time").press("enter");
    await terminal.shows("yes, once");
    (await terminal.yieldNow()).press("y");
    await terminal.shows(/○[\s\S]*one-time/);
    terminal.type("run echo explained").press("enter");
    await terminal.shows("yes, once");
    (await terminal.yieldNow()).press("w");
    await terminal.shows("What should it do instead?");
    terminal.type("not today").press("enter");
    await terminal.shows(/The user said: not today/);
    terminal.type("run echo for-good").press("enter");
    await terminal.shows("yes, for this session: all shell commands");
    (await terminal.yieldNow()).press("ctrl+s");
    await terminal.shows(/Allowed for this session: all shell commands\.\n +\/permissions revokes it\./);
    await terminal.shows(/○[\s\S]*for-good/);
    await say(seat, "run echo unasked", /○[\s\S]*unasked/);
    expect(terminal.text).not.toContain("yes, once");
    await terminal.shows("1 permission granted");
    terminal.type("/permissions revoke 1").press("enter");
    await terminal.shows("Revoked: all shell commands. You will be asked again.");
    terminal.type("run echo again").press("enter");
    await terminal.shows("yes, once");
  });
});
