// node scripts/acp-client.mjs [--program <path>] [--package <name@version>]: lets acpx, a real client of the Agent
// Client Protocol, drive `bough acp` with the offline model, in an empty home. Needs a build. Without a program it
// installs acpx from the package registry into a scratch folder. Exits with 1 on any unexpected result.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { installedProgram } from "./resume/installed-program.mjs";

const { values } = parseArgs({
  options: { program: { type: "string" }, package: { type: "string", default: "acpx@0.19.1" } },
});
const folder = mkdtempSync(join(tmpdir(), "bough-acp-client-"));
const home = join(folder, "home");
const cwd = join(folder, "project");
for (const made of [home, cwd]) mkdirSync(made);
writeFileSync(join(cwd, "notes.txt"), "buy milk\nwrite tests\n");
const program = installedProgram({ program: values.program, packages: [values.package], command: "acpx" });
console.log(`acpx ${program.version}`);
const agent = `${process.execPath} ${fileURLToPath(new URL("../dist/cli/main.js", import.meta.url))} acp --model offline/rules`;
const env = { PATH: program.path, HOME: home, BOUGH_HOME: join(home, ".bough"), TMPDIR: folder };
let failed = 0;

/** The output of the client. */
function acpx(...args) {
  // The mode belongs to the agent's process, so the client has to keep that process between commands.
  const all = ["--agent", agent, "--cwd", cwd, "--ttl", "60", ...args];
  const { stdout, stderr, status } = spawnSync(program.file, all, { cwd, env, encoding: "utf8", timeout: 120_000 });
  return { text: `${stdout}${stderr}`, status };
}

function expect(what, isRight, { text, status }) {
  console.log(`${isRight ? "ok    " : "FAILED"} ${what}`);
  if (isRight) return;
  failed += 1;
  console.log(`exit code ${status}\n${text}`);
}

const notes = () => readFileSync(join(cwd, "notes.txt"), "utf8");

try {
  let done = acpx("--approve-all", "exec", 'replace "buy milk" with "buy tea" in notes.txt');
  expect("an edit is allowed, shown as a diff and written by the client", notes() === "buy tea\nwrite tests\n", done);
  expect(
    "the client was asked for the file and told the end",
    /fs\/write_text_file[\s\S]*end_turn/.test(done.text),
    done,
  );

  done = acpx("--deny-all", "exec", "$ touch forbidden");
  expect("a command that is refused does not run", !existsSync(join(cwd, "forbidden")), done);

  done = acpx("--approve-all", "exec", "$ echo from the terminal");
  expect("a command runs in a terminal of the client", /\[terminal\][\s\S]*from the terminal/.test(done.text), done);

  done = acpx("--approve-all", "--no-terminal", "--no-fs", "exec", "$ echo without one");
  expect("without terminals and files of the client it works too", done.text.includes("without one"), done);

  acpx("sessions", "new");
  done = acpx("prompt", "hello");
  expect("a session answers", /end_turn/.test(done.text), done);
  done = acpx("set-mode", "plan");
  expect("a mode is set", done.status === 0, done);
  done = acpx("--approve-all", "prompt", 'replace "buy tea" with "buy beer" in notes.txt');
  expect("in plan mode nothing is written", notes() === "buy tea\nwrite tests\n", done);
  done = acpx("set", "thinking", "high");
  expect("an option is set", done.status === 0, done);
  done = acpx("prompt", "/tree");
  expect("/tree draws the session", /prompt {3}hello/.test(done.text), done);

  done = acpx("sessions", "list");
  const titles = ['replace "buy milk"', "$ touch forbidden", "$ echo from the terminal", "hello"];
  expect(
    "the list has every session by its title",
    titles.every((title) => done.text.includes(title)),
    done,
  );
} finally {
  acpx("sessions", "close");
  program.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
