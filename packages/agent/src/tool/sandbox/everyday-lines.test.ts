import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { homedir } from "node:os";
import { join } from "node:path";
import { shellWord } from "@bough/session/text/index.js";
import { expect, test, vi } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { isOnPath } from "../../../../../test/support/missing-tools.js";
import { EVERYDAY_LINES } from "./everyday-lines.test-support.js";
import { type EverydayProject, everydayProject, programsOf } from "./everyday-project.test-support.js";
import { closedFolder, type Ran, runLine, testSandbox, whyNot } from "./sandbox-place.test-support.js";

const why = await whyNot();

test("there are at least 200 everyday lines, without duplicates", () => {
  expect(EVERYDAY_LINES.length).toBeGreaterThanOrEqual(200);
  expect(new Set(EVERYDAY_LINES).size).toBe(EVERYDAY_LINES.length);
});

test.skipIf(!existsSync("/bin/bash"))("bash can parse each everyday line (skipped if there is no /bin/bash)", () => {
  const broken = EVERYDAY_LINES.filter((line) => spawnSync("/bin/bash", ["-n", "-c", line]).status !== 0);
  expect(broken).toEqual([]);
});

const missing = [...new Set(EVERYDAY_LINES.flatMap(programsOf))].filter((name) => !isOnPath(name));
const lines = EVERYDAY_LINES.filter((line) => !programsOf(line).some((name) => missing.includes(name)));
const left = EVERYDAY_LINES.length - lines.length;
const skipped = left === 0 ? "" : `, without ${left} that need ${missing.join(", ")}`;

test.skipIf(why !== "")(
  `${lines.length} everyday lines end with the same code and output inside and outside${skipped}${why}`,
  { timeout: 300_000 },
  async () => {
    vi.stubEnv("TMPDIR", "/tmp");
    const base = closedFolder();
    const [out, within] = ["out", "in"].map((name) => {
      mkdirSync(join(base, name));
      return everydayProject(join(base, name));
    }) as [EverydayProject, EverydayProject];
    vi.stubEnv("HOME", within.env.HOME ?? "");
    const sandbox = testSandbox({ cwd: within.cwd, home: join(base, "bough"), allowHost: async () => false });
    const plain = ({ code, output }: Ran, { cwd }: EverydayProject) => ({
      code,
      // Names of jobs and of temporary files differ from run to run; a space in the path leaves a part of it.
      output: output
        .replaceAll(join(cwd, ".."), "")
        .replace(/\S*\/(?:in|out)(?=\/shop\b)/g, "")
        .replace(/\bline \d+: +\d+ /g, "line: "),
    });
    const ends = { out: [] as unknown[], in: [] as unknown[] };
    for (const line of lines) {
      const [outside, inside] = await Promise.all([
        runLine(line, { ...out, env: { ...out.env, TMPDIR: "/tmp" } }),
        runLine(line, { ...within, sandbox }),
      ]);
      ends.out.push({ line, ...plain(outside, out) });
      ends.in.push({
        line,
        ...plain(inside, within),
        ...(inside.blocked.length > 0 ? { blocked: inside.blocked } : {}),
      });
    }
    expect(ends.in).toEqual(ends.out);
    expect(ends.out.length).toBeGreaterThan(150);
  },
);

test.skipIf(why !== "").for([
  ["cargo", "cargo init -q --vcs none --name tea && cargo run -q --offline && cargo build -q --offline && ls target"],
  ["gcc", "echo 'int puts(const char *); int main() { puts(\"tea\"); }' > tea.c && gcc -o tea tea.c && ./tea"],
] as const)("%s builds and runs inside as it does outside", async ([program, line], { skip }) => {
  skip(!isOnPath(program), `needs ${program}`);
  const base = closedFolder();
  const rust = { CARGO_HOME: join(homedir(), ".cargo"), RUSTUP_HOME: join(homedir(), ".rustup") };
  const env = { ...rust, ...process.env, TMPDIR: "/tmp" };
  const places = ["out", "in"].map((name) => join(base, name, "tea"));
  for (const cwd of places) mkdirSync(cwd, { recursive: true });
  const [out = "", within = ""] = places;
  const sandbox = testSandbox({ cwd: within, home: join(base, "bough"), allowHost: async () => false });
  const [outside, inside] = [
    await runLine(line, { cwd: out, env }),
    await runLine(line, { cwd: within, env, sandbox }),
  ];
  expect([inside.code, inside.output]).toEqual([0, outside.output]);
});

test.skipIf(why !== "" || !isOnPath("curl"))(
  "a service behind a socket is used only if the user names the socket, as for docker (skipped without curl)",
  async () => {
    const base = closedFolder();
    const cwd = join(base, "shop");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "a"), "");
    const server = createServer((_, answer) => answer.end("[]\n"));
    server.listen(join(base, "docker.sock"));
    await once(server, "listening");
    afterTest(() => void server.close());
    const options = { cwd, home: join(base, "bough"), allowHost: async () => false };
    const line = `curl -s --unix-socket ${shellWord(join(base, "docker.sock"))} http://docker/containers/json`;
    const named = testSandbox({ ...options, sockets: [join(base, "docker.sock")] });
    const [outside, inside, unnamed] = [
      await runLine(line, { cwd }),
      await runLine(line, { cwd, sandbox: named }),
      await runLine(line, { cwd, sandbox: testSandbox(options) }),
    ];
    expect([inside.code, inside.output, unnamed.output]).toEqual([0, outside.output, ""]);
  },
);
