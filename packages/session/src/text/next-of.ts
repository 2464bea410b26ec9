/** The value after (or before) this one in a list, wrapping around at the ends. For an unknown value, the first. */
export function nextOf<Value>(values: readonly Value[], value: Value, step: 1 | -1 = 1): Value {
  return values[(values.indexOf(value) + step + values.length) % values.length] as Value;
}
