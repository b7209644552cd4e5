/**
 * A cron expression as Cloudflare reads it: minute, hour, day, month and weekday in UTC, where 1 is Sunday. In addition
 * to lists, ranges and steps, a day may be `L` (the last), `LW` or `15W` (the weekday nearest to it), and a weekday
 * `6L` (the last one of the month) or `6#2` (the second).
 */
import { ConfigError } from '../config/config-error.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Every date of the calendar occurs within this many days: 29 February on a given weekday is the rarest. */
const daysAheadMax = 366 * 41;

const monthNames = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');
const weekdayNames = 'SUN MON TUE WED THU FRI SAT'.split(' ');

type Numbers = ReadonlySet<number>;
/** Whether a day of the calendar matches. */
type DayTest = (day: CalendarDay) => boolean;

interface CalendarDay {
  readonly day: number;
  /** 1 is Sunday. */
  readonly weekday: number;
  /** The number of days of its month. */
  readonly days: number;
}

export class Cron {
  readonly text: string;
  readonly #minutes: Numbers;
  readonly #hours: Numbers;
  readonly #months: Numbers;
  readonly #isDay: DayTest;

  private constructor(text: string) {
    this.text = text;
    const fields = text.trim().split(/\s+/);
    if (fields.length !== 5) throw new Error('it must have five fields: minute, hour, day, month, weekday');
    const [minute, hour, day, month, weekday] = fields.map((field) => field.toUpperCase()) as [
      string,
      string,
      string,
      string,
      string,
    ];
    this.#minutes = readNumbers(minute, { min: 0, max: 59 });
    this.#hours = readNumbers(hour, { min: 0, max: 23 });
    this.#months = readNumbers(month, { min: 1, max: 12, names: monthNames });
    this.#isDay = readDays(day, weekday);
  }

  /** Throws a ConfigError that names the expression. */
  static parse(text: string): Cron {
    try {
      return new Cron(text);
    } catch (error) {
      throw new ConfigError(
        `triggers.crons: "${text}" is not a cron expression: ${(error as Error).message}`,
        {
          cause: error,
        },
      );
    }
  }

  /** The first matching time after `time`, in milliseconds; undefined if there is none. */
  next(time: number): number | undefined {
    const first = Math.floor(time / minuteMs) * minuteMs + minuteMs;
    let dayStart = Math.floor(first / dayMs) * dayMs;
    for (let ahead = 0; ahead < daysAheadMax; ahead++, dayStart += dayMs) {
      if (!this.#isOnDay(new Date(dayStart))) continue;
      for (const hour of this.#hours) {
        for (const minute of this.#minutes) {
          const at = dayStart + (hour * 60 + minute) * minuteMs;
          if (at >= first) return at;
        }
      }
    }
    return undefined;
  }

  #isOnDay(date: Date): boolean {
    const month = date.getUTCMonth();
    if (!this.#months.has(month + 1)) return false;
    const days = new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
    return this.#isDay({ day: date.getUTCDate(), weekday: date.getUTCDay() + 1, days });
  }
}

interface CronRange {
  readonly min: number;
  readonly max: number;
  /** Alternative names for the numbers, starting at `min`. */
  readonly names?: readonly string[];
}

/** In ascending order. */
function readNumbers(field: string, range: CronRange): Numbers {
  const { min, max, names } = range;
  const read = (text: string): number => {
    const named = names?.indexOf(text) ?? -1;
    const number = named === -1 ? Number(text) : min + named;
    if ((named === -1 && !/^\d{1,2}$/.test(text)) || number < min || number > max) {
      throw new Error(`${JSON.stringify(text)} must be a number from ${min} to ${max}`);
    }
    return number;
  };
  const found = new Set<number>();
  for (const part of field.split(',')) {
    const [span = '', step = '1', ...rest] = part.split('/');
    if (rest.length > 0 || !/^[1-9]\d?$/.test(step))
      throw new Error(`${JSON.stringify(part)} has no valid step`);
    const [from, to, ...more] = span === '*' ? [String(min), String(max)] : span.split('-');
    if (more.length > 0) throw new Error(`${JSON.stringify(span)} is not a range`);
    const first = read(from!);
    const last = to === undefined ? (part.includes('/') ? max : first) : read(to);
    if (last < first) throw new Error(`the range ${span} ends before it begins`);
    for (let number = first; number <= last; number += Number(step)) found.add(number);
  }
  return new Set([...found].sort((a, b) => a - b));
}

/** If both fields are restricted, a day matches if either of them does. */
function readDays(day: string, weekday: string): DayTest {
  const byDay = readDayOfMonth(day);
  const byWeekday = readWeekday(weekday);
  if (day === '*' || day === '?') return byWeekday;
  if (weekday === '*' || weekday === '?') return byDay;
  return (each) => byDay(each) || byWeekday(each);
}

function readDayOfMonth(field: string): DayTest {
  if (field === '*' || field === '?') return () => true;
  if (field === 'L') return ({ day, days }) => day === days;
  const near = /^(L|\d{1,2})W$/.exec(field)?.[1];
  if (near !== undefined) {
    if (near !== 'L') readNumbers(near, { min: 1, max: 31 });
    return (each) => each.day === nearestWorkday(near === 'L' ? each.days : Number(near), each);
  }
  const days = readNumbers(field, { min: 1, max: 31 });
  return ({ day }) => days.has(day);
}

/** The workday nearest to a day of the month of `each`, without leaving the month. */
function nearestWorkday(wanted: number, { day, weekday, days }: CalendarDay): number | undefined {
  if (wanted > days) return undefined;
  const wantedWeekday = ((((weekday - 1 + wanted - day) % 7) + 7) % 7) + 1;
  if (wantedWeekday === 7) return wanted === 1 ? 3 : wanted - 1;
  if (wantedWeekday === 1) return wanted === days ? wanted - 2 : wanted + 1;
  return wanted;
}

function readWeekday(field: string): DayTest {
  if (field === '*' || field === '?') return () => true;
  const range = { min: 1, max: 7, names: weekdayNames };
  const [, name, last, nth] = /^([A-Z0-9]+?)(?:(L)|#([1-5]))$/.exec(field) ?? [];
  if (name !== undefined) {
    const [wanted] = readNumbers(name, range);
    if (last !== undefined) return ({ day, weekday, days }) => weekday === wanted && day + 7 > days;
    return ({ day, weekday }) => weekday === wanted && Math.ceil(day / 7) === Number(nth);
  }
  const weekdays = readNumbers(field, range);
  return ({ weekday }) => weekdays.has(weekday);
}
