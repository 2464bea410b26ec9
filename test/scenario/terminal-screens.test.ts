import { expect, test } from "vitest";
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

/** Looks a person may have. `screens/` keeps what each of them sees. One program shows all widths of a look. */
const LOOKS = [
  { look: "in colour", args: [], windows: { 40: 40, 80: 80, 120: 120 } },
  { look: "in ASCII", args: ["--ascii"], windows: { ascii: 80 } },
] as const;
const ROWS = 30;

async function closed({ terminal }: DemoSeat, sign: RegExp): Promise<void> {
  await terminal.escape((text) => !sign.test(text));
}

const TREE = /^ Tree .*on #/m;

type Kept = (screen: string, part?: "panel" | "screen") => Promise<void>;

async function tree(seat: DemoSeat, kept: Kept): Promise<void> {
  const { terminal } = seat;
  await openTree(seat);
  await kept("tree");
  terminal.press("ctrl+u").press("f2");
  await terminal.shows("you are here");
  await terminal.shows("Generate a tokenizer");
  await kept("tree-user-only");
  terminal.press("?");
  await terminal.shows("go to the row above");
  await kept("help");
  await closed(seat, /go to the row above/);
  // All rows again, and half the window, for the screens after this one.
  terminal.press("ctrl+u").press("f2");
  await closed(seat, TREE);
}

async function branchesAndPlans(seat: DemoSeat, kept: Kept): Promise<void> {
  const { terminal } = seat;
  await command(seat, "/branches", /Branches .* 5/);
  await kept("branches");
  await closed(seat, /Branches .* 5/);
  await command(seat, "/compare #1 #4", /^ Compare/m);
  await kept("compare");
  terminal.press("space").press("p");
  await terminal.shows("Cherry-pick");
  await kept("plan");
  await closed(seat, /Cherry-pick 1/);
  await closed(seat, /^ Compare/m);
  await command(seat, "/merge #4", /bring a summary of #4/i);
  await kept("merge");
  await closed(seat, /bring a summary of #4/i);
}

async function leavingAndSessions(seat: DemoSeat, kept: Kept): Promise<void> {
  const { terminal } = seat;
  await command(seat, "/switch #4 --no-summary", "Now on #4");
  await command(seat, "/pop", "Enter brings a summary");
  await kept("pop");
  await closed(seat, /Enter brings a summary/);
  await say(seat, "!seq 1 900", /^ *900$/m);
  await openTree(seat);
  terminal.press("/").type("Try a hand-written").press("enter");
  await terminal.shows(/[❯>].*#2.*Try a/);
  terminal.press("enter");
  await terminal.shows("Bring a summary?");
  await kept("leaving");
  await closed(seat, /Bring a summary/);
  await closed(seat, /match 1 of/);
  await closed(seat, TREE);
  await command(seat, "/context", /^ Context/m);
  await kept("context");
  await closed(seat, /^ Context/m);
  await command(seat, "/resume", /^ Sessions[\s\S]*parser session {2}/m);
  await kept("resume");
}

test.each(LOOKS)("$look, every screen looks as kept", async ({ args, windows }) => {
  const widths = Object.entries(windows);
  // What is typed and waited for in between is at the last width.
  const seat = await sitDownAtDemo({ columns: widths.at(-1)?.[1] ?? 80, rows: ROWS, args });
  const kept: Kept = async (screen, part) => {
    for (const [name, columns] of widths) {
      seat.terminal.resize(columns, ROWS);
      await matchesKept(seat, `${screen}-${name}`, part);
      // Untrusted words may be anything; this session has only ASCII ones.
      if (name === "ascii" && screen === "tree") expect(seat.terminal.text).toMatch(/^[\x20-\x7e\n]*$/);
    }
  };
  await kept("chat", "screen");
  await branchesAndPlans(seat, kept);
  await tree(seat, kept);
  await leavingAndSessions(seat, kept);
});

test("in plain words, the tree and the branches look as kept", async () => {
  const { place, file } = demoPlace();
  const seat = { ...sitDown({ place, args: ["--plain", "-r", file], columns: 100, rows: 120 }), file };
  await seat.terminal.shows(/quits\.\n>/);
  await command(seat, "/branches", /branch[\s\S]*\n>\n/);
  await command(seat, "/tree", /Number to go/);
  await matchesKept(seat, "tree-plain");
});
