/** Tell which tool an event is about. They compare the name at run time; pi's types narrow the event. */

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

/** Only helps with types: returns the tool unchanged. */
export function defineTool<Tool>(tool: Tool): Tool {
  return tool;
}
