import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { conversation, sessionFiles } from "./cli-support.js";
import { SharedSeat } from "./terminal-shared.js";
import { command, onlySession, promptsOf, reading, say } from "./terminal-support.js";

const shared = new SharedSeat();

describe("sessions", () => {
  test("/fork makes a new file that names where it is from; /resume lists, names, archives, brings back and opens", async () => {
    const seat = await shared.atNew();
    const { terminal, place } = seat;
    await say(seat, "list the files here", "notes.txt");
    const original = onlySession(seat);
    await say(seat, "read notes.txt", "buy milk");
    await command(seat, "/fork", "Fork · 2 prompts");
    terminal.type("read");
    await terminal.shows(/1 of 2 prompts[\s\S]*❯ read notes\.txt/);
    terminal.press("enter");
    await terminal.shows(/New session from just before "read notes.txt"[\s\S]*─\n› read notes\.txt\n/);
    terminal.press("ctrl+u");
    await say(seat, "read app.js", "console.log");
    const fork = sessionFiles(place).find((file) => file !== original) as string;
    expect(await reading(fork, (session) => [session.getHeader()?.parentSession, promptsOf(session)])).toEqual([
      original,
      ["list the files here", "read app.js"],
    ]);
    expect(await reading(original, promptsOf)).toEqual(["list the files here", "read notes.txt"]);

    await command(seat, "/resume", "Sessions · 2 in this folder");
    await terminal.shows(/❯@/);
    terminal.press("m").type("second way").press("enter");
    await terminal.shows('Named "second way".');
    terminal.press("down").press("x");
    await terminal.shows("will be archived. Nothing is deleted.");
    (await terminal.yieldNow()).press("enter");
    await terminal.shows(/Archived "list the files here"/);
    expect(existsSync(original)).toBe(false);
    terminal.press("z");
    await terminal.shows("Sessions · 2 in this folder");
    expect(existsSync(original)).toBe(true);
    terminal.press("/").type("second");
    await terminal.shows(/second way/);
    await terminal.shows("Sessions · 1 of 2 in this folder");
    await terminal.escape("Sessions · 2 in this folder");
    terminal.press("down");
    await terminal.shows(/❯.*list the files here {4}/);
    terminal.press("enter");
    await terminal.shows("buy milk");
    await shared.leave(seat);
    expect(await reading(fork, (session) => session.getSessionName())).toBe("second way");
  });

  test("/clone goes on in a copy of the path, and /new begins another session", async () => {
    const seat = await shared.atNew();
    const { terminal, place } = seat;
    await say(seat, "list the files here", "notes.txt");
    const original = onlySession(seat);
    await command(seat, "/clone", "New session with a copy of this path.");
    await say(seat, "read notes.txt", "buy milk");
    await command(seat, "/new", /The previous one is saved\.\n +\/resume lists it\./);
    await terminal.shows((text) => !text.includes("buy milk"));
    await say(seat, "read app.js", "console.log");
    await shared.leave(seat);
    const said = await Promise.all(sessionFiles(place).map((file) => reading(file, promptsOf)));
    expect(said).toHaveLength(3);
    expect(said).toContainEqual(["list the files here", "read notes.txt"]);
    expect(said).toContainEqual(["read app.js"]);
    expect(await reading(original, promptsOf)).toEqual(["list the files here"]);
  });

  test("/name, /session, /copy and /export say and write what is there", async () => {
    const seat = await shared.atNew({ rows: 40 });
    const { terminal, place } = seat;
    await command(seat, "/copy", "Nothing here yet.");
    await say(seat, "read notes.txt", "buy milk");
    await command(seat, "/name shopping", 'Renamed to "shopping".');
    await terminal.shows(/shopping · #1 read notes/);
    await command(seat, "/session", /Session · shopping[\s\S]*branches {2}1/);
    await terminal.escape((text) => !text.includes("Session · shopping"));
    await command(seat, "/copy", /Copied \d+ characters\./);
    const copied = /\x1b\]52;c;([A-Za-z0-9+/=]+)/.exec(terminal.raw)?.[1] ?? "";
    expect(Buffer.from(copied, "base64").toString("utf8")).toContain("buy milk");

    // With a new file name there is nothing left to choose.
    await command(seat, "/export notes.md", /Wrote \d+ entries to .*notes\.md/);
    const markdown = join(place.cwd, "notes.md");
    expect(readFileSync(markdown, "utf8")).toContain("buy milk");
    await command(seat, "/export", /format {3}a page[\s\S]*file {5}shopping\.html/);
    terminal.press("ctrl+u").type("path.jsonl");
    await terminal.shows(/format {3}JSONL, to open[\s\S]*file {5}path\.jsonl/);
    terminal.press("enter");
    await terminal.shows(/Wrote \d+ entries to .*path\.jsonl/);
    const lines = join(place.cwd, "path.jsonl");
    expect((await conversation(lines))[0]).toBe("user: read notes.txt");
    for (const file of [markdown, lines]) expect(statSync(file).mode & 0o777).toBe(0o600);
    await shared.leave(seat);
  });

  test("/help and ? list commands and keys", async () => {
    const seat = await shared.atNew({ rows: 40 });
    const { terminal } = seat;
    await command(seat, "/help", "Branches and the tree");
    await terminal.escape((text) => !text.includes("Branches and the tree"));
    terminal.press("?");
    await terminal.shows(/Keys[\s\S]*Esc Esc/);
    terminal.type("thinking");
    await terminal.shows(/Alt\+T +cycle thinking level/);
    await terminal.escape((text) => !text.includes("/ thinking"));
    await terminal.escape((text) => !/^ Keys/m.test(text));
    await shared.leave(seat);
  });

  // The last one: it changes settings.
  test("/model, /thinking and /settings show what there is, and change it", async () => {
    const seat = await shared.atNew({ rows: 30 });
    const { terminal, place } = seat;
    await command(seat, "/model", /Models · \d+ known[\s\S]*❯@offline\/rules/);
    terminal.type("opus");
    await terminal.shows((text) => text.includes("opus") && !text.includes("❯@offline/rules"));
    await terminal.escape("❯@offline/rules");
    await terminal.escape((text) => !text.includes("Models ·"));
    await command(seat, "/thinking high", "Thinking: high.");
    await command(seat, "/thinking", /❯ high/);
    await terminal.escape((text) => !text.includes("Enter choose"));
    await command(seat, "/settings", "Settings ·");
    terminal.type("doubleEsc");
    await terminal.shows(/❯ doubleEscapeAction +tree/);
    terminal.press("enter");
    await terminal.shows(/❯ tree/);
    terminal.press("down").press("enter");
    await terminal.shows(/doubleEscapeAction +(fork|none)[\s\S]*yours|doubleEscapeAction is/);
    expect(readFileSync(join(place.home, "settings.json"), "utf8")).toContain("doubleEscapeAction");
  });
});
