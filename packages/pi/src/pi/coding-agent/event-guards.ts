/** Which tool an event is about. At run time they compare a name; pi's types make more of them. */

interface NamedEvent {
  readonly toolName: string;
}

const isAbout =
  (tool: string) =>
  (event: NamedEvent): boolean =>
    event.toolName === tool;

export const isBashToolResult = isAbout("bash");
export const isPowerShellToolResult = isAbout("powershell");
export const isReadToolResult = isAbout("read");
export const isEditToolResult = isAbout("edit");
export const isWriteToolResult = isAbout("write");
export const isGrepToolResult = isAbout("grep");
export const isFindToolResult = isAbout("find");
export const isLsToolResult = isAbout("ls");

export function isToolCallEventType(toolName: string, event: NamedEvent): boolean {
  return event.toolName === toolName;
}

/** For types alone: the tool comes back as it is. */
export function defineTool<Tool>(tool: Tool): Tool {
  return tool;
}
