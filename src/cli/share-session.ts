/** What an agent shares, made by the same steps as `bough export`. */
import { randomUUID } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { AgentError, branchStart, type SharedSession, type ShareRequest } from "../agent/index.js";
import { temporaryFolder } from "../log/index.js";
import type { SessionManager } from "../session/index.js";
import type { ExportWish } from "./sub/export/export-wish.js";
import { stageExport } from "./sub/export/stage-export.js";
import { writeExport } from "./sub/export/write-export.js";

export async function shareSession(session: SessionManager, request: ShareRequest): Promise<SharedSession> {
  const { format, file, existing = "refuse", signal = new AbortController().signal, onProgress = () => {} } = request;
  const leafId = session.getLeafId();
  if (leafId === null && (request.scope !== "all" || session.getCounts().entries === 0)) {
    throw new AgentError("no-content", "There is nothing to export yet", {
      hint: request.scope === "all" ? "Send a prompt first." : "Export all of the session, or move to a place in it.",
    });
  }
  const own = session.getSessionFile();
  if (own !== undefined && sameFile(own, file)) {
    throw new AgentError("export-failed", `That is the session itself: ${file}`, {
      data: { file },
      hint: "Choose another file name.",
    });
  }
  if (existing === "refuse" && existsSync(file)) {
    throw new AgentError("export-failed", `There is a file already: ${file}`, {
      data: { file },
      hint: "Choose another file name, or replace it.",
    });
  }
  const start = request.scope === "branch" ? branchStart(session) : null;
  const keepsAll = request.secrets === "keep";
  const wish: ExportWish = {
    format,
    scope: request.scope === "all" ? "all" : start === null ? "path" : "subtree",
    file,
    replace: existing === "replace",
    dryRun: false,
    keep: keepsAll ? "all" : new Set(),
    keepHome: keepsAll,
    leaveOut: { images: false, toolOutputs: false, systemPrompts: true },
  };
  const now = new Date();
  const { path: folder, remove } = temporaryFolder("export");
  try {
    const id = format === "jsonl" ? randomUUID() : session.getSessionId();
    const from = start === null ? {} : { entryId: start };
    const staged = await stageExport({ session, ...from, leafId, wish, id, now, folder, signal, onProgress });
    const { title, entries, findings } = staged;
    const bytes = await writeExport({ wish, staged: staged.file, folder, title, now, signal });
    return { file, bytes, entries, findings };
  } finally {
    remove();
  }
}

/** Also where a link leads to it. */
function sameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false }));
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
