// Loaded into a measured program. On request it tells its parent the longest time the event loop was blocked, and how
// much processor time was used in such an interval. On a busy machine only the second says something about the program.
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// A second measure, because the histogram misses a delay that ends just before it is read.
let beat = performance.now();
let used = processorTime();
let gap = 0;
let busy = 0;
setInterval(look, 1).unref();

function look() {
  const now = performance.now();
  const usedNow = processorTime();
  gap = Math.max(gap, now - beat);
  // Threads of the garbage collector count too, so this can exceed the elapsed time.
  busy = Math.max(busy, Math.min(now - beat, usedNow - used));
  beat = now;
  used = usedNow;
}

/** Processor time of this process in milliseconds. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on("message", (message) => {
  look();
  const longest = Math.max(delay.max / 1e6, gap);
  const told = { longest, processor: busy };
  if (message === "reset") {
    delay.reset();
    gap = 0;
    busy = 0;
  }
  process.send?.(told);
});
process.channel?.unref();
