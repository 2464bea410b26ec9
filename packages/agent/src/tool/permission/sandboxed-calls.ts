/** The commands of the last calls, and the hosts that each was refused. */
import { visibleText } from "@bough/session/text/index.js";
import type { PermissionRequest } from "../tool.js";
import { hostOf } from "./rule/host-pattern.js";

interface SandboxedCall {
  readonly command: string;
  readonly refused: Set<string>;
}

const MOST_CALLS = 100;
const MOST_SHOWN = 200;

export class SandboxedCalls {
  readonly #calls = new Map<string, SandboxedCall>();

  /**
   * The request as it is asked about. A request for a host names the command that wants to connect. A request to
   * leave the sandbox omits hosts that were refused: refusing a host is not a reason to ask about the whole command.
   */
  completed(request: PermissionRequest): PermissionRequest {
    const { tool, action, target, callId, blocked, note } = request;
    if (tool !== "bash" || callId === undefined) return request;
    const call = this.#calls.get(callId);
    if (action === "run" && blocked === undefined) this.#remember(callId, target);
    if (call === undefined) return request;
    if (action === "fetch" && note === undefined)
      return { ...request, note: `Wanted by this command: ${shown(call.command)}` };
    if (blocked === undefined) return request;
    const isOpen = (address: string): boolean => !call.refused.has(hostOf(`http://${address}/`) ?? address);
    return { ...request, blocked: blocked.filter(({ kind, what }) => kind !== "network" || isOpen(what)) };
  }

  /** Call it with each request that was refused. */
  noteRefusal({ tool, action, target, callId = "" }: PermissionRequest): void {
    const host = hostOf(target);
    if (tool === "bash" && action === "fetch" && host !== undefined) this.#calls.get(callId)?.refused.add(host);
  }

  #remember(callId: string, command: string): void {
    this.#calls.set(callId, { command, refused: new Set() });
    const [oldest] = this.#calls.keys();
    if (this.#calls.size > MOST_CALLS && oldest !== undefined) this.#calls.delete(oldest);
  }
}

function shown(command: string): string {
  const { text } = visibleText(command, { newlines: "escape" });
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
