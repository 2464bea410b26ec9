import { existsSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { layOutAgents } from "../../../../../../test/support/agents-home.js";
import { testContext } from "../../../command/command-context.test-support.js";
import { StoppableWork } from "../../stoppable-work.js";
import { FOREIGN_METHODS } from "./foreign-methods.js";
import type { RpcContext } from "./rpc-method.js";

const CODEX = "01a1de66-2f95-7361-a035-2c1db9b1d6c0";

interface TestContext extends RpcContext {
  readonly sessionFile: () => string | undefined;
}

function contextWithAgents(stops: "at once" | "never" = "never"): TestContext {
  const work = new StoppableWork();
  const {
    context: commands,
    agent,
    session,
  } = testContext({
    drawing: "A-b",
    watch: (task) => {
      const running = work.run(task);
      // As if `abort` were the very next line from the client.
      if (stops === "at once") work.stop();
      return running;
    },
  });
  layOutAgents({ home: commands.home, cwd: commands.cwd });
  const started = { agent } as RpcContext["started"];
  const questions = undefined as unknown as RpcContext["questions"];
  const rest = {} as Pick<RpcContext, "searches" | "capabilities" | "agents">;
  return { ...rest, commands, work, started, questions, sessionFile: () => session.getSessionFile() };
}

describe("other agents' sessions for a client", () => {
  test("are listed a page at a time, newest first, in the published shape", async () => {
    const { listForeignSessions } = FOREIGN_METHODS;
    const context = contextWithAgents();
    const params = listForeignSessions.params.parse({ limit: 4 });
    const listed = await listForeignSessions.run(context, params);
    expect(listForeignSessions.result.safeParse(listed).error).toBeUndefined();
    expect(listed).toMatchObject({ total: 9, offset: 0 });
    const { sessions } = listed as { readonly sessions: readonly { readonly modified: string }[] };
    expect(sessions).toHaveLength(4);
    expect(sessions.map(({ modified }) => modified)).toEqual(
      sessions
        .map(({ modified }) => modified)
        .sort()
        .reverse(),
    );
  });

  test("are imported, with or without going there", async () => {
    const { importSession } = FOREIGN_METHODS;
    const context = contextWithAgents();
    const before = context.sessionFile();
    const imported = await importSession.run(context, { session: CODEX, open: false });
    expect(importSession.result.safeParse(imported).error).toBeUndefined();
    expect(imported).toMatchObject({ kind: "imported", opened: false, turns: 1 });
    expect(context.sessionFile()).toBe(before);
    const { file } = imported as { readonly file: string };
    expect(await importSession.run(context, { session: CODEX, open: true })).toMatchObject({
      kind: "unchanged",
      opened: true,
      file,
    });
    expect(context.sessionFile()).toBe(file);
  });

  test("are named by an error where none or several match", async () => {
    const { importSession } = FOREIGN_METHODS;
    const context = contextWithAgents();
    await expect(importSession.run(context, { session: "nothing", open: true })).rejects.toMatchObject({
      code: "session-not-found",
    });
    await expect(importSession.run(context, { session: "gemini", open: true })).rejects.toMatchObject({
      code: "ambiguous-session",
      data: { candidates: [{ agent: "gemini" }, { agent: "gemini" }] },
    });
  });

  test("stop coming in when the client says so, and leave nothing behind", async () => {
    const context = contextWithAgents("at once");
    const before = readdirSync(context.commands.sessionDir).sort();
    const outcome = await FOREIGN_METHODS.importSession.run(context, { session: CODEX, open: true });
    expect(outcome).toEqual({ kind: "stopped", opened: false });
    expect(readdirSync(context.commands.sessionDir).sort()).toEqual(before);
  });

  test("are planned without writing, and written when that is wanted", async () => {
    const { handoff } = FOREIGN_METHODS;
    const context = contextWithAgents();
    const plan = await handoff.run(context, { agent: "claude-code", write: false, agreed: false });
    expect(handoff.result.safeParse(plan).error).toBeUndefined();
    expect(plan).toMatchObject({ written: false, resume: { line: expect.stringMatching(/^cd .* && claude /) } });
    expect(existsSync((plan as { readonly file: string }).file)).toBe(false);
    const written = await handoff.run(context, { agent: "claude-code", entryId: "A", write: true, agreed: false });
    expect(existsSync((written as { readonly file: string }).file)).toBe(true);
    const gemini = await handoff.run(context, { agent: "gemini", write: true, agreed: true });
    expect(gemini).toMatchObject({ written: true, resume: { line: expect.stringMatching(/ && gemini --resume /) } });
  });

  test("needs an agreement to what the other agent cannot store, and answers with what the shell says", async () => {
    const { handoff } = FOREIGN_METHODS;
    const context = contextWithAgents();
    const { session } = context.started.agent;
    session.appendLabelChange(session.getLeafId() as string, "here");
    const request = { agent: "codex" as const, write: true };
    await expect(handoff.run(context, { ...request, agreed: false })).rejects.toMatchObject({
      code: "needs-agreement",
      data: { written: false, losses: [{ what: "a label" }] },
    });
    const written = await handoff.run(context, { ...request, agreed: true });
    expect(handoff.result.safeParse(written).error).toBeUndefined();
    expect(written).toMatchObject({
      ...{ written: true, entryId: session.getLeafId(), session: { id: session.getSessionId() } },
      ...{ lastPrompt: { text: expect.any(String) }, leftOut: [] },
    });
    const { resume } = written as { readonly resume: { readonly shell: string; readonly line: string } };
    expect(resume.shell).toBe(resume.line);
  });

  test("refuses a folder that is missing, whether it is named or the session's own", async () => {
    const { handoff } = FOREIGN_METHODS;
    const context = contextWithAgents();
    const request = { agent: "codex" as const, write: true, agreed: true };
    await expect(handoff.run(context, { ...request, folder: "/nowhere/at/all" })).rejects.toMatchObject({
      code: "cannot-write",
      message: "Folder not found: /nowhere/at/all",
    });
  });
});
