import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { itIsALog } from "../../test/contract/log-contract.js";
import { tempFolder } from "../../test/support/temp-folder.js";
import { FileLog } from "./file-log.js";
import { MemoryLog } from "./memory-log.js";

function fileHolding(bytes: Buffer): string {
  const path = join(tempFolder(), "log.jsonl");
  writeFileSync(path, bytes);
  return path;
}

function memoryHolding(bytes: Buffer, access: "read" | "write"): MemoryLog {
  const log = new MemoryLog({ access });
  // In two pieces, as an upgrade in memory fills it.
  log.fill(bytes.subarray(0, bytes.length >> 1));
  log.fill(bytes.subarray(bytes.length >> 1));
  return log;
}

itIsALog("a file", {
  holding: (bytes) => new FileLog(fileHolding(bytes), { access: "write" }),
  readable: (bytes) => new FileLog(fileHolding(bytes), { access: "read" }),
});

itIsALog("a file that syncs every line", {
  holding: (bytes) => new FileLog(fileHolding(bytes), { access: "write", durability: "fsync" }),
  readable: (bytes) => new FileLog(fileHolding(bytes), { access: "read", durability: "fsync" }),
});

itIsALog("the memory", {
  holding: (bytes) => memoryHolding(bytes, "write"),
  readable: (bytes) => memoryHolding(bytes, "read"),
});
