// Loaded into a program that is measured: tells its parent, when asked, how long its event loop was held up at most, and how much of the
// processor it used in such a time. On a machine that is busy with other work, only the second says something about the program.
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// A second witness: the histogram misses a delay that ends right before it is asked.
let beat = performance.now();
let used = processorTime();
let gap = 0;
let busy = 0;
setInterval(look, 1).unref();

function look() {
  const now = performance.now();
  const usedNow = processorTime();
  gap = Math.max(gap, now - beat);
  // Threads of the collector count too, so it can be more than the time that passed.
  busy = Math.max(busy, Math.min(now - beat, usedNow - used));
  beat = now;
  used = usedNow;
}

/** Milliseconds of this process so far. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on("message", (wish) => {
  look();
  const longest = Math.max(delay.max / 1e6, gap);
  const told = { longest, processor: busy };
  if (wish === "reset") {
    delay.reset();
    gap = 0;
    busy = 0;
  }
  process.send?.(told);
});
process.channel?.unref();
