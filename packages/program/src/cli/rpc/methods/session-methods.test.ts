import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { testContext } from "../../../command/command-context.test-support.js";
import type { RpcContext } from "./rpc-method.js";
import { SESSION_METHODS } from "./session-methods.js";
import { TREE_METHODS } from "./tree-methods.js";

const SECRET = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;

function contextOf(options: Parameters<typeof testContext>[0]) {
  const { context: commands, agent, session } = testContext(options);
  const { cwd } = commands;
  return { context: { commands, started: { agent, parts: { cwd } } } as unknown as RpcContext, session, cwd };
}

describe("exports of a client", () => {
  test("exportBranch masks secrets, and keeps them only on request", async () => {
    const { exportBranch } = SESSION_METHODS;
    const { context, session, cwd } = contextOf({ drawing: "A-b" });
    const entryId = session.appendMessage({ role: "user", content: `push with ${SECRET}`, timestamp: 1 });
    const written = async (params: object) => {
      const answer = await exportBranch.run(context, exportBranch.params.parse({ entryId, ...params }));
      expect(exportBranch.result.safeParse(answer).error).toBeUndefined();
      return readFileSync(join(cwd, (params as { file: string }).file), "utf8");
    };
    const masked = await written({ file: "masked.jsonl" });
    expect([masked.includes(SECRET), masked.includes("••••(github-token 1)")]).toEqual([false, true]);
    expect(await written({ file: "kept.jsonl", secrets: "keep" })).toContain(SECRET);
  });

  test.each(["html", "markdown", "jsonl"])("exportSession masks secrets as %s", async (format) => {
    const { exportSession } = SESSION_METHODS;
    const { context, session, cwd } = contextOf({ drawing: "A-b" });
    session.appendMessage({ role: "user", content: `push with ${SECRET}`, timestamp: 1 });
    const answer = await exportSession.run(context, exportSession.params.parse({ format, file: "out" }));
    expect(answer).toMatchObject({ findings: [expect.objectContaining({ rule: "github-token" })] });
    expect(readFileSync(join(cwd, "out"), "utf8")).not.toContain(SECRET);
  });
});

describe("long answers", () => {
  test.each(["getContext", "tree.path"] as const)("%s is a page of at most a megabyte", async (name) => {
    const { context, session } = contextOf({ drawing: "A-b" });
    for (let i = 0; i < 40; i++) {
      session.appendMessage({ role: "user", content: `${i} ${"word ".repeat(20_000)}`, timestamp: 1 });
    }
    const { run, params, result } = TREE_METHODS[name];
    const answers = [];
    for (let offset = 0, total = 1; offset < total; ) {
      const answer = await run(context, params.parse({ offset }) as never);
      expect(result.safeParse(answer).error).toBeUndefined();
      expect(JSON.stringify(answer).length).toBeLessThan(1_100_000);
      const page = answer as { readonly total: number; readonly messages?: object[]; readonly entries?: object[] };
      const items = page.messages ?? page.entries ?? [];
      answers.push(...items);
      offset += items.length;
      total = page.total;
    }
    expect(answers.length).toBeGreaterThanOrEqual(42);
  });
});
