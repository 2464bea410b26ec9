/** Standard output for frames alone. */
import type { Writable } from "node:stream";

interface Outputs {
  readonly stdout: Writable;
  readonly stderr: Writable;
}

/**
 * Keeps standard output to itself: what anything else in this process prints there, an extension for example, goes to
 * standard error instead, so that it cannot break a frame.
 */
export function ownOutput({ stdout, stderr }: Outputs): Pick<Writable, "write" | "once" | "off"> {
  const write = stdout.write.bind(stdout) as Writable["write"];
  stdout.write = ((...args: Parameters<Writable["write"]>) => stderr.write(...args)) as Writable["write"];
  return {
    write,
    once: stdout.once.bind(stdout),
    off: stdout.off.bind(stdout),
  };
}
