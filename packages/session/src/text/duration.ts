/** Timers cannot be longer. */
const MOST_DAYS = 24;
const UNITS = { h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** A duration such as `90s`, `10m` or `1h30m`. */
export function parseDuration(text: string): { readonly milliseconds: number } | { readonly problem: string } {
  const parts = /^(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/.exec(text);
  const [, hours = 0, minutes = 0, seconds = 0, rest = 0] = parts ?? [];
  const milliseconds = Math.round(
    Number(hours) * UNITS.h + Number(minutes) * UNITS.m + Number(seconds) * UNITS.s + Number(rest),
  );
  if (parts === null || milliseconds < 1) return { problem: "Use a duration such as 90s, 10m or 1h30m." };
  if (milliseconds > MOST_DAYS * 24 * UNITS.h)
    return { problem: `The longest is ${MOST_DAYS} days (${MOST_DAYS * 24}h).` };
  return { milliseconds };
}
