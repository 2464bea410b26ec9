/** Reads and writes files through the client, including unsaved changes in its editor. */
import type { EditorFiles } from "@bough/agent/tool/index.js";
import type { ClientLink } from "./client-link.js";

/** Undefined if the client does not offer file access. */
export function clientFiles(link: ClientLink): EditorFiles | undefined {
  const { readsFiles, writesFiles } = link.facts;
  if (!readsFiles && !writesFiles) return undefined;
  return {
    read: readsFiles ? (path, signal) => read(link, path, signal) : undefined,
    write: writesFiles ? (path, text, signal) => write(link, { path, text, signal }) : undefined,
  };
}

async function read(link: ClientLink, path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const answer = await link.client.request("fs/read_text_file", { sessionId: link.sessionId, path }, until(signal));
    return typeof answer.content === "string" ? answer.content : undefined;
  } catch {
    // The client does not know the file or has disconnected, so use the disk.
    return undefined;
  }
}

interface FileText {
  readonly path: string;
  readonly text: string;
  readonly signal: AbortSignal;
}

async function write(link: ClientLink, { path, text, signal }: FileText): Promise<void> {
  const params = { sessionId: link.sessionId, path, content: text };
  await link.client.request("fs/write_text_file", params, until(signal));
}

function until(signal: AbortSignal) {
  return { cancellationSignal: signal, stopWaitingOnCancel: true };
}
