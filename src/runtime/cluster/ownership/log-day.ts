import type { LogDay } from '#objects';

/**
 * The table of the day, in UTC, of a time. A record is in the table of its day or in that of a later one: those that are
 * committed together share the latest.
 */
export function dayOf(time: number): LogDay {
  const [day] = new Date(time).toISOString().split('T');
  return `log_${day!.replaceAll('-', '')}` as LogDay;
}
