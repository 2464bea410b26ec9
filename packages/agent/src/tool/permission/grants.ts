/** What the user allowed for the rest of the session. */
import { dirname } from "node:path";
import { visibleText } from "@bough/session/text/index.js";
import { isInside } from "../path/inside.js";
import type { PermissionRequest } from "../tool.js";
import type { AskedRequest } from "./asked-request.js";

export interface PermissionGrant {
  /** Starts at 1; never reused. */
  readonly id: number;
  readonly tool: string;
  readonly action: PermissionRequest["action"];
  readonly place: "inside" | "outside";
  /** For paths outside the working directory: this folder and everything in it. */
  readonly folder?: string;
  /** For URLs: this host. */
  readonly host?: string;
  /** In plain words: "all shell commands", "all edits in this folder". */
  readonly words: string;
}

/** What the answer `session` would cover; undefined if the request always needs confirmation. */
export function grantFor(asked: AskedRequest): Omit<PermissionGrant, "id"> | undefined {
  // Leaving the sandbox is asked about for each command, or allowed by a rule that names it.
  if (asked.always !== undefined || asked.request.blocked !== undefined) return undefined;
  const { request, place, path, facts } = asked;
  const { tool, action } = request;
  const { host } = facts;
  if (action === "fetch")
    return host === undefined ? undefined : { tool, action, place, host, words: fetchWords(tool, host) };
  if (place === "outside" && path === "") return undefined;
  const folder = place === "outside" ? dirname(path) : undefined;
  return { tool, action, place, folder, words: grantWords(request, folder) };
}

export function covers(grant: PermissionGrant, asked: AskedRequest): boolean {
  const { request, place, path, always, facts } = asked;
  if (always !== undefined || request.blocked !== undefined) return false;
  if (!isSameTool(grant.tool, request) || grant.action !== request.action || grant.place !== place) return false;
  if (grant.action === "fetch" && (grant.host === undefined || grant.host !== facts.host)) return false;
  const { folder } = grant;
  if (folder === undefined) return true;
  return (asked.outside ?? [path]).every((file) => isInside(folder, file));
}

/** Users do not distinguish these: an answer for `edit` also covers `write`. */
const EDITORS = ["edit", "write"];

function isSameTool(granted: string, { tool, action }: PermissionRequest): boolean {
  return granted === tool || (action === "write" && EDITORS.includes(granted) && EDITORS.includes(tool));
}

/** "fetch pages from example.com", or "connect to example.com" for a command. */
function fetchWords(tool: string, host: string): string {
  const shown = visibleText(host, { newlines: "escape" }).text;
  return tool === "bash" ? `connect to ${shown}` : `fetch pages from ${shown}`;
}

function grantWords({ tool, action, server }: PermissionRequest, folder: string | undefined): string {
  const name = visibleText(tool, { newlines: "escape" }).text;
  const shown = folder === undefined ? "" : visibleText(folder, { newlines: "escape" }).text;
  if (action === "run") {
    const all = tool === "bash" ? "all shell commands" : `all commands of ${name}`;
    return folder === undefined ? all : `${all} that name files in ${shown}`;
  }
  if (action === "use" && server !== undefined) return `all calls of ${server.tool} on the MCP server ${server.name}`;
  if (action === "use") return `all calls of ${name}`;
  if (action === "write" && EDITORS.includes(tool))
    return `all edits in ${folder === undefined ? "this folder" : shown}`;
  const verb = action === "read" ? "read" : "change";
  const where = folder === undefined ? "any file in this folder" : `anything in ${shown}`;
  return `${verb} ${where} with ${name}`;
}
