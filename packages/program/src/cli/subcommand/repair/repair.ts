/** `bough repair`: writes a new file with every readable entry, and verifies it. */
import { resolve } from "node:path";
import { type ChangeReason, type FileChange, type RepairReport, repairSession } from "@bough/session/session/index.js";
import { counted } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { ownSessionArgument } from "../session-argument.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "repair",
  usage: "<session>",
  summary: "Recover what is readable from a damaged session",
  details:
    "Writes a new file; the original is not modified. The new file is read back and deleted if any readable entry is missing. Lists what was changed and which bytes were dropped.",
  flags: {
    output: { short: "o", value: "file", help: "output file (default <name>.repaired.jsonl, next to the original)" },
  },
  examples: [["repair 4f2a", "write the new file and list what was kept"]],
  json: '{ "kind": "clean" | "repaired", path, out?, kept?, changed?, dropped?, fileChanges?, proof?: { readable, found }, remaining?, before: { ok, counts } }',
  args: { least: 1, most: 1 },
  completes: "sessions",
};

type Repaired = Extract<RepairReport, { kind: "repaired" }>;

/** At most this many of a kind are listed; JSON has all. */
const SHOWN = 20;

export async function run({ args, flags, places, out, signal }: SubcommandCall): Promise<number> {
  const { file } = await ownSessionArgument(args[0], places, { where: "here" });
  const wanted = flags.text("output");
  const report = await repairSession(file, { signal, out: wanted === undefined ? undefined : resolve(wanted) });
  if (out.json) {
    const { before, ...rest } = report;
    out.value({ ...rest, before: { ok: before.ok, counts: before.counts } });
  } else if (report.kind === "clean") out.line(`Nothing to repair in ${report.path}`);
  else await out.lines(repairedLines(report));
  return 0;
}

function* repairedLines(report: Repaired): Generator<Line> {
  const { proof, kept, changed, dropped, fileChanges, remaining } = report;
  yield [span("Wrote ", "good"), span(report.out)];
  yield [span(`  The original is unchanged: ${report.path}`, "muted")];
  yield [span(`  The new file has its own session ID: ${report.sessionId}`, "muted")];
  yield [
    span(`  Verified: ${proof.found} of ${proof.readable} readable entries are in the new file, `),
    span(`${kept} of them byte for byte`),
  ];
  for (const change of fileChanges) yield [span(`  ${FILE_CHANGES[change]}`)];
  for (const { line, id, reasons } of changed.slice(0, SHOWN)) {
    yield [span(`  line ${line}, ${id}: `), span(reasons.map(reasonText).join("; "))];
  }
  if (changed.length > SHOWN)
    yield [span(`  and ${counted(changed.length - SHOWN, "more entry", "more entries")} changed`)];
  for (const { line, bytes, reason } of dropped.slice(0, SHOWN)) {
    yield [span("  dropped: ", "bad"), span(`line ${line}, ${counted(bytes, "byte")}: ${reason}`)];
  }
  if (dropped.length > SHOWN) yield [span(`  and ${dropped.length - SHOWN} more dropped`, "bad")];
  if (remaining.length > 0)
    yield [span(`  ${counted(remaining.length, "warning")} left, no damage. For details, run: bough verify`)];
  yield [span(`  Open it with: bough --session ${report.out}`)];
}

const FILE_CHANGES: Readonly<Record<FileChange, string>> = {
  upgraded: "Written in the current version of the format",
  "header-made": "A new header was created, because none was readable",
  "header-moved": "The header is now the first line",
  "byte-order-marks-removed": "Byte order marks were removed",
  "carriage-returns-removed": "Lines no longer end with a carriage return",
  "position-recorded": "The position was recorded, so it opens at the same entry",
};

function reasonText(reason: ChangeReason): string {
  switch (reason.kind) {
    case "upgraded":
      return "upgraded";
    case "new-id":
      return `has a new ID, because ${reason.from} was taken`;
    case "new-parent":
      return `is now below ${reason.to ?? "the start"} instead of ${reason.from ?? "the start"}`;
    case "encoding":
      return "its id or parent was not UTF-8";
  }
}
