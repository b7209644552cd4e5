import type { LogDay } from '#objects';

/**
 * The day table, in UTC, for a time. A record is in the table of its day or in that of a later one: records that are
 * committed together share the latest.
 */
export function dayOf(time: number): LogDay {
  const [day] = new Date(time).toISOString().split('T');
  return `log_${day!.replaceAll('-', '')}` as LogDay;
}
