import type { PermissionQuestion } from "@bough/agent/tool/index.js";
import { describe, expect, it } from "vitest";
import { ClientQuestions } from "./client-questions.js";

const QUESTION: PermissionQuestion = {
  ...{ tool: "write", action: "write", target: "a\u202eb", shown: "a\\u202eb" },
  warnings: ["This path contains hidden characters, shown as \\u202e"],
  grant: "all edits in this folder",
  preview: { kind: "create", text: "x\x1b[8m" },
};

async function answered(result: unknown) {
  const sent: object[] = [];
  const questions = new ClientQuestions({ send: (line) => void sent.push(line) });
  const answer = questions.permission(QUESTION);
  questions.answer("ui-1", result);
  return { answer: await answer, sent };
}

describe("ui.permission", () => {
  it("the client gets the target as it is and as it is to be shown, and the preview likewise", async () => {
    const { sent } = await answered("once");
    expect(sent).toEqual([
      {
        id: "ui-1",
        method: "ui.permission",
        params: { ...QUESTION, shownPreview: { kind: "create", text: "x\\x1b[8m" } },
      },
    ]);
  });

  it("names the MCP server of a tool, and what the server calls it", async () => {
    const sent: { readonly params?: object }[] = [];
    const questions = new ClientQuestions({ send: (line) => void sent.push(line) });
    const server = { name: "docs", tool: "search" };
    const answer = questions.permission({ ...QUESTION, tool: "docs__search", action: "use", target: "{}", server });
    questions.answer("ui-1", "once");
    expect([await answer, sent[0]?.params]).toEqual(["once", expect.objectContaining({ server })]);
  });

  it("carries what the sandbox blocked, as data and to be shown, and where a file was moved", async () => {
    const sent: { readonly params?: object }[] = [];
    const questions = new ClientQuestions({ send: (line) => void sent.push(line) });
    const run = { tool: "bash", action: "run", target: "make", shown: "make", warnings: [] } as const;
    const blocked = [{ kind: "socket", what: "/run/docker.sock", certain: false }] as const;
    const everywhere = 'the command "make", outside the sandbox';
    const answers = [
      questions.permission({ ...run, blocked, everywhere }),
      questions.permission({ ...run, action: "write", target: "/a/.envrc", movedTo: "/kept/.envrc" }),
    ];
    questions.answer("ui-1", "everywhere");
    questions.answer("ui-2", "no");
    expect(await Promise.all(answers)).toEqual(["everywhere", "no"]);
    const shownBlocked = ["using the socket /run/docker.sock (as printed by the command)"];
    expect(sent.map(({ params }) => params)).toEqual([
      { ...run, blocked, everywhere, shownBlocked },
      { ...run, action: "write", target: "/a/.envrc", movedTo: "/kept/.envrc" },
    ]);
  });

  it.each([
    ["once", "once"],
    ["session", "session"],
    ["project", "project"],
    [{ answer: "project" }, "no"],
    ["no", "no"],
    [
      { answer: "no", reason: "use pnpm" },
      { answer: "no", reason: "use pnpm" },
    ],
    [{ answer: "once" }, "no"],
    [{ answer: "session", reason: "x" }, "no"],
    [true, "no"],
    [null, "no"],
  ])("%j is taken as %j", async (result, expected) => {
    expect((await answered(result)).answer).toEqual(expected);
  });
});
