const DIGIT_ZERO = 0x30;
const QUOTE = 0x22;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const T = 0x54;
const Z = 0x5a;
/** Days per month, by month number. Leap days are left to `Date.parse`. */
const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Parses a JSON time of the form `2026-11-16T09:30:00.000Z"` like `Date.parse`; NaN for any other form, which is valid
 * but not what every writer uses. Fast, because it sorts hundreds of thousands of siblings.
 */
export function isoMilliseconds(bytes: Uint8Array, at: number): number {
  if (at + 24 >= bytes.length) return Number.NaN;
  if (bytes[at + 4] !== HYPHEN || bytes[at + 7] !== HYPHEN || bytes[at + 10] !== T) return Number.NaN;
  if (bytes[at + 13] !== COLON || bytes[at + 16] !== COLON || bytes[at + 19] !== DOT) return Number.NaN;
  if (bytes[at + 23] !== Z || bytes[at + 24] !== QUOTE) return Number.NaN;
  const year = number(bytes, at, 4);
  const month = number(bytes, at + 5, 2);
  const day = number(bytes, at + 8, 2);
  const hour = number(bytes, at + 11, 2);
  const minute = number(bytes, at + 14, 2);
  const second = number(bytes, at + 17, 2);
  const millisecond = number(bytes, at + 20, 3);
  // Comparisons with NaN are false.
  const isPlain = year >= 1970 && day >= 1 && day <= (DAYS[month] ?? 0) && hour <= 23 && minute <= 59;
  if (!isPlain || !(second <= 59) || Number.isNaN(millisecond)) return Number.NaN;
  return (((daysTo(year, month, day) * 24 + hour) * 60 + minute) * 60 + second) * 1000 + millisecond;
}

/** NaN if one of the bytes is not a digit. */
function number(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let i = at; i < at + length; i++) {
    const digit = (bytes[i] as number) - DIGIT_ZERO;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

/** Days from 1970 to a day of the Gregorian calendar. Years start in March here, so that a leap day comes last. */
function daysTo(year: number, month: number, day: number): number {
  const march = month > 2 ? year : year - 1;
  const era = Math.floor(march / 400);
  const yearOfEra = march - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
