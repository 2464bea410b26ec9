import { describe, test } from "vitest";
import {
  command,
  type DemoSeat,
  demoPlace,
  matchesKept,
  openTree,
  say,
  sitDown,
  sitDownAtDemo,
} from "./terminal-support.js";

/** Looks a person may have. `screens/` keeps what each of them sees. */
const WINDOWS = [
  { name: "40", columns: 40, rows: 30, args: [] },
  { name: "80", columns: 80, rows: 30, args: [] },
  { name: "120", columns: 120, rows: 30, args: [] },
  { name: "ascii", columns: 80, rows: 30, args: ["--ascii"] },
] as const;

async function closed({ terminal }: DemoSeat, sign: RegExp): Promise<void> {
  await terminal.escape((text) => !sign.test(text));
}

const TREE = /^ Tree .*on #/m;

describe.each(WINDOWS)("at $name", ({ name, columns, rows, args }) => {
  test("the conversation and its tree look as kept", async () => {
    const seat = await sitDownAtDemo({ columns, rows, args });
    const { terminal } = seat;
    await matchesKept(seat, `chat-${name}`, "screen");
    await openTree(seat);
    await matchesKept(seat, `tree-${name}`);
    terminal.press("ctrl+u").press("f2");
    await terminal.shows("you are here");
    await terminal.shows("Generate a tokenizer");
    await matchesKept(seat, `tree-user-only-${name}`);
    terminal.press("?");
    await terminal.shows("go to the row above");
    await matchesKept(seat, `help-${name}`);
  });

  test("branches, a comparison and a plan look as kept", async () => {
    const seat = await sitDownAtDemo({ columns, rows, args });
    const { terminal } = seat;
    await command(seat, "/branches", /Branches .* 5/);
    await matchesKept(seat, `branches-${name}`);
    await closed(seat, /Branches .* 5/);
    await command(seat, "/compare #1 #4", /^ Compare/m);
    await matchesKept(seat, `compare-${name}`);
    terminal.press("space").press("p");
    await terminal.shows("Cherry-pick");
    await matchesKept(seat, `plan-${name}`);
    await closed(seat, /Cherry-pick 1/);
    await closed(seat, /^ Compare/m);
    await command(seat, "/merge #4", /bring a summary of #4/i);
    await matchesKept(seat, `merge-${name}`);
  });

  test("leaving, the context and the sessions look as kept", async () => {
    const seat = await sitDownAtDemo({ columns, rows, args });
    const { terminal } = seat;
    await command(seat, "/switch #4", "Now on #4");
    await command(seat, "/pop", "Enter brings a summary");
    await matchesKept(seat, `pop-${name}`);
    await closed(seat, /Enter brings a summary/);
    await say(seat, "!seq 1 900", /^ *900$/m);
    await openTree(seat);
    terminal.press("/").type("Try a hand-written").press("enter");
    await terminal.shows(/[❯>].*#2.*Try a/);
    terminal.press("enter");
    await terminal.shows("Bring a summary?");
    await matchesKept(seat, `leaving-${name}`);
    await closed(seat, /Bring a summary/);
    await closed(seat, /match 1 of/);
    await closed(seat, TREE);
    await command(seat, "/context", /^ Context/m);
    await matchesKept(seat, `context-${name}`);
    await closed(seat, /^ Context/m);
    await command(seat, "/resume", /^ Sessions[\s\S]*parser session {2}/m);
    await matchesKept(seat, `resume-${name}`);
  });
});

test("in plain words, the tree and the branches look as kept", async () => {
  const { place, file } = demoPlace();
  const seat = { ...sitDown({ place, args: ["--plain", "-r", file], columns: 100, rows: 120 }), file };
  await seat.terminal.shows(/quits\.\n>/);
  await command(seat, "/branches", /branch[\s\S]*\n>\n/);
  await command(seat, "/tree", /Number to go/);
  await matchesKept(seat, "tree-plain");
});
