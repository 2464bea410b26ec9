import type { SessionInfo } from "@bough/session/session/index.js";
import { lineText } from "@bough/session/view/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import { describe, expect, test } from "vitest";
import type { ListedSession } from "./browse/listed-session.js";
import { shortIds } from "./browse/short-ids.js";
import { costText, type ListScope, sessionColumns, sessionTsv } from "./session-columns.js";

const NOW = Date.UTC(2026, 0, 15, 12);
const HOUR = 3_600_000;

function info(id: string, fields: Partial<SessionInfo> = {}): SessionInfo {
  return {
    path: `/sessions/${id}.jsonl`,
    id,
    cwd: "/home/dev/project",
    parentSession: undefined,
    name: undefined,
    created: new Date(NOW - 10 * HOUR),
    modified: new Date(NOW - 2 * HOUR),
    size: 4200,
    firstMessage: "What is in this folder?",
    messageCount: 6,
    turnCount: 3,
    branchCount: 2,
    cost: { dollars: 0.42, unpriced: 0 },
    exact: true,
    importedFrom: undefined,
    ...fields,
  };
}

const UNCOUNTED = { turnCount: undefined, branchCount: undefined, cost: undefined, exact: false };
const source = (agent: ForeignSession["agent"]) => ({ agent }) as ForeignSession;

const LISTED: readonly ListedSession[] = [
  { info: info("0123456789abcdef", { name: "The parser" }) },
  { info: info("imported-one", { importedFrom: { agent: "codex", id: "x", path: "/x" } }) },
  {
    info: info("ses_1234-a", { ...UNCOUNTED, firstMessage: "A much longer first prompt, about everything" }),
    source: source("opencode"),
    sharesFile: true,
  },
  { info: info("ses_1234-b", { cost: { dollars: 0, unpriced: 4 }, size: 1_200_000 }), source: source("claude-code") },
];

function drawn(width: number, scope: ListScope): string {
  const ids = shortIds(LISTED.map((session) => session.info.id));
  const lines = sessionColumns(LISTED, { width, now: NOW, home: "/home/dev", scope, ids });
  return `\n${[...lines].map((line) => lineText(line).trimEnd()).join("\n")}\n`;
}

describe("a list of sessions", () => {
  test("of a folder has no column for it", () => {
    expect(drawn(80, "folder")).toMatchInlineSnapshot(`
      "
      id          name or first prompt             age  turns  branches    size   cost
      01234567    The parser                        2h      3         2  4.2 KB  $0.42
      imported    What is in this folder?           2h      3         2  4.2 KB  $0.42
      ses_1234-a  A much longer first prompt, ab…   2h      ?         ?       ?      ?
      ses_1234-b  What is in this folder?           2h      3         2  1.2 MB      ?
      "
    `);
  });

  test("of all agents says whose they are, and where an imported one came from", () => {
    expect(drawn(120, "agents")).toMatchInlineSnapshot(`
      "
      id          agent          name or first prompt                           age  turns  branches    size   cost  folder
      01234567    bough          The parser                                      2h      3         2  4.2 KB  $0.42  ~/project
      imported    bough (codex)  What is in this folder?                         2h      3         2  4.2 KB  $0.42  ~/project
      ses_1234-a  opencode       A much longer first prompt, about everything    2h      ?         ?       ?      ?  ~/project
      ses_1234-b  claude-code    What is in this folder?                         2h      3         2  1.2 MB      ?  ~/project
      "
    `);
  });

  test("loses columns from the right where there is little room", () => {
    expect(drawn(80, "agents")).toMatchInlineSnapshot(`
      "
      id          agent          name or first p…  age  turns  branches    size   cost
      01234567    bough          The parser         2h      3         2  4.2 KB  $0.42
      imported    bough (codex)  What is in this…   2h      3         2  4.2 KB  $0.42
      ses_1234-a  opencode       A much longer f…   2h      ?         ?       ?      ?
      ses_1234-b  claude-code    What is in this…   2h      3         2  1.2 MB      ?
      "
    `);
    expect(drawn(40, "agents")).toMatchInlineSnapshot(`
      "
      id          agent          name or firs…
      01234567    bough          The parser
      imported    bough (codex)  What is in t…
      ses_1234-a  opencode       A much longe…
      ses_1234-b  claude-code    What is in t…
      "
    `);
  });

  test("fits in every width", () => {
    for (let width = 40; width <= 130; width++) {
      for (const scope of ["folder", "all", "agents"] as const) {
        expect(
          Math.max(
            ...drawn(width, scope)
              .split("\n")
              .map((line) => line.length),
          ),
        ).toBeLessThanOrEqual(width);
      }
    }
  });

  test("in a pipe has whole ids and folders, and nothing where nothing is known", () => {
    expect([...sessionTsv(LISTED, { scope: "agents" })].map((line) => line.split("\t"))).toEqual([
      ["id", "name", "last", "turns", "branches", "bytes", "dollars", "folder", "file", "agent\n"],
      [
        "0123456789abcdef",
        "The parser",
        "2026-01-15T10:00:00.000Z",
        "3",
        "2",
        "4200",
        "0.4200",
        "/home/dev/project",
        "/sessions/0123456789abcdef.jsonl",
        "bough\n",
      ],
      expect.arrayContaining(["imported-one", "bough\n"]),
      [
        "ses_1234-a",
        "A much longer first prompt, about everything",
        "2026-01-15T10:00:00.000Z",
        "",
        "",
        "",
        "",
        "/home/dev/project",
        "/sessions/ses_1234-a.jsonl",
        "opencode\n",
      ],
      expect.arrayContaining(["ses_1234-b", "1200000", "", "claude-code\n"]),
    ]);
    expect([...sessionTsv(LISTED, { scope: "all" })][0]).not.toContain("agent");
  });
});

test("earlier counts of a session that has grown end in a plus", () => {
  const grown = (cost: SessionInfo["cost"]) => ({ info: info("a1", { exact: false, turnCount: 1200, cost }) });
  const sessions = [grown({ dollars: 0.42, unpriced: 0 }), grown({ dollars: 0.42, unpriced: 1 }), grown(undefined)];
  const options = { width: 80, now: NOW, home: "/home/dev", scope: "folder" as const, ids: new Map([["a1", "a1"]]) };
  const cells = [...sessionColumns(sessions, options)].map((line) => lineText(line).trim().split(/ {2,}/));
  expect(cells.map((row) => row.slice(3))).toEqual([
    ["turns", "branches", "size", "cost"],
    ["1.2k+", "2+", "4.2 KB", "$0.42+"],
    ["1.2k+", "2+", "4.2 KB", "$0.42+?"],
    ["1.2k+", "2+", "4.2 KB", "?"],
  ]);
});

test("an unknown price is reported as unknown", () => {
  const costs = [
    [0, 0],
    [0.42, 0],
    [0.42, 1],
    [0, 1],
  ] as const;
  expect(costs.map(([dollars, unpriced]) => costText({ dollars, unpriced }))).toEqual(["$0", "$0.42", "$0.42+?", "?"]);
});

test("the name of a folder shows what would reorder or control the text, in columns and in a pipe", () => {
  const cwd = "/home/dev/pro\u202ej\x7fect";
  const sessions = [{ info: info("0123456789abcdef", { cwd, path: "/s/--pro\u202eject--/a.jsonl" }) }];
  const options = { width: 120, now: NOW, home: "/home/dev", scope: "all" as const, ids: new Map() };
  const columns = [...sessionColumns(sessions, options)].map(lineText).join("\n");
  expect(columns).toContain("~/pro\\u202ej\\x7fect");
  const rows = [...sessionTsv(sessions, options)].join("");
  expect(rows).toContain("/home/dev/pro\\u202ej\\x7fect\t/s/--pro\\u202eject--/a.jsonl\n");
  expect(columns + rows).not.toMatch(/[\u202e\x7f]/);
});
