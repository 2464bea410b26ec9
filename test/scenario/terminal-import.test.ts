import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { layOutAgents } from "../support/agents-home.js";
import { bough, makePlace, type Place, sessionFiles } from "./cli-support.js";
import { command, leave, matchesKept, onlySession, promptsOf, reading, say, sitDown } from "./terminal-support.js";

const HOUR = 3_600_000;
/** As it is in the samples, so that their sizes are the same everywhere. */
const ELSEWHERE = "/home/dev/project";
const CODEX = "01a1de66-2f95-7361-a035-2c1db9b1d6c0";

/** A person who has used five agents, in the project or elsewhere; each session is an hour older than the one before. */
function agentsPlace(
  where: "here" | "elsewhere",
  options: Parameters<typeof makePlace>[0] = {},
): { readonly place: Place } {
  const place = makePlace(options);
  const files = layOutAgents({ home: dirname(place.home), cwd: where === "here" ? place.cwd : ELSEWHERE });
  for (const [n, file] of Object.values(files).entries()) {
    // Old enough that ages do not change while a test runs.
    const then = new Date(Date.now() - (n + 1.5) * HOUR * 24);
    utimesSync(file, then, then);
  }
  return { place };
}

const LARGE = "5f2c0a52-6f0e-4a53-9a4e-2f1f0f1c7b12";

/** So large that nobody is through with it before a key is heard. */
function largeTranscript(cwd: string): string {
  const text = "what was tried and why it failed ".repeat(2000);
  const lines: string[] = [];
  for (let n = 0; n < 1500; n++) {
    const content = n === 0 ? "a large one" : text;
    const parentUuid = n === 0 ? null : `uuid-${n - 1}`;
    const base = { parentUuid, uuid: `uuid-${n}`, isSidechain: false, cwd, sessionId: LARGE, version: "2.1.325" };
    const time = new Date(Date.UTC(2026, 10, 1) + n * 1000).toISOString();
    lines.push(JSON.stringify({ ...base, type: "user", timestamp: time, message: { role: "user", content } }));
  }
  return `${lines.join("\n")}\n`;
}

describe("sessions of other agents", () => {
  test("the list, at 40, 80 and 120 columns", async () => {
    const { place } = agentsPlace("elsewhere");
    // Its sessions say themselves how old they are, and are older every day.
    rmSync(join(dirname(place.home), ".local"), { recursive: true });
    const seat = sitDown({ place });
    await seat.terminal.shows("New session");
    await command(seat, "/import", /Sessions · 6/);
    await seat.terminal.hides("looking…");
    for (const columns of [40, 80, 120]) {
      seat.terminal.resize(columns, 24);
      await matchesKept(seat, `import-${columns}`);
    }
  });

  test("the first start says that there are some, once, below the other lines for a newcomer", async () => {
    const { place } = agentsPlace("here", { settings: null });
    const seat = sitDown({ place });
    await seat.terminal.shows(/keys\n Found 9 sessions from five other agents\.\n \/import shows them\./);
    await leave(seat);
    const again = sitDown({ place });
    await again.terminal.shows("New session");
    await command(again, "/import", "9 from other agents");
    expect(again.terminal.text).not.toContain("Found 9 sessions");
  });

  test("the list of sessions comes to them with Tab; /import finds, narrows, imports and opens one; it can be gone on with, and importing again adds nothing", async () => {
    const { place } = agentsPlace("here");
    const seat = sitDown({ place, rows: 30, columns: 100 });
    const { terminal } = seat;
    await terminal.shows("New session");
    await command(seat, "/resume", "Tab all folders");
    terminal.press("tab");
    await terminal.shows("Tab other agents");
    terminal.press("tab");
    await terminal.shows("9 from other agents");
    terminal.press("m");
    await terminal.shows("It is another agent's. Enter imports it so you can rename it.");
    await terminal.escape((text) => !text.includes("9 from other agents"));
    await command(seat, "/import", "9 from other agents");
    terminal.press("/").type("pick a number");
    await terminal.shows("1 of 9 from other agents");
    terminal.press("enter");
    await terminal.shows(/❯ claude-code {2}Pick a number\./);
    terminal.press("enter");
    await terminal.shows(/Imported \d+ turns?, 2 branches\. [\s\S]*kept as notes\. Opened "Pick a\s+number\."/);
    const imported = onlySession(seat);
    await say(seat, "read notes.txt", "buy milk");
    await command(
      seat,
      "/import claude-code:bdeed71e-df0a-497d-9afc-2cd57bdd9943",
      /Nothing new since .*You are already here\./,
    );
    await leave(seat);
    const prompts = await reading(imported, promptsOf);
    expect([prompts[0], prompts.at(-1)]).toEqual(["Pick a number.", "read notes.txt"]);
  });

  test("/handoff says what is lost, asks, writes, and the other agent's session is found again", async () => {
    const { place } = agentsPlace("here");
    const seat = sitDown({ place, rows: 30, columns: 120 });
    const { terminal } = seat;
    await terminal.shows("New session");
    await say(seat, "read notes.txt", "buy milk");
    await command(seat, "/name shopping", 'Renamed to "shopping".');
    await command(seat, "/handoff codex", /Codex cannot store[\s\S]*Enter +write it[\s\S]*Esc +leave it/);
    (await terminal.yieldNow()).press("n");
    await terminal.shows("Nothing changed.");
    const rollouts = (): string[] =>
      readdirSync(join(dirname(place.home), ".codex/sessions"), { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".jsonl"),
      );
    expect(rollouts()).toHaveLength(1);
    await command(seat, "/handoff codex", /Enter +write it/);
    (await terminal.yieldNow()).press("enter");
    await terminal.shows(/To resume there: cd \S+ && codex resume/);
    const written = rollouts().find((name) => !name.includes(CODEX)) as string;
    const text = readFileSync(join(dirname(place.home), ".codex/sessions", written), "utf8");
    expect(text).toContain("read notes.txt");
    expect(text).toContain("buy milk");
    await command(seat, "/import", "10 from other agents");
  });

  test("a large one can be stopped with Esc, and leaves nothing behind", async () => {
    const { place } = agentsPlace("here");
    const project = join(dirname(place.home), ".claude/projects", place.cwd.replace(/[^A-Za-z0-9]/g, "-"));
    writeFileSync(join(project, `${LARGE}.jsonl`), largeTranscript(place.cwd));
    const seat = sitDown({ place, columns: 100 });
    const { terminal } = seat;
    await terminal.shows("New session");
    await command(seat, `/import ${LARGE}`, /Importing "a large one", \d+ MB … \d+ s +Esc stops it/);
    terminal.press("esc");
    await terminal.shows("Import cancelled. Nothing changed");
    // What the list of other agents' files learned may stay; no session does.
    const left = readdirSync(place.home, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith("jsonl"),
    );
    expect(left.filter((name) => name !== "cache/foreign-files.jsonl")).toEqual([]);
    await say(seat, "read notes.txt", "buy milk");
    await leave(seat);
  });

  test("plain mode lists them by number, and imports the one that is named", async () => {
    const { place } = agentsPlace("here");
    const { stdout, code } = await bough(place, ["--plain"], "/import\ns codex\n1\n/handoff pi\n/quit\n");
    expect(code).toBe(0);
    expect(stdout).toContain("Looking for other agents' sessions.");
    expect(stdout).toMatch(
      /9 sessions\.\n(?: +\d {2}.*\n)* +\d {2}claude-code, Pick a number\., in ~\/project, 39 KB, 1 day ago\n/,
    );
    expect(stdout).toMatch(/1 session\.\n +1 {2}codex, Read notes\.txt/);
    expect(stdout).toMatch(/Importing "Read notes\.txt.*Ctrl\+C stops it: you stay where you are\./);
    expect(stdout).toMatch(/Imported \d+ turns?/);
    expect(stdout).toMatch(/pi (?:can store everything|cannot store)|Wrote \d+ records? for pi/);
    expect(stdout).not.toMatch(/\x1b/);
    const [file = ""] = sessionFiles(place);
    expect(existsSync(file)).toBe(true);
    expect(await reading(file, (session) => session.getHeader())).toMatchObject({ importedFrom: { agent: "codex" } });
  });
});
