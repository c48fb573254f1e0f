/** Of a record, which is a line that this server made: its time comes before everything that a caller said. */
export function timeOf(record: string): string | undefined {
  return /"time":"(\d{4}-\d\d-\d\dT[\d:.]{8,15}Z)"/.exec(record)?.[1];
}
