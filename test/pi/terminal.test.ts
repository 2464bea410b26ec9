/** Extensions written for pi that show something. */
import { expect, test } from "vitest";
import { PiTerminal } from "./pi-terminal.js";

test("dialogs: every question is asked and answered, and others hear of it", async () => {
  const terminal = await PiTerminal.open({ extensions: ["dialogs.ts"] });
  await terminal.send("/dialogs");
  await terminal.shows(/Which tree\?[\s\S]*asking: select/);
  terminal.press("down", "enter");
  await terminal.shows("An ash grows for centuries");
  terminal.press("y");
  await terminal.shows("Where?");
  terminal.type("here");
  terminal.press("enter");
  await terminal.shows(/A note[\s\S]*First line/);
  terminal.press("end");
  terminal.type("!");
  terminal.press("enter");
  const screen = await terminal.shows("ash|true|here|First line!");
  expect(screen).not.toContain("asking:");
});

test("dialogs: a question ends by its time limit and by its signal", async () => {
  const terminal = await PiTerminal.open({ extensions: ["dialogs.ts"] });
  await terminal.send("/hurry");
  await terminal.shows("undefined, false");
});

test("dashboard: shows status and widgets, and takes them away", async () => {
  const terminal = await PiTerminal.open({ extensions: ["dashboard.ts"] });
  const screen = await terminal.shows(/over the editor[\s\S]*under the editor/);
  expect(screen).toContain("sunny");
  expect(terminal.title).toBe("The dashboard");
  await terminal.send("/clean");
  await terminal.shows("clean");
  const after = await terminal.hides("over the editor");
  expect(after).not.toContain("under the editor");
  expect(after).not.toContain("sunny");
});

test("dashboard: says what it waits for in its own words", async () => {
  const terminal = await PiTerminal.open({
    extensions: ["dashboard.ts"],
    steps: [{ frames: [], after: "wait" }],
  });
  await terminal.send("hello");
  await terminal.shows("Growing leaves");
});

test("frame: draws the header and the footer", async () => {
  const terminal = await PiTerminal.open({ extensions: ["frame.ts"], steps: ["hi there"] });
  await terminal.shows("The orchard");
  await terminal.shows(/spent \$0\.000 on no branch +full moon/);
  await terminal.send("hello");
  await terminal.shows(/spent \$0\.071 on no branch +full moon/);
  await terminal.send("/unframe");
  await terminal.hides("spent $");
});

test("pick: a component has the keyboard and gives a result", async () => {
  const terminal = await PiTerminal.open({ extensions: ["pick.ts"] });
  await terminal.send("/pick");
  await terminal.shows(/Pick a fruit[\s\S]*apple[\s\S]*enter picks/);
  terminal.press("down", "enter");
  await terminal.shows("picked pear");
  await terminal.send("/pick");
  await terminal.shows("Pick a fruit");
  terminal.press("esc");
  await terminal.shows("picked null");
});

test("wait: shows that work is going on, which Esc stops", async () => {
  const terminal = await PiTerminal.open({ extensions: ["wait.ts"] });
  await terminal.send("/wait");
  await terminal.shows("it rained");
  await terminal.send("/wait long");
  await terminal.shows("Waiting for rain...");
  terminal.press("esc");
  await terminal.shows("no rain");
});

test("editor-text: reads and writes the editor by a shortcut and a command", async () => {
  const terminal = await PiTerminal.open({ extensions: ["editor-text.ts"] });
  await terminal.send("/draft gardener");
  await terminal.shows("Dear gardener");
  terminal.port.feed("\x1b\x15");
  await terminal.shows("DEAR GARDENER");
});

test("switches: a list of settings, themes, and unfolded output", async () => {
  const terminal = await PiTerminal.open({ extensions: ["switches.ts"] });
  await terminal.send("/switches");
  await terminal.shows(/Water +off/);
  terminal.press("enter");
  await terminal.shows(/Water +on/);
  terminal.press("esc");
  await terminal.shows("changed water=on");
  await terminal.send("/themes");
  await terminal.shows("true, true, false, true, true");
});

test("key-tap: sees keys first", async () => {
  const terminal = await PiTerminal.open({ extensions: ["key-tap.ts"] });
  terminal.type("a~b§c");
  await terminal.shows("ab$c");
});

test("painted-tool: draws its calls and results", async () => {
  const terminal = await PiTerminal.open({
    extensions: ["painted-tool.ts"],
    steps: [[{ call: "weigh", input: { thing: "pear" } }], "done weighing"],
  });
  await terminal.send("weigh it");
  await terminal.shows("done weighing");
  const screen = await terminal.screen();
  expect(screen).toContain("on the scales pear");
  expect(screen).toContain("it weighs ####");
});

test("card: draws its messages", async () => {
  const terminal = await PiTerminal.open({ extensions: ["card.ts"] });
  await terminal.send("/card look here");
  await terminal.shows("[HIGH] look here");
});

test("counter: draws its entries", async () => {
  const terminal = await PiTerminal.open({ extensions: ["counter.ts"], steps: ["hi"] });
  await terminal.send("hello");
  await terminal.shows("prompt number 1");
});
