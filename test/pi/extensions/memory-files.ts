/** `read`, `write`, `edit` and `bash` for files that are only in memory. */
import {
  createBashTool,
  createEditTool,
  createReadTool,
  createWriteTool,
  type ExtensionAPI,
} from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  const files = new Map<string, string>();
  const readFile = async (path: string) => {
    const text = files.get(path);
    if (text === undefined) throw new Error(`no such file in memory: ${path}`);
    return Buffer.from(text);
  };
  const writeFile = async (path: string, content: string) => void files.set(path, content);
  const access = async (path: string) => void (await readFile(path));
  const exec = async (command: string, _cwd: string, { onData }: { onData: (data: Buffer) => void }) => {
    onData(Buffer.from(`${command} over ${files.size} file(s)\n`));
    return { exitCode: command === "false" ? 1 : 0 };
  };
  pi.registerTool(createReadTool("/memory", { operations: { readFile, access } }));
  pi.registerTool(createWriteTool("/memory", { operations: { writeFile, mkdir: async () => {} } }));
  pi.registerTool(createEditTool("/memory", { operations: { readFile, writeFile, access } }));
  pi.registerTool(createBashTool("/memory", { operations: { exec } }));
}
