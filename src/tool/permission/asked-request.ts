/** A request with what is known about it: where it leads, and whether it is one that is always asked about. */
import { absolutePath } from "../path/absolute-path.js";
import { workPlace } from "../path/allowed-path.js";
import { isWorkPath } from "../path/inside.js";
import { realTarget } from "../path/real-target.js";
import type { PermissionMode, PermissionRequest } from "../tool.js";
import { decidePermission, type PermissionRule } from "./decide-permission.js";
import { protectedReason } from "./protected-path.js";

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
