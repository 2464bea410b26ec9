/** Days and weeks in the time zone of this machine. */

/** Time zones differ by multiples of this. */
const QUARTER = 15 * 60_000;

/** `2026-11-16` for a time. Remembers each quarter of an hour, since asking for a date is slow. */
export class LocalDays {
  readonly #known = new Map<number, string>();

  dayOf(time: number): string {
    const quarter = Math.floor(time / QUARTER);
    const known = this.#known.get(quarter);
    if (known !== undefined) return known;
    const day = dayText(new Date(time));
    this.#known.set(quarter, day);
    return day;
  }
}

export function dayText(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** The Monday of the week of a day. */
export function weekOf(day: string): Date {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  const monday = new Date(year, month - 1, date);
  monday.setDate(monday.getDate() - ((monday.getDay() + 6) % 7));
  return monday;
}
