import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextOf } from "../../text/index.js";
import { asciiAt, DAY, eitherAt, HOUR, MINUTE, NOW, optionsAt, screen } from "../drawn-text.test-support.js";
import type { LayoutOptions } from "../list-layout.js";
import { layoutSessions, type SessionListState } from "./layout-sessions.js";
import { listedSessions, SESSION_SORTS, type SessionFacts, sessionRow } from "./session-rows.js";

function facts(name: string | undefined, rest: Partial<SessionFacts> = {}): SessionFacts {
  const id = rest.id ?? `id-${name ?? "none"}`;
  return {
    path: `/sessions/${id}.jsonl`,
    id,
    cwd: "/home/ada/code/parser",
    name,
    modified: new Date(NOW - HOUR),
    size: 41_000,
    firstMessage: "wire the tokenizer into the CLI",
    messageCount: 214,
    branchCount: 9,
    ...rest,
  };
}

const ROWS = [
  facts("parser session", { modified: new Date(NOW - 12 * MINUTE), size: 2_400_000 }),
  facts(undefined, { modified: new Date(NOW - 3 * HOUR), messageCount: undefined, branchCount: undefined }),
  facts("ädern", { cwd: "/srv/a/very/long/way/down/to/the/project", modified: new Date(NOW - 2 * DAY), size: 800 }),
  facts(undefined, {
    id: "empty",
    firstMessage: "",
    messageCount: 0,
    branchCount: 0,
    modified: new Date(NOW - 30 * DAY),
  }),
].map((info) => sessionRow(info, { current: "/sessions/id-parser session.jsonl", home: "/home/ada" }));

const FOREIGN = [
  facts("Parser rewrite", { agent: "claude-code", modified: new Date(NOW - 12 * MINUTE), size: 2_400_000 }),
  facts(undefined, { agent: "codex", id: "c", firstMessage: "fix the build", modified: new Date(NOW - 3 * HOUR) }),
  facts(undefined, { agent: "opencode", id: "o", firstMessage: "", cwd: "", modified: new Date(NOW - 2 * DAY) }),
].map((info) => sessionRow({ ...info, messageCount: undefined, branchCount: undefined }, { home: "/home/ada" }));

function drawn(options: LayoutOptions, state: Partial<SessionListState> = {}): string {
  const words = state.words ?? "";
  const rows = state.rows ?? listedSessions(ROWS, { words, sort: state.sort ?? "recent" });
  const whole = {
    rows,
    total: ROWS.length,
    selected: 1,
    top: 0,
    sort: "recent",
    words,
    scope: "folder",
    ...state,
  } as const;
  return screen(layoutSessions(whole, options).lines, options);
}

describe("the rows of sessions", () => {
  test("are called by their name, their first prompt, or neither", () => {
    expect(ROWS.map(({ title, named, folder, current }) => [title, named, folder, current])).toEqual([
      ["parser session", true, "~/code/parser", true],
      ["wire the tokenizer into the CLI", false, "~/code/parser", false],
      ["ädern", true, "/srv/a/very/long/way/down/to/the/project", false],
      ["(nothing said yet)", false, "~/code/parser", false],
    ]);
  });

  test("are found by all words in any order, in name, prompt or folder", () => {
    const titles = (words: string) => listedSessions(ROWS, { words, sort: "recent" }).map(({ title }) => title);
    expect(titles("PARSER tokenizer")).toEqual(["parser session", "wire the tokenizer into the CLI"]);
    expect(titles("srv way")).toEqual(["ädern"]);
    expect(titles("nowhere")).toEqual([]);
  });

  test("are sorted by time, name or size", () => {
    const ids = (sort: "recent" | "name" | "size") => listedSessions(ROWS, { words: "", sort }).map(({ id }) => id);
    expect(ids("recent")).toEqual(["id-parser session", "id-none", "id-ädern", "empty"]);
    expect(ids("name")).toEqual(["id-parser session", "id-ädern", "empty", "id-none"]);
    expect(ids("size")).toEqual(["id-parser session", "id-none", "empty", "id-ädern"]);
    expect(SESSION_SORTS.map((sort) => nextOf(SESSION_SORTS, sort))).toEqual(["name", "size", "recent"]);
  });

  test("have no control characters, whatever a file says; in the name of a folder they are shown", () => {
    const row = sessionRow(facts("a\u001b[31mb\nc", { cwd: "/x\u0007" }));
    expect([row.title, row.folder]).toEqual(["ab c", "/x\\x07"]);
  });
});

describe("the list of sessions", () => {
  test("at 80 columns", () => {
    expect(drawn(optionsAt(80))).toMatchInlineSnapshot(`
      "
       Sessions · 4 in this folder                                    sort: recent (o)
         name                                                messages  branches  last
       @ parser session                                           214         9   12m
       ❯ wire the tokenizer into the CLI                                           3h
         ädern                                                    214         9    2d
         (nothing said yet)                                         0         0    4w
       Enter open   Tab all folders   / filter   r rename   ? keys     2 of 4 sessions
      "
    `);
  });

  test("at 120 columns, of all folders", () => {
    expect(drawn(optionsAt(120), { scope: "all", selected: 0 })).toMatchInlineSnapshot(`
      "
       Sessions · 4 in all folders                                                                            sort: recent (o)
         name                                             folder                            messages  branches     size  last
       ❯@parser session                                   ~/code/parser                          214         9   2.4 MB   12m
         wire the tokenizer into the CLI                  ~/code/parser                                           41 KB    3h
         ädern                                            …/long/way/down/to/the/project         214         9    800 B    2d
         (nothing said yet)                               ~/code/parser                            0         0    41 KB    4w
       Enter open   Tab other agents   / filter   r rename   x archive   ? keys                                1 of 4 sessions
      "
    `);
  });

  test("at 40 columns", () => {
    expect(drawn(optionsAt(40))).toMatchInlineSnapshot(`
      "
       Sessions · 4               sort: recent
       ───────────────────────────────────────
       @ parser session                   12m
       ❯ wire the tokenizer into the …     3h
         ädern                             2d
         (nothing said yet)                4w
       Enter open  Tab all folders  ? keys
      "
    `);
  });

  test("in ASCII, searching", () => {
    expect(drawn(asciiAt(80), { words: "tokenizer", selected: 0, scope: "all" })).toMatchInlineSnapshot(`
      "
       Sessions - 3 of 4 in all folders  /tokenizer                   sort: recent (o)
         name                          folder                messages  branches  last
       >@parser session                ~/code/parser              214         9   12m
         wire the tokenizer into th... ~/code/parser                               3h
         ädern                         .../to/the/project         214         9    2d
       Found by name, folder or ID
       Enter open   Tab other agents   / filter   r rename   ? keys    1 of 3 sessions
      "
    `);
  });

  test("of the archive restores sessions", () => {
    expect(drawn(optionsAt(80), { scope: "archive" })).toMatchInlineSnapshot(`
      "
       Sessions · 4 in the archive                                    sort: recent (o)
         name                          folder                messages  branches  last
       @ parser session                ~/code/parser              214         9   12m
       ❯ wire the tokenizer into the … ~/code/parser                               3h
         ädern                         …/to/the/project           214         9    2d
         (nothing said yet)            ~/code/parser                0         0    4w
       Enter bring back   Tab this folder   / filter   ? keys          2 of 4 sessions
      "
    `);
  });

  test("of other agents says whose each is", () => {
    const at = (width: number): string =>
      drawn(optionsAt(width), { rows: FOREIGN, total: 3, scope: "agents", selected: 0 });
    expect(at(40)).toMatchInlineSnapshot(`
      "
       Sessions · 3               sort: recent
       ───────────────────────────────────────
       ❯ claude-code  Parser rewrite      12m
         codex        fix the build        3h
         opencode     (nothing said y…     2d
       Enter import  Tab the archive  ? keys
      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "
       Sessions · 3 from other agents                                 sort: recent (o)
         agent        name                         folder                  size  last
       ❯ claude-code  Parser rewrite               ~/code/parser         2.4 MB   12m
         codex        fix the build                ~/code/parser          41 KB    3h
         opencode     (nothing said yet)                                  41 KB    2d
       Enter import   Tab the archive   / filter   ? keys              1 of 3 sessions
      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "
       Sessions · 3 from other agents                                                                         sort: recent (o)
         agent        name                                                 folder                                  size  last
       ❯ claude-code  Parser rewrite                                       ~/code/parser                         2.4 MB   12m
         codex        fix the build                                        ~/code/parser                          41 KB    3h
         opencode     (nothing said yet)                                                                          41 KB    2d
       Enter import   Tab the archive   / filter   ? keys                                                      1 of 3 sessions
      "
    `);
  });

  test("of other agents is found by the agent's name", () => {
    const found = listedSessions(FOREIGN, { words: "codex", sort: "recent" });
    expect(found.map(({ title }) => title)).toEqual(["fix the build"]);
  });

  test("says that it is looking for other agents' sessions while it does not know how many there are", () => {
    const looking = { done: 0, total: 0 };
    const text = drawn(optionsAt(80), { rows: [], total: 0, scope: "agents", reading: looking });
    expect(text).toContain("looking…");
    expect(text).toContain("Looking for other agents' sessions…");
  });

  test("those that are only in a store have the names of their machines in place of numbers", () => {
    const stored = [
      facts("Fix the lexer", { id: "s1", stored: "office laptop", modified: new Date(NOW - HOUR) }),
      facts("A long title that says what all of this was about, and then some more of it", {
        ...{ id: "s2", stored: "desk, office laptop, build server", modified: new Date(NOW - 2 * DAY) },
      }),
    ].map((info) => sessionRow({ ...info, size: 0, messageCount: undefined, branchCount: undefined }));
    const rows = listedSessions([...ROWS.slice(0, 2), ...stored], { words: "", sort: "recent" });
    const state = { rows, total: 2, store: { name: "home", count: 2, asking: false } };
    const at = (width: number) => `\n${drawn(optionsAt(width), state)}\n`;
    expect(at(40)).toMatchInlineSnapshot(`
      "

       Sessions · 2 · ⇅ 2         sort: recent
       ───────────────────────────────────────
       @ parser session                   12m
       ❯ ⇅ Fix the lexer                   1h
         wire the tokenizer into the …     3h
         ⇅ A long title that says wha…     2d
       Enter fetch and open  ? keys

      "
    `);
    expect(at(80)).toMatchInlineSnapshot(`
      "

       Sessions · 2 in this folder · ⇅ 2 in home                      sort: recent (o)
         name                                                messages  branches  last
       @ parser session                                           214         9   12m
       ❯ Fix the lexer                                          ⇅ office laptop    1h
         wire the tokenizer into the CLI                                           3h
         A long title that says what all of this was abou… ⇅ desk, office lapt…    2d
       Enter fetch and open   Tab all folders   / filter   ? keys      2 of 4 sessions

      "
    `);
    expect(at(120)).toMatchInlineSnapshot(`
      "

       Sessions · 2 in this folder · ⇅ 2 in home                                                              sort: recent (o)
         name                                                                               messages  branches     size  last
       @ parser session                                                                          214         9   2.4 MB   12m
       ❯ Fix the lexer                                                                                  ⇅ office laptop    1h
         wire the tokenizer into the CLI                                                                          41 KB    3h
         A long title that says what all of this was about, and then some more of it      ⇅ desk, office laptop, build…    2d
       Enter fetch and open   Tab all folders   / filter   ? keys                                              2 of 4 sessions

      "
    `);
    expect(drawn(asciiAt(60), state)).toMatchInlineSnapshot(`
      "
       Sessions - 2 in this folder - ^v 2 in home sort: recent (o)
         name                                      messages  last
       @ parser session                                 214   12m
       > Fix the lexer                     ^v office laptop    1h
         wire the tokenizer into the CLI                       3h
         A long title that says wha... ^v desk, office l...    2d
       Enter fetch and open   ? keys               2 of 4 sessions
      "
    `);
    expect(drawn(optionsAt(80), { ...state, scope: "all" })).toMatchInlineSnapshot(`
      "
       Sessions · 2 in all folders · ⇅ 2 in home                      sort: recent (o)
         name                          folder                messages  branches  last
       @ parser session                ~/code/parser              214         9   12m
       ❯ Fix the lexer                 …/ada/code/parser        ⇅ office laptop    1h
         wire the tokenizer into the … ~/code/parser                               3h
         A long title that says what … …/ada/code/parser   ⇅ desk, office lapt…    2d
       Enter fetch and open   Tab other agents   / filter   ? keys     2 of 4 sessions
      "
    `);
    const asking = { total: 2, rows: ROWS.slice(0, 2), store: { name: "the store", count: 0, asking: true } };
    expect(drawn(optionsAt(80), asking)).toContain("asking the store…");
    expect(drawn(optionsAt(80), { ...state, words: "lexer", rows: stored.slice(0, 1) })).toContain("1 of 4");
  });

  test("while it is still growing", () => {
    expect(
      drawn(optionsAt(80), { rows: ROWS.slice(0, 1), selected: 0, reading: { done: 120, total: 5000 } }),
    ).toMatchInlineSnapshot(`
      "
       Sessions · 4 in this folder                                reading 120 of 5000…
         name                                                messages  branches  last
       ❯@parser session                                           214         9   12m
       Enter open   Tab all folders   / filter   r rename   ? keys      1 of 1 session
      "
    `);
  });

  test.each([
    [{ rows: [] }, "No sessions in this folder yet. Send a prompt and it becomes the first."],
    [{ rows: [], scope: "all" as const }, "No sessions yet. Send a prompt and it becomes the first."],
    [{ rows: [], scope: "archive" as const }, "The archive is empty."],
    [
      { rows: [], scope: "agents" as const },
      "None found in the default folders. To import from elsewhere: /import <file>",
    ],
    [{ rows: [], words: "lexr" }, 'No session matches "lexr". Esc clears the search.'],
    [{ rows: [], reading: { done: 0, total: 10 } }, "Reading sessions…"],
  ])("says why it is empty", (state, text) => {
    expect(drawn(optionsAt(80), state)).toContain(text);
  });

  test("keeps the selected row on the screen and says where the cursor is", () => {
    const rows = Array.from({ length: 100 }, (_, n) => sessionRow(facts(`session ${n}`)));
    const state = { rows, total: 100, selected: 50, top: 0, sort: "recent", words: "", scope: "folder" } as const;
    const { lines, top, cursorRow } = layoutSessions(state, optionsAt(80, 12));
    expect([lines.length, top, cursorRow]).toEqual([12, 42, 10]);
  });

  test("is never wider or higher than asked", () => {
    const name = fc.array(fc.constantFrom("a", " ", "界", "👩‍👩‍👧", "é", "x".repeat(30)), { maxLength: 12 });
    fc.assert(
      fc.property(name, fc.integer({ min: 1, max: 130 }), fc.integer({ min: 1, max: 9 }), (parts, width, height) => {
        const row = sessionRow(facts(parts.join(""), { cwd: `/${parts.join("/")}` }));
        drawn(eitherAt(width, height), { rows: [row, row], selected: 1, scope: "all", words: parts.join("") });
      }),
    );
  });
});
