/**
 * Long transcripts of other agents under bench/data, made when a case asks for them and kept for the next run.
 *
 * @typedef {import("../data-set.mjs").DataFolder & { agent: string, path: string }} Transcript
 *
 * `entries` counts the records: lines, or rows. Each transcript has a folder of its own, since programs look for
 * relatives of a session beside it.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DATA } from "../data-set.mjs";
import { writeAll } from "../write-session.mjs";
import { claudeLines } from "./claude-code.mjs";
import { codexLines } from "./codex.mjs";
import { geminiLines } from "./gemini.mjs";
import { writeOpencode } from "./opencode.mjs";

/** Goes up with every change to the bytes this makes. */
const VERSION = 1;
const PIECE = 1 << 20;
const SEED = 9;

/** @typedef {(path: string, size: { bytes: number, seed: number }) => { entries: number, bytes: number }} Write */

/** @type {readonly { agent: string, file: string, write: Write }[]} */
const AGENTS = [
  { agent: "claude-code", file: "5f0c0000-0000-4000-8000-000000000001.jsonl", write: writeLines(claudeLines) },
  {
    agent: "codex",
    file: "rollout-2025-01-06T09-00-00-01990000-0000-7000-8000-000000000001.jsonl",
    write: writeLines(codexLines),
  },
  { agent: "gemini", file: "session-2025-01-06T09-00-00000000.jsonl", write: writeLines(geminiLines) },
  { agent: "opencode", file: "opencode.db", write: writeOpencode },
];

/**
 * @param {{ megabytes: number, progress: import("../data-set.mjs").Progress }} options
 * @returns {Transcript[]}
 */
export function foreignTranscripts({ megabytes, progress }) {
  return AGENTS.map(({ agent, file, write }) => {
    const name = `${agent}-${megabytes}-mb`;
    const path = join(DATA, `foreign-${name}.v${VERSION}`, file);
    const note = `${dirname(path)}.note`;
    const noted = existsSync(note) ? JSON.parse(readFileSync(note, "utf8")) : undefined;
    const complete = noted !== undefined && existsSync(path) && statSync(path).size === noted.bytes;
    return {
      name,
      agent,
      path,
      dir: dirname(path),
      cwd: "/home/dev/project",
      files: 1,
      ...(complete ? noted : make()),
    };

    function make() {
      progress(`writing ${name}`);
      rmSync(note, { force: true });
      rmSync(dirname(path), { recursive: true, force: true });
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      const made = write(`${path}.part`, { bytes: megabytes * 2 ** 20, seed: SEED });
      renameSync(`${path}.part`, path);
      writeFileSync(note, JSON.stringify(made));
      return made;
    }
  });
}

/**
 * One transcript, anywhere.
 *
 * @param {string} agent
 * @param {string} folder
 * @param {{ bytes: number, seed: number }} size
 */
export function writeForeign(agent, folder, size) {
  const found = AGENTS.find((known) => known.agent === agent);
  if (found === undefined) throw new Error(`bug: no transcript is made for ${agent}`);
  const path = join(folder, found.file);
  return { path, ...found.write(path, size) };
}

/**
 * Lines until there are enough bytes of them.
 *
 * @param {(seed: number) => Generator<string, never, void>} linesOf
 * @returns {Write}
 */
function writeLines(linesOf) {
  return (path, { bytes, seed }) => {
    const file = openSync(path, "w", 0o600);
    try {
      let entries = 0;
      let written = 0;
      let piece = "";
      for (const line of linesOf(seed)) {
        piece += `${line}\n`;
        entries++;
        if (piece.length < PIECE && written + piece.length < bytes) continue;
        written += writeAll(file, piece);
        piece = "";
        if (written >= bytes) return { entries, bytes: written };
      }
      throw new Error("bug: an endless transcript ended");
    } finally {
      closeSync(file);
    }
  };
}
