/** A request with what is known about it: where it leads, and whether it is one that is always asked about. */

import { sep } from "node:path";
import { absolutePath } from "../path/absolute-path.js";
import { workPlace } from "../path/allowed-path.js";
import { isInside, isWorkPath, type WorkPlace } from "../path/inside.js";
import { realTarget } from "../path/real-target.js";
import type { PermissionMode, PermissionRequest } from "../tool.js";
import { decidePermission, type PermissionRule } from "./decide-permission.js";

export interface AskedRequest {
  readonly request: PermissionRequest;
  readonly place: "inside" | "outside";
  /** The real path; empty for commands and for tools of which only the input is known. */
  readonly path: string;
  /** Why it is asked about whatever the mode and earlier answers say. */
  readonly always: string | undefined;
}

export async function askedRequest(request: PermissionRequest, cwd: string): Promise<AskedRequest> {
  if (request.action === "run" || request.action === "use") {
    return { request, place: "inside", path: "", always: undefined };
  }
  const place = await workPlace(cwd);
  const path = await realTarget(absolutePath(request.target, place.cwd));
  return {
    request,
    place: isWorkPath(path, place) ? "inside" : "outside",
    path,
    always: request.action === "write" ? protectedReason(path, place) : undefined,
  };
}

/** What the mode says. What is always asked about is never just allowed; what is denied stays denied. */
export function ruleFor({ request, place, always }: AskedRequest, mode: PermissionMode): PermissionRule {
  const rule = decidePermission({ mode, action: request.action, place });
  return rule === "allow" && always !== undefined ? "ask" : rule;
}

/** Folders by name, wherever they are, and what a change in them can do. */
const FOLDERS: Readonly<Record<string, string>> = {
  ".git": "Files in .git can make git run commands.",
  ".bough": "Files in .bough decide what Bough loads and allows.",
};

/** Why a change to this real path is always asked about; undefined for ordinary files. */
function protectedReason(path: string, { home }: WorkPlace): string | undefined {
  if (isInside(home, path)) return "This folder holds Bough's own settings, extensions and sessions.";
  for (const name of path.split(sep)) {
    // Some file systems take .GIT for .git.
    const reason = FOLDERS[name.toLowerCase()];
    if (reason !== undefined) return reason;
  }
  return undefined;
}
