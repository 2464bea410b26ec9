/** The demo without a terminal: its tree, and what to try. */
import { SessionManager } from "@bough/session/session/index.js";
import {
  ASCII_GLYPHS,
  initialTree,
  layoutTree,
  lineText,
  TreeModel,
  UNICODE_GLYPHS,
} from "@bough/session/view/index.js";

const WIDTH = 79;

/** Returns the exit code. */
export function printDemo(file: string): number {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    process.stdout.write(`${treeLines(session).join("\n")}\n${WHAT_TO_TRY}`);
    return 0;
  } finally {
    session.close();
  }
}

function treeLines(session: SessionManager): string[] {
  const model = new TreeModel(session.getSource());
  const state = { ...initialTree("user-only"), preview: "off" as const };
  const glyphs = /utf-?8/i.test(process.env.LC_ALL ?? process.env.LC_CTYPE ?? process.env.LANG ?? "utf8")
    ? UNICODE_GLYPHS
    : ASCII_GLYPHS;
  const { lines } = layoutTree(model, state, {
    width: WIDTH,
    height: model.rows(state).rows.length + 6,
    glyphs,
    now: Date.now(),
    hint: () => undefined,
  });
  return lines.map((line) => lineText(line).trimEnd());
}

const WHAT_TO_TRY = `
This session has five branches. To explore it in a terminal:
  bough demo                         this session, with keys
  bough                              a new session in this folder; no key needed
  bough -p "what is in this folder?" one answer, without a screen
  bough --help                       everything else
`;
