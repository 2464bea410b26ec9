import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makePlace } from "./cli-support.js";
import { SharedSeat } from "./terminal-shared.js";
import {
  closeSearchedTree,
  command,
  leave,
  matchesKept,
  openTree,
  say,
  sitDown,
  withoutSummary,
} from "./terminal-support.js";

const shared = new SharedSeat();

const EXTENSION = `
export default function (bough) {
  bough.registerCommand("note", {
    handler: () => bough.sendMessage({ customType: "review", content: "Two files need a second look.", display: true }),
  });
  bough.registerCommand("card", {
    handler: () => bough.sendMessage({ customType: "card", content: "hidden", display: true }),
  });
  bough.registerMessageRenderer("card", () => ({ render: (width) => ["+-- " + width + " columns --+", "| drawn by an extension |"] }));
  bough.registerCommand("state", { handler: () => { bough.appendEntry("review.state", { open: 2 }); } });
  bough.registerCommand("busy", {
    async handler(_args, { ui }) {
      let times = 0;
      const closed = new Promise((resolve) => {
        const close = ui.custom((done) => ({
          render: () => ["Indexing, q closes this"],
          handleInput: (data) => { if (data === "q") { done(); done(); close(); } },
        }), () => { times += 1; resolve(); });
      });
      await closed;
      ui.notify("closed " + times + " time");
    },
  });
}
`;

function placeWithExtension() {
  const place = makePlace();
  const folder = join(place.home, "extensions");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "looks.js"), EXTENSION);
  return place;
}

test("search in the tree finds words deep in what a tool printed, and shows where", async () => {
  const seat = await shared.atDemo({ rows: 40 });
  const { terminal } = seat;
  writeFileSync(join(seat.place.cwd, "long.txt"), `${"nothing to see\n".repeat(60)}the hidden needle\n`);
  await say(seat, "!cat long.txt", /needle/);
  await openTree(seat);
  terminal.press("up").press("/").type("Hidden Needle");
  await terminal.shows("1 found");
  terminal.press("enter");
  await terminal.shows(/❯.*\$ cat long\.txt/);
  await terminal.shows(/^ the hidden needle/m);
  await matchesKept(seat, "b7-found-80");
  await closeSearchedTree(seat);
  await shared.leave(seat);
});

test("labels stand in the conversation, and extension messages in a purple box, each with its sign", async () => {
  const seat = sitDown({ place: placeWithExtension(), rows: 20 });
  const { terminal } = seat;
  await terminal.shows("New session");
  await say(seat, "list the files here", "notes.txt");
  await command(seat, "/label good-start", /⚑ good-start/);
  terminal.type("/state").press("enter");
  await terminal.hides("/state");
  await command(seat, "/note", /◈ review\n {2}Two files need a second look\./);
  await command(seat, "/card", /◈ card\n {2}\+-- 78 columns --\+/);
  // The sixteen colours: on magenta, in bright white, to the end of the line.
  expect(terminal.raw).toContain("\x1b[45;97m");
  await matchesKept(seat, "b8-conversation-80", "screen");
  await openTree(seat);
  terminal.press("ctrl+o").press("f2");
  await terminal.shows(/▫ {2}review\.state/);
  await terminal.shows(/⚑ {2}label "good-start"/);
  await terminal.shows(/◈ {2}Two files need/);
  await leave({ ...seat, terminal: await terminal.escape((text) => !/^ Tree .*on #/m.test(text)) });
});

test("done closes a component of an extension, once", async () => {
  const seat = sitDown({ place: placeWithExtension() });
  const { terminal } = seat;
  await terminal.shows("New session");
  await command(seat, "/busy", "Indexing, q closes this");
  await matchesKept(seat, "b9-component-80");
  terminal.press("q");
  await terminal.shows("closed 1 time");
  await terminal.hides("Indexing");
  await leave(seat);
});

test("the preview of a branch says why it exists", async () => {
  const seat = await shared.atDemo({ rows: 40 });
  const { terminal } = seat;
  await command(seat, "/pop", "Enter brings a summary");
  terminal.press("n");
  await terminal.shows("Moved just before");
  terminal.press("ctrl+u");
  await say(seat, "list the files here", "found by rules");
  await command(seat, "/switch #1 --no-summary", /on #1/i);
  await openTree(seat);
  terminal.press("/").type("list the files here").press("enter");
  await terminal.shows(/❯.*▸ #6/);
  await terminal.shows("#6 started with /pop.");
  terminal.press("right", "right");
  await terminal.shows(/❯.*● {2}list the files here/);
  await terminal.shows("#6 started with /pop.");
  await matchesKept(seat, "b13-cause-80");
  terminal.press("enter");
  await withoutSummary(seat);
  await terminal.shows("Moved just before");
  terminal.press("ctrl+c");
  await shared.leave(seat);
});
