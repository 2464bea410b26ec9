// Writes docs/images/{chat,tree,compare}.svg: what `bough demo` shows, drawn from a real terminal.
//   npm run build && node scripts/screenshots.mjs
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PictureTerminal } from "./terminal-picture.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const images = join(root, "docs", "images");
const home = mkdtempSync(join(tmpdir(), "bough-pictures-"));
const project = join(home, "tally");

/** Keeps the maker's environment out of the pictures: an empty home, no keys, no settings. */
const env = {
  PATH: process.env.PATH,
  TMPDIR: tmpdir(),
  HOME: home,
  BOUGH_HOME: join(home, ".bough"),
  LANG: "C.UTF-8",
  TERM: "xterm-256color",
};

const ESC = "\x1b";
const ENTER = "\r";
const CTRL_U = "\x15";
const F2 = "\x1bOQ";

/** Each picture runs its own program, and shows the last thing it waited for. */
const PICTURES = [
  { name: "chat", title: "A conversation with the agent, with tools and a diff", steps: [] },
  {
    name: "tree",
    title: "The same session as a tree: the trunk, and side branches folded",
    steps: [
      [ESC, undefined],
      [ESC, "on #1 "],
      [CTRL_U, "user-only"],
      [F2, "Generate a tokenizer"],
      ["k", undefined],
      ["k", undefined],
      ["k", undefined],
      ["k", "Enter go to the end of #4"],
      ["l", "Do all the tests pass with it?"],
    ],
  },
  {
    name: "compare",
    title: "Two branches beside each other: where they parted, what each did, how each ended",
    steps: [
      ["/compare #1 #2", "/compare #1 #2"],
      [ENTER, "parted at"],
      [F2, "ends:"],
    ],
  },
];

mkdirSync(project);
mkdirSync(images, { recursive: true });
try {
  for (const { name, title, steps } of PICTURES) {
    const terminal = new PictureTerminal({
      command: process.execPath,
      args: [join(root, "dist", "cli", "main.js"), "demo"],
      cwd: project,
      env,
      columns: 100,
      rows: 30,
    });
    try {
      await terminal.shows("of 128k");
      for (const [keys, expected] of steps) {
        terminal.press(keys);
        if (expected !== undefined) await terminal.shows(expected);
      }
      writeFileSync(join(images, `${name}.svg`), terminal.picture(`${title} (bough demo)`));
      process.stdout.write(`docs/images/${name}.svg\n`);
    } finally {
      terminal.close();
    }
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
process.exit(0);
