import { basename, dirname, join, resolve } from "node:path";
import { CURRENT_SESSION_VERSION, POSITION_TYPE, type ProblemCode, SessionError } from "../entry/index.js";
import { createUpgrade, sessionVersion, withField } from "../entry/internal.js";
import { WholeFile } from "../log/index.js";
import { derivedId } from "./repair/derived-id.js";
import { damagedVersion, newHeader, UNKNOWN_TIME, uuidFrom } from "./repair/new-header.js";
import { Proof } from "./repair/proof.js";
import { leafOfFile, proveRepair } from "./repair/prove-repair.js";
import type { FileChange, RepairReport } from "./repair/repair-report.js";
import { plain, RepairedLines } from "./repair/repaired-lines.js";
import { recordIn } from "./scan/line-text.js";
import { SessionLines } from "./verify/session-lines.js";
import { type SurveyedFile, surveyFile } from "./verify/survey-file.js";
import { type VerifyReport, verifyReport } from "./verify-session.js";
import { entryLine, headerLine } from "./write/entry-line.js";

export interface RepairOptions {
  /** The new file. Default: `<name>.repaired.jsonl` next to the original, or the first free name of that kind. */
  readonly out?: string;
  readonly signal?: AbortSignal;
}

/** What a repair fixes. Other findings concern the content of entries, which is never changed. */
const REPAIRED: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  "torn-tail",
  "unreadable-line",
  "unreadable-entry",
  "joined-records",
  "no-header",
  "late-header",
  "second-header",
  "duplicate-id",
  "repeated-line",
  "missing-parent",
  "cycle",
  "byte-order-mark",
  "windows-lines",
  "old-version",
]);

/**
 * Writes a new file with every readable entry of a damaged session, unchanged wherever possible, and verifies it by
 * reading it back. The original is not modified; the new file is a session of its own, with its own ID. The same
 * original always gives the same bytes, and repairing the result finds nothing to do.
 *
 * Throws a SessionError: `not-a-session` if nothing can be read, `future-version`, `repair-failed` if the check
 * fails (then no file is written), `aborted`.
 */
export async function repairSession(path: string, options: RepairOptions = {}): Promise<RepairReport> {
  const lines = new SessionLines(path);
  try {
    const surveyed = await surveyFile(lines, options);
    const before = verifyReport(path, surveyed);
    assertRepairable(path, before, surveyed);
    if (!before.findings.some(({ code }) => REPAIRED.has(code))) return { kind: "clean", path, before };
    return await writeRepaired({ path, lines, surveyed, before, options });
  } finally {
    lines.close();
  }
}

function assertRepairable(path: string, before: VerifyReport, { header, survey }: SurveyedFile): void {
  const version = header === undefined ? (damagedVersion(survey.damagedHeader) ?? 1) : header.version;
  const unknown =
    header === undefined ? Number(version) > CURRENT_SESSION_VERSION : sessionVersion(header).kind === "unknown";
  if (unknown) {
    throw new SessionError(
      "future-version",
      `${path} has format version ${JSON.stringify(version)}, which this program does not support`,
      {
        data: { path, version },
        hint: "Update Bough to repair it.",
      },
    );
  }
  if (header === undefined && before.readable === 0 && before.lines > 0) {
    throw new SessionError("not-a-session", `${path} contains no readable session data`, {
      data: { path },
      hint: "It is not a session file, or all of it is lost. Look for a copy: a backup, an export, a fork.",
    });
  }
}

interface RepairJob {
  readonly path: string;
  readonly lines: SessionLines;
  readonly surveyed: SurveyedFile;
  readonly before: VerifyReport;
  readonly options: RepairOptions;
}

async function writeRepaired({ path, lines, surveyed, before, options }: RepairJob): Promise<RepairReport> {
  const out = options.out === undefined ? undefined : resolve(options.out);
  const file = newRepairedFile(path, out);
  try {
    const proof = new Proof();
    const header = withOwnId(repairedHeader(path, surveyed), surveyed.header?.id);
    const write = (line: Buffer) => writeLine(file, line);
    const repaired = new RepairedLines({ survey: surveyed.survey, header, proof, write });
    await lines.read(options, (line, content) => repaired.take(line, content));
    repaired.finish();
    file.flush();
    const position = recordLeaf({ path, file, repaired, time: surveyed.facts.lastTime });
    const remaining = await proveRepair({ path, file, proof, added: position === "recorded" ? 1 : 0, options });
    return {
      kind: "repaired",
      path,
      out: file.moveIntoPlace(out === undefined ? repairedNames(path) : [out]),
      sessionId: idIn(header),
      kept: repaired.kept,
      changed: repaired.changed,
      dropped: surveyed.survey.lost.map(({ line, offset, length, reason }) => ({
        line,
        offset,
        bytes: length,
        reason,
      })),
      fileChanges: fileChanges(before, position),
      proof: { readable: proof.readable, found: proof.found },
      before,
      remaining,
    };
  } finally {
    file.close();
  }
}

function repairedHeader(path: string, { survey, facts }: SurveyedFile): Buffer {
  if (survey.headerBytes !== undefined) {
    // A header too far down was not upgraded with its entries; at the top of the new file it must be.
    const text = plain(survey.headerBytes).toString("latin1");
    return Buffer.from(createUpgrade().upgradeLine(text), "latin1");
  }
  const first = survey.records[0];
  const seed = `${first === undefined ? "" : survey.idOf(first)} ${facts.firstTime}`;
  const header = newHeader({ path, damaged: survey.damagedHeader, time: facts.firstTime, seed });
  return Buffer.from(headerLine(header));
}

/**
 * The header with a new ID derived from the original's, because the original stays and two files must not be one
 * session. If the original's ID cannot be read, nothing lists that file, and the new file keeps what is left of its
 * header.
 */
function withOwnId(header: Buffer, originalId: string | undefined): Buffer {
  if (originalId === undefined) return header;
  const id = JSON.stringify(uuidFrom(`repaired ${originalId}`));
  return Buffer.from(withField(header.toString("latin1"), "id", id), "latin1");
}

function idIn(header: Buffer): string {
  const record = recordIn(header);
  if (record.kind !== "header") throw new Error("bug: repaired header is not a header");
  return record.header.id;
}

/** Makes the new file open at the same entry as the original, by adding a position record if it would not. */
function recordLeaf({ path, file, repaired, time }: LeafJob): "same" | "recorded" {
  const leaf = leafOfFile(path);
  if (leafOfFile(file.temporary) === leaf) return "same";
  const id = derivedId(`position ${leaf}`, (candidate) => repaired.places.isTaken(candidate));
  const place = { id, parentId: leaf, timestamp: time ?? UNKNOWN_TIME };
  writeLine(file, Buffer.from(entryLine("custom", place, { customType: POSITION_TYPE })));
  file.flush();
  return "recorded";
}

function writeLine(file: WholeFile, line: Buffer): void {
  file.write(line);
  file.write(NEWLINE);
}

const NEWLINE = Buffer.from("\n");

interface LeafJob {
  readonly path: string;
  readonly file: WholeFile;
  readonly repaired: RepairedLines;
  readonly time: string | undefined;
}

const FILE_CHANGES: readonly (readonly [ProblemCode, FileChange])[] = [
  ["old-version", "upgraded"],
  ["no-header", "header-made"],
  ["late-header", "header-moved"],
  ["byte-order-mark", "byte-order-marks-removed"],
  ["windows-lines", "carriage-returns-removed"],
];

function fileChanges(before: VerifyReport, position: "same" | "recorded"): FileChange[] {
  const found = new Set(before.findings.map(({ code }) => code));
  const changes = FILE_CHANGES.flatMap(([code, change]) => (found.has(code) ? [change] : []));
  return position === "recorded" ? [...changes, "position-recorded"] : changes;
}

/** Can be read back before it gets its final name. */
function newRepairedFile(path: string, out: string | undefined): WholeFile {
  const name = out ?? repairedName(path, 1);
  return new WholeFile(name, { existing: "refuse", durable: true, failure: (cause) => writeFailed(name, cause) });
}

/** `<name>.repaired.jsonl`, then `<name>.repaired-2.jsonl` and so on. */
function* repairedNames(path: string): Generator<string> {
  for (let i = 1; ; i++) yield repairedName(path, i);
}

function repairedName(path: string, i: number): string {
  const name = basename(path)
    .replace(/\.jsonl$/, "")
    .replace(/\.repaired(-\d+)?$/, "");
  return join(dirname(path), `${name}.repaired${i === 1 ? "" : `-${i}`}.jsonl`);
}

function writeFailed(path: string, cause: unknown): SessionError {
  const code = (cause as { code?: unknown } | null)?.code;
  if (code === "EEXIST") {
    return new SessionError("write-failed", "The file for the repaired session already exists", {
      hint: "Choose another file name, or move that file.",
    });
  }
  return new SessionError(
    code === "ENOSPC" || code === "EDQUOT" ? "disk-full" : "write-failed",
    `Could not write ${path}`,
    {
      data: { path, systemCode: code },
      hint: "The original was not touched. Check the folder and its free space.",
      cause,
    },
  );
}
