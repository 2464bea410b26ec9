/** Answers the questions of tools: by the mode, by what a person said before, or by asking. */
import { dirname } from "node:path";
import { absolutePath } from "../path/absolute-path.js";
import { workPlace } from "../path/allowed-path.js";
import { isInside, isWorkPath } from "../path/inside.js";
import { realTarget } from "../path/real-target.js";
import type { PermissionAnswer, PermissionDecision, PermissionMode, PermissionRequest } from "../tool.js";
import { failureSentence } from "../tool-failure.js";
import { decidePermission } from "./decide-permission.js";

export interface CreatePermissionsOptions {
  readonly mode: PermissionMode;
  readonly cwd: string;
  /**
   * Asks a person. Left out where nobody is there; then everything that would ask is refused. It must come back, also
   * when the run is stopped meanwhile: the next question waits for it.
   */
  readonly ask?: (request: PermissionRequest) => Promise<PermissionAnswer>;
}

export interface Permissions {
  readonly mode: PermissionMode;
  setMode(mode: PermissionMode): void;
  /** Forgets every "for the session", as when another session is opened. */
  forget(): void;
  /** Never rejects. */
  readonly permit: (request: PermissionRequest) => Promise<PermissionDecision>;
}

/**
 * "For the session" is remembered per tool and action. For commands it covers every later command of that tool; for a
 * path inside the working directory every path inside; for a path outside everything in the same folder and below. It
 * never outweighs the mode `read-only`.
 *
 * Questions are put one at a time, so that an answer for the session also answers those already waiting.
 */
export function createPermissions(options: CreatePermissionsOptions): Permissions {
  let { mode } = options;
  let granted: Grant[] = [];
  let queue: Promise<unknown> = Promise.resolve();

  const askInTurn = async (asked: Asked): Promise<PermissionDecision> => {
    const rule = decidePermission({ mode, action: asked.request.action, place: asked.place });
    if (rule === "allow") return { allowed: true };
    if (rule === "deny") return refuse(deniedReason(asked.request));
    if (granted.some((grant) => covers(grant, asked))) return { allowed: true };
    if (options.ask === undefined) return refuse(nobodyReason(asked, mode));
    const answer = await options.ask(asked.request);
    if (answer === "session") granted.push(grantFor(asked));
    if (answer === "once" || answer === "session") return { allowed: true };
    return refuse(`The user said no to ${described(asked.request)}`);
  };

  const permit = async (request: PermissionRequest): Promise<PermissionDecision> => {
    try {
      const asked = await placed(request, options.cwd);
      if (decidePermission({ mode, action: request.action, place: asked.place }) === "allow") return { allowed: true };
      const turn = queue.then(() => askInTurn(asked));
      queue = turn.catch(() => undefined);
      return await turn;
    } catch (error) {
      return refuse(`Nobody could be asked about ${described(request)} : ${failureSentence(error)}`);
    }
  };

  return {
    get mode() {
      return mode;
    },
    setMode: (next) => {
      mode = next;
    },
    forget: () => {
      granted = [];
    },
    permit,
  };
}

interface Asked {
  readonly request: PermissionRequest;
  readonly place: "inside" | "outside";
  /** The real path; empty for commands. */
  readonly path: string;
}

interface Grant {
  readonly tool: string;
  readonly action: PermissionRequest["action"];
  readonly place: Asked["place"];
  /** For paths outside. */
  readonly folder: string | undefined;
}

async function placed(request: PermissionRequest, cwd: string): Promise<Asked> {
  if (request.action === "run" || request.action === "use") return { request, place: "inside", path: "" };
  const place = await workPlace(cwd);
  const path = await realTarget(absolutePath(request.target, place.cwd));
  return { request, place: isWorkPath(path, place) ? "inside" : "outside", path };
}

function grantFor({ request: { tool, action }, place, path }: Asked): Grant {
  return { tool, action, place, folder: place === "outside" ? dirname(path) : undefined };
}

function covers(grant: Grant, { request, place, path }: Asked): boolean {
  if (grant.tool !== request.tool || grant.action !== request.action || grant.place !== place) return false;
  return grant.folder === undefined || isInside(grant.folder, path);
}

function refuse(reason: string): PermissionDecision {
  return { allowed: false, reason };
}

const VERBS = { read: "reading", write: "writing", run: "running" } as const;

function described({ tool, action, target }: PermissionRequest): string {
  return action === "use" ? `using the tool ${tool} with ${target}` : `${VERBS[action]} ${target}`;
}

function deniedReason(request: PermissionRequest): string {
  const why =
    request.action === "read" ? "only files inside the working directory may be read" : "nothing may be changed or run";
  return `The permission mode is read-only: ${why}. The user can change it with the permission mode "ask" or "auto". Refused: ${described(request)}`;
}

function nobodyReason({ request, place }: Asked, mode: PermissionMode): string {
  const change =
    place === "outside"
      ? "Outside the working directory nothing is done without asking"
      : 'The user can allow it with the permission mode "auto"';
  return `The permission mode is ${mode} and nobody is there to ask. ${change}. Refused: ${described(request)}`;
}
