/** Reads a whole session file and collects all findings. The basis of verifying and repairing. */
import { isUtf8 } from "node:buffer";
import { parseRecord, type SessionEntry, type SessionHeader } from "../../entry/index.js";
import { sessionVersion } from "../../entry/internal.js";
import { inSlices } from "../../log/index.js";
import { checkLinks } from "./check-links.js";
import { headerShapeProblem, shapeProblem, unknownKind } from "./check-shape.js";
import { EntryFacts } from "./entry-facts.js";
import { type Findings, type Place, WHOLE_FILE } from "./findings.js";
import { hasByteOrderMark, type LineContent } from "./read-line.js";
import type { SessionLine, SessionLines } from "./session-lines.js";
import { Survey } from "./survey.js";
import type { WalkOptions } from "./walk-lines.js";

export interface SurveyedFile {
  readonly survey: Survey;
  readonly facts: EntryFacts;
  /** The header as it is in the file, before any upgrade. */
  readonly header: SessionHeader | undefined;
  readonly lines: number;
}

export async function surveyFile(lines: SessionLines, options: WalkOptions): Promise<SurveyedFile> {
  const facts = new EntryFacts();
  const shapes = new ShapeChecks();
  const survey: Survey = new Survey(lines, (n, entry) => {
    facts.note(n, entry);
    shapes.take(survey, n, entry);
  });
  const bytes = new LineChecks(survey.findings);
  let header: SessionHeader | undefined;
  const count = await lines.read(options, (line, content) => {
    survey.take(line, content);
    bytes.take(line);
    if ("header" in content && content.header !== undefined && header === undefined) {
      header = originalHeader(line, content.header);
      checkHeader(survey, line, header);
    }
    checkParentField(survey, line, content);
  });
  bytes.finish();
  shapes.finish(survey);
  if (lines.size === 0) {
    survey.findings.add("empty-file", WHOLE_FILE, {
      cause: "the file is empty",
      effect: "an empty session; opening it for writing starts it",
    });
  }
  survey.finish((call) => facts.callers.get(call));
  await inSlices(checkLinks(survey, facts));
  return { survey, facts, header, lines: count };
}

function originalHeader(line: SessionLine, upgraded: SessionHeader): SessionHeader {
  const record = parseRecord(line.raw.toString("utf8"));
  return record.kind === "header" ? record.header : upgraded;
}

function checkHeader(survey: Survey, line: SessionLine, header: SessionHeader): void {
  const place: Place = { line: line.number, offset: line.offset, length: line.length };
  const version = sessionVersion(header);
  if (version.kind === "old") {
    survey.findings.add("old-version", place, {
      cause: `the file has format version ${version.version}`,
      effect: "it is upgraded when it is opened for writing; the original is kept",
    });
  }
  if (version.kind === "unknown") {
    survey.findings.add("future-version", place, {
      cause: `this program does not support format version ${JSON.stringify(version.version)}`,
      effect: "the session is read-only, and only what is understood is shown",
    });
  }
  const cause = headerShapeProblem(header);
  if (cause !== undefined) {
    survey.findings.add("bad-shape", place, { cause, effect: "missing fields are shown as unknown" });
  }
}

/** `parseRecord` reads a missing parent as null, so the text must tell. */
function checkParentField(survey: Survey, line: SessionLine, content: LineContent): void {
  if (content.kind !== "entry" || content.entry.parentId !== null || content.text.includes('"parentId"')) return;
  survey.findings.add(
    "bad-shape",
    { line: line.number, offset: line.offset, length: line.length },
    { cause: "parentId is missing", effect: "read as a root", entryId: content.entry.id },
  );
}

/** Shapes are reported for each entry; an unknown type is reported once, because a file may be full of it. */
class ShapeChecks {
  readonly #unknown = new Map<string, { readonly first: number; count: number }>();

  take(survey: Survey, n: number, entry: SessionEntry): void {
    const cause = shapeProblem(entry);
    if (cause !== undefined) {
      survey.findings.add("bad-shape", survey.places[n] as Place, {
        cause,
        effect: "kept, and shown as far as it can be read",
        entryId: entry.id,
      });
    }
    const unknown = unknownKind(entry);
    if (unknown === undefined) return;
    const known = this.#unknown.get(unknown);
    if (known === undefined) this.#unknown.set(unknown, { first: n, count: 1 });
    else known.count += 1;
  }

  finish(survey: Survey): void {
    for (const [unknown, { first, count }] of this.#unknown) {
      survey.findings.add("unknown-type", survey.places[first] as Place, {
        cause: `${count === 1 ? "an entry has" : `${count} entries have`} ${unknown}, this one first`,
        effect: "kept byte for byte, not shown to the model",
        entryId: survey.idOf(first),
      });
    }
  }
}

const RETURN = 0x0d;

/**
 * Checks the bytes of lines, whatever they contain. Sees every line once. Carriage returns are one finding for the
 * whole file: a Windows file has one on every line.
 */
class LineChecks {
  readonly #findings: Findings;
  #returns = 0;
  #firstReturn: Place = WHOLE_FILE;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  take(line: SessionLine): void {
    const { number, offset, length, raw } = line;
    const place: Place = { line: number, offset, length };
    if (hasByteOrderMark(raw)) {
      this.#findings.add("byte-order-mark", place, {
        cause: number === 1 ? "the file starts with a byte order mark" : "the line starts with a byte order mark",
        effect: "it is ignored",
      });
    }
    if (raw[raw.length - 1] === RETURN && line.last >= 0) {
      this.#returns += 1;
      if (this.#returns === 1) this.#firstReturn = place;
    }
    if (!isUtf8(raw) && !line.tooLong) {
      this.#findings.add("bad-encoding", place, {
        cause: "the line has bytes that are not UTF-8",
        effect: "each of them is shown as a replacement character; the file keeps them",
      });
    }
  }

  finish(): void {
    if (this.#returns === 0) return;
    this.#findings.add("windows-lines", this.#firstReturn, {
      cause: `${this.#returns === 1 ? "a line ends" : `${this.#returns} lines end`} with a carriage return, this one first`,
      effect: "it is ignored",
    });
  }
}
