import { PassThrough } from "node:stream";
import type { PermissionQuestion } from "@bough/agent/tool/index.js";
import { describe, expect, it, vi } from "vitest";
import { LineInput } from "./line-input.js";
import { askPermission, plainUi } from "./plain-questions.js";

/** Answers with one line, and records the output. */
function person(answer: string | undefined) {
  const said: string[] = [];
  return {
    said,
    voice: {
      ask: async (question: string) => {
        said.push(question);
        return answer;
      },
      say: (text: string) => void said.push(text),
    },
  };
}

const RUN: PermissionQuestion = {
  ...{ tool: "bash", action: "run", target: "npm test", shown: "npm test" },
  ...{ warnings: [], grant: "all shell commands" },
};

describe("a permission question in plain lines", () => {
  it.each([
    ["y", "once"],
    ["YES", "once"],
    ["always", "session"],
    ["n", "no"],
    ["no", "no"],
    ["", "no"],
    [undefined, "no"],
  ])("%s answers %s", async (typed, answer) => {
    expect(await askPermission(person(typed).voice, RUN)).toBe(answer);
  });

  it("no single letter grants more than this once", async () => {
    for (const letter of "abcdefghijklmnopqrstuvwxyz") {
      expect(await askPermission(person(letter).voice, RUN)).toBe(letter === "y" ? "once" : "no");
    }
  });

  it("the word for a broad grant counts only if one is offered", async () => {
    const { grant: _, ...question } = RUN;
    const { voice, said } = person("always");
    expect(await askPermission(voice, question)).toEqual({ answer: "no", reason: "always" });
    expect(said.at(-1)).toBe("y yes, once; n no; or tell it what to do instead: ");
  });

  it("the word for always in this project counts only where that is offered, and the question says what it allows", async () => {
    const { voice, said } = person("Project");
    const project = 'commands that begin with "npm test"';
    expect(await askPermission(voice, { ...RUN, project })).toBe("project");
    expect(said.at(-1)).toContain(`"project" always allows in this project: ${project}; `);
    expect(await askPermission(person("project").voice, RUN)).toEqual({ answer: "no", reason: "project" });
  });

  it("a command that may leave the sandbox: what was blocked is named, and a word allows it in every project", async () => {
    const everywhere = 'the command "npm test", outside the sandbox';
    const question: PermissionQuestion = {
      ...{ tool: "bash", action: "run", target: "npm test", shown: "npm test", warnings: [], everywhere },
      blocked: [
        { kind: "write", what: "/opt/a\u202eb", certain: false },
        { kind: "network", what: "example.com:443", certain: true },
      ],
    };
    const { voice, said } = person("Everywhere");
    expect(await askPermission(voice, question)).toBe("everywhere");
    expect(said).toEqual([
      "Run it again outside the sandbox? (bash)",
      "  npm test",
      "  The sandbox blocked:",
      "  - writing /opt/a\\u202eb (as printed by the command)",
      "  - connecting to example.com:443",
      `y yes, once; "everywhere" always allows in every project: ${everywhere}; n no; or tell it what to do instead: `,
    ]);
    expect(await askPermission(person("everywhere").voice, RUN)).toEqual({ answer: "no", reason: "everywhere" });
  });

  it("a long command is printed to its end before an answer is read", async () => {
    const { voice, said } = person("y");
    const shown = Array.from({ length: 300 }, (_, line) => `echo ${line} ${"x".repeat(300)}`).join("\n");
    expect(await askPermission(voice, { ...RUN, target: shown, shown })).toBe("once");
    expect(said.slice(1, -1)).toEqual(shown.split("\n").map((line) => `  ${line}`));
  });

  it("anything longer is what to do instead", async () => {
    expect(await askPermission(person("use pnpm").voice, RUN)).toEqual({ answer: "no", reason: "use pnpm" });
  });

  it("shows everything that is hidden, the warnings, and what a file becomes", async () => {
    const { voice, said } = person("n");
    const diff = "--- a\n+++ a\n@@ -1 +1 @@\n-one\n+two\x1b[8m\n";
    await askPermission(voice, {
      ...{ tool: "wri\u200bte", action: "write", target: "a\u202eb", shown: "a\\u202eb" },
      warnings: ["This path contains hidden characters, shown as \\u202e"],
      preview: { kind: "change", diff, added: 1, removed: 1 },
    });
    expect(said).toEqual([
      "Change this file? (wri\\u200bte)",
      "  a\\u202eb",
      "  ! This path contains hidden characters, shown as \\u202e",
      "  The file exists: 1 line added, 1 removed",
      "  @@ -1 +1 @@",
      "  1 - one",
      "  1 + two\\x1b[8m",
      "y yes, once; n no; or tell it what to do instead: ",
    ]);
  });
});

it("a question of an extension hides nothing either", async () => {
  const { voice, said } = person("y");
  expect(await plainUi(voice).confirm("Run this command?", "echo ok\x1b]0;; rm -r .\x07")).toBe(true);
  expect(said[0]).toBe("Run this command?\necho ok\\x1b]0;; rm -r .\\x07");
});

describe("an extension's question that closes on its own", () => {
  function seat() {
    const input = new PassThrough();
    const output = new PassThrough();
    const lines = new LineInput({ input, output });
    const said: string[] = [];
    const ui = plainUi({ ask: (question, signal) => lines.ask(question, signal), say: (text) => void said.push(text) });
    return { input, lines, said, ui, written: () => String(output.read() ?? "") };
  }

  it.each(["select", "confirm", "input"] as const)(
    "%s ends with its signal, and the next line is not its answer",
    async (kind) => {
      const { input, lines, said, ui } = seat();
      const stop = new AbortController();
      const dialog = { signal: stop.signal };
      const asked = {
        select: () => ui.select("Which?", ["a"], dialog),
        confirm: () => ui.confirm("Sure?", undefined, dialog),
        input: () => ui.input("Name", undefined, dialog),
      }[kind]();
      stop.abort();
      expect(await asked).toBe(kind === "confirm" ? false : undefined);
      expect(said.at(-1)).toBe("Closed without an answer.");
      const next = lines.ask("> ");
      input.write("1\n");
      expect(await next).toBe("1");
      said.length = 0;
      await ui.confirm("Sure?", undefined, dialog);
      expect(said).toEqual([]);
    },
  );

  it("ends after its time", async () => {
    const { said, ui } = seat();
    expect(await ui.confirm("Sure?", undefined, { timeout: 1 })).toBe(false);
    expect(said).toEqual(["Sure?", "Closed without an answer."]);
  });

  it.each([0, Number.POSITIVE_INFINITY])("waits with the timeout %s", async (timeout) => {
    const { input, ui } = seat();
    const limits = vi.spyOn(AbortSignal, "timeout");
    const asked = ui.confirm("Sure?", undefined, { timeout });
    input.write("y\n");
    expect(await asked).toBe(true);
    expect(limits).not.toHaveBeenCalled();
  });

  it("leaves the question before it open, and asks it again", async () => {
    const { input, lines, ui, written } = seat();
    const prompt = lines.ask("> ");
    const asked = ui.confirm("Sure?");
    input.write("y\n");
    expect(await asked).toBe(true);
    expect(written().endsWith("no: > ")).toBe(true);
    input.write("hello\n");
    expect(await prompt).toBe("hello");
  });
});
