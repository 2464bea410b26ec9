import { describe, expect, test } from "vitest";
import { SharedSeat } from "./terminal-shared.js";
import { command, promptsOf, reading } from "./terminal-support.js";

const shared = new SharedSeat();

describe("what the model sees", () => {
  test("/context leaves a message out and takes it in again; the session keeps it", async () => {
    const seat = await shared.atDemo({ rows: 30 });
    const { terminal } = seat;
    await command(seat, "/context", /^ Context .*tokens/m);
    terminal.press("G");
    await terminal.shows(/❯.*The README now says/);
    terminal.press("x");
    await terminal.shows(/left out/i);
    const without = await reading(seat.file, shown);
    expect(without).not.toContain("The README now says which files");
    terminal.press("r");
    await terminal.shows((text) => !/❯.*left out/i.test(text));
    await terminal.escape((text) => !/^ Context .*tokens/m.test(text));
    await shared.leave(seat);
    expect(await reading(seat.file, shown)).toContain("The README now says which files");
    expect(await reading(seat.file, promptsOf)).toContain("Write that down in the README");
  });

  test("/compact shows what it would do, does it, and z takes it back", async () => {
    const seat = await shared.atDemo({ rows: 34 });
    const { terminal } = seat;
    await command(seat, "/compact", /A summary replaces \d+ entries/);
    terminal.press("enter");
    await terminal.shows(/Summarized .* tokens into [^\n]*[\s\S]*z undo it/);
    const compactions = (): Promise<number> =>
      reading(seat.file, (session) => session.getBranch().filter(({ type }) => type === "compaction").length);
    expect(await compactions()).toBe(2);
    terminal.press("z");
    await terminal.shows("Compaction undone; the model sees everything again.");
    await shared.leave(seat);
    expect(await compactions()).toBe(1);
  });

  test("/compact undo undoes the last one, even after a restart", async () => {
    const seat = await shared.atDemo();
    await command(seat, "/compact undo", /Compaction undone/);
    await shared.leave(seat);
    expect(await reading(seat.file, (session) => session.getBranch().some(({ type }) => type === "compaction"))).toBe(
      false,
    );
  });
});

function shown(session: Parameters<typeof promptsOf>[0]): string {
  return JSON.stringify(session.buildSessionContext().messages);
}
