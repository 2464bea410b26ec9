/** Formats numbers for people. */

/** @param {number} ms */
export function formatTime(ms) {
  if (!Number.isFinite(ms)) return "-";
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`;
  if (ms >= 1) return `${threeDigits(ms)} ms`;
  if (ms >= 0.001) return `${threeDigits(ms * 1000)} µs`;
  return `${threeDigits(ms * 1_000_000)} ns`;
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (!Number.isFinite(bytes)) return "-";
  const sign = bytes < 0 ? "-" : "";
  const size = Math.abs(bytes);
  if (size >= 2 ** 30) return `${sign}${(size / 2 ** 30).toFixed(2)} GB`;
  if (size >= 2 ** 20) return `${sign}${threeDigits(size / 2 ** 20)} MB`;
  if (size >= 2 ** 10) return `${sign}${threeDigits(size / 2 ** 10)} KB`;
  return `${sign}${Math.round(size)} B`;
}

/** @param {number} ratio */
export function formatRatio(ratio) {
  if (!Number.isFinite(ratio)) return "-";
  return `${ratio >= 100 ? ratio.toFixed(0) : ratio >= 10 ? ratio.toFixed(1) : ratio.toFixed(2)}x`;
}

/** @param {number} count */
export function formatCount(count) {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** @param {number} value */
function threeDigits(value) {
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
