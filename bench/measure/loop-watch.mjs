// Loaded into a program that is measured: tells its parent, when asked, how long its event loop was held up at most.
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
// A second witness: the histogram misses a delay that ends right before it is asked.
let beat = performance.now();
let gap = 0;
setInterval(() => {
  const now = performance.now();
  gap = Math.max(gap, now - beat);
  beat = now;
}, 1).unref();

process.on("message", (wish) => {
  const longest = Math.max(delay.max / 1e6, gap, performance.now() - beat);
  if (wish === "reset") {
    delay.reset();
    gap = 0;
    beat = performance.now();
  }
  process.send?.({ longest });
});
process.channel?.unref();
