/**
 * The most memory this process ever had in use, in bytes.
 *
 * Linux counts a child's `resourceUsage().maxRSS` from its parent's peak, because the two share memory until the child
 * starts its program. The high-water mark in /proc starts anew, so it is taken where there is one.
 */
import { readFileSync } from "node:fs";

export function peakMemory() {
  try {
    const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    if (kilobytes !== undefined) return Number(kilobytes) * 1024;
  } catch {
    // No /proc on this system.
  }
  return process.resourceUsage().maxRSS * 1024;
}
