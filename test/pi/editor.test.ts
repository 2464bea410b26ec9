/** Extensions written for pi that draw over the conversation or take the place of the editor. */
import { expect, test } from "vitest";
import { PiTerminal } from "./pi-terminal.js";

test("over: is drawn over the conversation, with a handle", async () => {
  const terminal = await PiTerminal.open({ extensions: ["over.ts"] });
  await terminal.send("/over");
  const screen = await terminal.shows("0 keys");
  expect(
    screen
      .split("\n")
      .find((line) => line.includes("╭"))
      ?.trimEnd(),
  ).toMatch(/╭─{22}╮$/);
  terminal.type("abc");
  await terminal.shows("3 keys");
  terminal.press("esc");
  await terminal.shows("3 keys over it, with a handle");
});

test("modal: takes the place of the editor, and sends its text", async () => {
  const terminal = await PiTerminal.open({ extensions: ["modal.ts"], steps: ["heard you"] });
  await terminal.shows("WRITE");
  terminal.type("abc");
  await terminal.shows("abc");
  terminal.press("ctrl+k");
  await terminal.shows("COMMAND");
  terminal.type("dh");
  await terminal.shows("hello from command mode");
  terminal.press("ctrl+k", "enter");
  await terminal.shows("heard you");
  await terminal.send("/plain");
  await terminal.shows("custom editor: true");
  await terminal.hides("WRITE");
});

test("issues: adds to what the editor suggests", async () => {
  const terminal = await PiTerminal.open({ extensions: ["issues.ts"] });
  terminal.type("see #1");
  await terminal.shows("leaves fall too early");
  terminal.press("down", "tab");
  await terminal.shows("see #17");
});
