/** Who wrote the lines of a file on disk, over all sessions of its folder. */

import { CheckpointError } from "../checkpoint-error.js";
import { diskFile } from "../disk-file.js";
import { pathInRoot } from "../path-filter.js";
import { rootHere } from "../session-root.js";
import { BlobStore, type BlobStoreOptions } from "../store/blob-store.js";
import { rootSessions } from "../store/root-sessions.js";
import { type BlamedLine, blameFile } from "./blame-file.js";
import { type DescribedStep, describeStep } from "./describe-step.js";
import { type FileHistory, fileHistory, type HistoryChange } from "./file-history.js";

export interface TraceOptions extends BlobStoreOptions {
  readonly cwd: string;
  /** Bough's own folder. */
  readonly home: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Which sessions may name the path; all by default. */
  readonly sessionsOf?: (path: string) => (file: string) => boolean;
}

export interface TracedFile extends Pick<FileHistory, "unread"> {
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  readonly lines: readonly BlamedLine[];
  /** Registered sessions whose files were not found. */
  readonly away: readonly string[];
  /** The step that wrote a line (one object for all its lines); undefined if no session wrote it. */
  stepOf(line: BlamedLine): DescribedStep | undefined;
  /** Closes the sessions; `stepOf` no longer works afterwards. */
  close(): void;
}

export async function traceFile(file: string, options: TraceOptions): Promise<TracedFile> {
  const { cwd, home, sessionsOf, contents, ...reading } = options;
  const { root, store: folder } = await rootHere(cwd, home);
  const path = pathInRoot(file, { root, cwd });
  const disk = await diskFile(root, path);
  if (disk.kind !== "file" || disk.content === undefined) {
    throw new CheckpointError("no-file-history", `File not found: ${file}`, {
      data: { path: file },
      hint: "blame needs a file that exists. To see a deleted file, use bough diff.",
    });
  }
  const store = new BlobStore(folder, { contents });
  const { files, away } = rootSessions({ root, store: folder, home });
  const history = await fileHistory(path, {
    store,
    files: sessionsOf === undefined ? files : files.filter(sessionsOf(path)),
    ...reading,
  });
  try {
    const lines = await blameFile(history, { path, content: disk.content, store, ...reading });
    const steps = new Map<HistoryChange, DescribedStep>();
    return {
      root,
      path,
      lines,
      away,
      unread: history.unread,
      stepOf: ({ origin }) => {
        if (!("change" in origin)) return undefined;
        const step = steps.get(origin.change) ?? describeStep(history, origin.change);
        steps.set(origin.change, step);
        return step;
      },
      close: () => history.close(),
    };
  } catch (error) {
    history.close();
    throw error;
  }
}
