/** Writes a session as a single HTML page. */
import { resolve } from "node:path";
import { type HtmlPageRequest, htmlPage } from "../web/index.js";
import { streamExportFile } from "./export-file.js";

export interface HtmlExportRequest extends HtmlPageRequest {
  readonly file: string;
  /** What to do with a file that already exists. Default: refuse. */
  readonly existing?: "refuse" | "replace";
}

interface HtmlExport {
  readonly file: string;
  readonly entries: number;
  readonly branches: number;
  readonly bytes: number;
}

/**
 * Writes the page atomically, readable by its owner only. Throws `no-content` if the session is empty, `export-failed`
 * if the file cannot be written or already exists, and the signal's reason if aborted. Masks nothing: the source must
 * be a staged session.
 */
export async function exportHtml(request: HtmlExportRequest): Promise<HtmlExport> {
  const file = resolve(request.file);
  const { entries, branches, pieces } = await htmlPage(request);
  const bytes = await streamExportFile({ file, existing: request.existing ?? "refuse" }, pieces);
  return { file, entries, branches, bytes };
}
