/** What an agent asks permission for, as requests that Bough's rules and modes decide about. */
import { resolve } from "node:path";
import { isRecord, shellWord } from "@bough/session/text/index.js";
import type { FilePreview, PermissionRequest } from "../tool/index.js";
import { fileChange, filePreview } from "../tool/internal.js";
import type { DriverCall } from "./driver.js";
import { nameOf } from "./settle-turn.js";

/** All of them must be allowed. */
export function callRequests(call: DriverCall, cwd: string): readonly PermissionRequest[] {
  const { id: callId, action } = call;
  if (action === "run") return [runRequest(call)];
  // What it searches is all that is below, even if it names no folder.
  if (action === "search") {
    const found = pathsOf(call, cwd);
    return (found.length === 0 ? [cwd] : found).map((target) => ({ tool: "grep", action: "read", target, callId }));
  }
  if (action === "edit" || action === "read") {
    const paths = pathsOf(call, cwd);
    const tool =
      action === "read" ? "read" : call.edits?.some(({ oldText }) => oldText === undefined) ? "write" : "edit";
    if (paths.length > 0) {
      return paths.map((target) => ({
        ...{ tool, action: action === "read" ? "read" : "write", target, callId },
        ...previewOf(call, target, cwd),
      }));
    }
  }
  const url = isRecord(call.input) ? call.input.url : undefined;
  if (action === "fetch" && typeof url === "string")
    return [{ tool: "web_fetch", action: "fetch", target: url, callId }];
  return [useRequest(call)];
}

function runRequest(call: DriverCall): PermissionRequest {
  const command = commandOf(call.input);
  const { id: callId, title } = call;
  if (command !== undefined) return { tool: "bash", action: "run", target: command, callId };
  if (title === undefined || title.trim() === "") return useRequest(call);
  return {
    tool: "bash",
    action: "run",
    target: title,
    callId,
    isDescription: true,
  };
}

function commandOf(input: unknown): string | undefined {
  const command = isRecord(input) ? (input.command ?? input.cmd) : undefined;
  if (typeof command === "string") return command;
  if (!Array.isArray(command) || !command.every((word) => typeof word === "string")) return undefined;
  const [shell = "", flag = "", line] = command as string[];
  if (/(^|\/)(ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && line !== undefined) return line;
  // As a shell would have to be told: a `#` or `;` among the words is not one of a shell.
  return (command as string[]).map(shellWord).join(" ");
}

/** Absolute, so that a file named twice is asked about once. */
function pathsOf({ edits = [], paths = [], input }: DriverCall, cwd: string): string[] {
  const named = isRecord(input) ? [input.file_path, input.filePath, input.path] : [];
  const all = [...edits.map(({ path }) => path), ...paths, ...named];
  const given = all.filter((path): path is string => typeof path === "string" && path !== "");
  return [...new Set(given.map((path) => resolve(cwd, path)))];
}

function previewOf({ edits = [] }: DriverCall, target: string, cwd: string): { readonly preview?: FilePreview } {
  const edit = edits.find(({ path }) => resolve(cwd, path) === target);
  if (edit === undefined) return {};
  const { oldText, newText } = edit;
  const change = fileChange({ path: target, shown: target, before: oldText ?? "", after: newText });
  const bytes = oldText === undefined ? undefined : Buffer.byteLength(oldText);
  return { preview: filePreview({ change, text: newText, bytes }) };
}

function useRequest(call: DriverCall): PermissionRequest {
  const target = JSON.stringify(call.input ?? { title: call.title }) ?? "";
  return { tool: nameOf(call), action: "use", target, callId: call.id };
}
