/** Ages, counts and sizes in few columns. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "now", "12m", "3h", "2d", "5w", "3y". */
export function shortAge(then: number, now: number): string {
  const age = Math.max(0, now - then);
  if (!Number.isFinite(age)) return "";
  if (age < MINUTE) return "now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)}m`;
  if (age < DAY) return `${Math.floor(age / HOUR)}h`;
  if (age < 14 * DAY) return `${Math.floor(age / DAY)}d`;
  if (age < 365 * DAY) return `${Math.floor(age / (7 * DAY))}w`;
  return `${Math.floor(age / (365 * DAY))}y`;
}

/** "12 minutes ago", for screen readers. */
export function longAge(then: number, now: number): string {
  const short = shortAge(then, now);
  if (short === "" || short === "now") return short === "" ? "" : "just now";
  const names: Readonly<Record<string, string>> = { m: "minute", h: "hour", d: "day", w: "week", y: "year" };
  const count = Number.parseInt(short, 10);
  return `${counted(count, names[short.at(-1) as string] as string)} ago`;
}

/** "1 turn", "12 turns". */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${grouped(count)} ${count === 1 ? thing : things}`;
}

/** "1,234". */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** "940", "4.1k", "88k", "1.2M", "3.4B". */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count));
  const [value, unit] =
    count < 999_500 ? [count / 1e3, "k"] : count < 999_500_000 ? [count / 1e6, "M"] : [count / 1e9, "B"];
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)}${unit}`;
}

/** "812 B", "4.1 KB", "2.4 MB". */
export function shortBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** "$0.42", "<$0.01", "$12". */
export function shortCost(dollars: number): string {
  if (dollars === 0) return "$0";
  if (dollars < 0.01) return "<$0.01";
  return dollars < 100 ? `$${dollars.toFixed(2)}` : `$${Math.round(dollars)}`;
}
