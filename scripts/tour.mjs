// Writes docs/images/tour.svg, the animation at the top of the README: a real session in a real terminal.
//   npm run build && node scripts/tour.mjs
//
// It runs the built program, with the model that needs no key, in a small project that this script writes. Each step
// presses keys, waits for the result on the screen, and records the screen as a frame. The script sets how long a frame
// is shown, but never what it shows.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { movingPicture, PictureTerminal } from "./terminal-picture.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const home = mkdtempSync(join(tmpdir(), "bough-tour-"));
const project = join(home, "tally");
const columns = 96;

const ESC = "\x1b";
const ENTER = "\r";
const CTRL_U = "\x15";
const READ_MS = 2600;
const GLANCE_MS = 900;
const KEY_MS = 350;
const TYPE_MS = 75;

/** The prompts, and what the screen shows once they are answered. */
const FIRST = "read src/total.js and run node check.js";
const ROUND = 'replace "return sum" with "return Math.round(sum * 100) / 100" in src/total.js and run node check.js';
const CENTS =
  'replace "sum += price" with "sum = (sum * 100 + price * 100) / 100" in src/total.js and run node check.js';

const STEPS = [
  { caption: "1  Ask. Every prompt, answer and file change is kept in a tree." },
  { type: FIRST },
  { press: ENTER, expect: ["FAIL 0.3", "not by a language model"], ms: GLANCE_MS },
  { type: ROUND },
  { press: ENTER, expect: ["+  return Math.round", "ok 0.3", "1 line added, 1 removed"], ms: READ_MS },
  { caption: "2  Esc Esc opens the tree." },
  { press: ESC },
  { press: ESC, expect: ["2 turns · 1 branch"], ms: GLANCE_MS },
  { press: "k", expect: ["7 of 8"], ms: KEY_MS },
  { press: "k", expect: ["6 of 8"], ms: KEY_MS },
  { press: "k", expect: ["5 of 8"], ms: GLANCE_MS },
  { caption: "3  Enter goes back to that prompt. Your files can go back with it." },
  { press: ENTER, expect: ["Bring a summary?"], ms: READ_MS },
  { press: ENTER, expect: ["M src/total.js"], ms: READ_MS },
  { press: ENTER, expect: ["Restored 1 file"], ms: READ_MS },
  { caption: "4  Ask for something else. That is a second branch; the first one stays." },
  { press: CTRL_U, expect: ["Restored 1 file"], ms: KEY_MS },
  { type: CENTS },
  {
    press: ENTER,
    expect: ["+  for (const price", "This is a new branch (#2)", "1 line added, 1 removed"],
    ms: READ_MS,
  },
  { press: ESC },
  { press: ESC, expect: ["3 turns · 2 branches", "├─▸ #1"], ms: READ_MS, still: true },
  { caption: "5  d compares two branches. Then merge, cherry-pick, or continue with either." },
  { press: "k", expect: ["8 of 9"], ms: KEY_MS },
  { press: "k", expect: ["7 of 9"], ms: KEY_MS },
  { press: "k", expect: ["6 of 9"], ms: KEY_MS },
  { press: "k", expect: ["go to the end of #1"], ms: KEY_MS },
  { press: "d", expect: ["parted at", "cherry-pick"], ms: 2 * READ_MS },
];

mkdirSync(join(project, "src"), { recursive: true });
writeFileSync(join(project, "package.json"), '{ "name": "tally", "type": "module" }\n');
writeFileSync(
  join(project, "src", "total.js"),
  `export function total(prices) {
  let sum = 0;
  for (const price of prices) sum += price;
  return sum;
}
`,
);
writeFileSync(
  join(project, "check.js"),
  `import { total } from "./src/total.js";
const sum = total([0.1, 0.2]);
console.log(sum === 0.3 ? "ok 0.3" : \`FAIL \${sum}\`);
process.exitCode = sum === 0.3 ? 0 : 1;
`,
);

try {
  const file = join(root, "docs", "images", "tour.svg");
  const frames = await film();
  const picture = movingPicture({
    title: "Bough in a terminal: ask, open the tree, go back with the files, ask differently, compare both branches",
    columns,
    frames,
  });
  for (const name of [home, tmpdir(), root, hostname(), userInfo().username])
    if (name !== "/" && picture.includes(name)) throw new Error(`The picture names this machine: ${name}`);
  writeFileSync(file, picture);
  const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  process.stdout.write(
    `docs/images/tour.svg: ${frames.length} frames, ${Math.round(seconds)} s, ${Math.ceil(picture.length / 1024)} KB\n`,
  );
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit(0);

async function film() {
  const terminal = new PictureTerminal({
    command: process.execPath,
    args: [
      join(root, "dist", "cli", "main.js"),
      ...["--model", "offline/rules", "--permission", "auto", "--sandbox", "off", "--allow", "bash(node check.js)"],
    ],
    cwd: project,
    // An empty home, so that no keys, settings or names of this machine are shown.
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOME: home,
      BOUGH_HOME: join(home, ".bough"),
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
    },
    columns,
    rows: 28,
  });
  const frames = [];
  let caption = "";
  const keep = (ms, still = false) => frames.push({ caption, rows: terminal.rows(), ms, still });
  try {
    await terminal.shows("of 128k");
    for (const step of STEPS) {
      if (step.caption !== undefined) {
        caption = step.caption;
        if (frames.length === 0) {
          await terminal.settled();
          keep(GLANCE_MS);
        }
      } else if (step.type !== undefined) await type(step.type);
      else {
        terminal.press(step.press);
        for (const text of step.expect ?? []) await terminal.shows(text);
        await terminal.settled();
        if (step.expect !== undefined) keep(step.ms, step.still);
      }
    }
    return frames;
  } finally {
    terminal.close();
  }

  /** Types a few letters at a time, so that it looks typed but stays small. */
  async function type(text) {
    for (const part of text.match(/.{1,5}/g) ?? []) {
      terminal.press(part);
      await terminal.settled();
      keep(TYPE_MS);
    }
    frames.at(-1).ms = GLANCE_MS;
  }
}
