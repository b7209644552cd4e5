/** Entries of the audit log as the API returns them, and the lines in which two values differ. */
import type { Result } from '#client';

export type ListedAuditEntry = Result<'audit.list'>[number];

export interface Filters {
  readonly email: string;
  readonly action: '' | ListedAuditEntry['action']['type'];
  readonly zone: string;
  readonly ip: string;
  readonly since: string;
  readonly before: string;
}

export const noFilters: Filters = { email: '', action: '', zone: '', ip: '', since: '', before: '' };

export function toQuery(filters: Filters): Readonly<Record<string, string>> {
  const toMoment = (local: string): string => (local === '' ? '' : new Date(local).toISOString());
  return {
    'actor.email': filters.email.trim(),
    'action.type': filters.action,
    'zone.name': filters.zone.trim(),
    'actor.ip': filters.ip.trim(),
    since: toMoment(filters.since),
    before: toMoment(filters.before),
  };
}

/** The value as lines of JSON; a truncated value is not valid JSON and stays unchanged. */
export function toLines(value: string): readonly string[] {
  if (value === '') return [];
  try {
    return JSON.stringify(JSON.parse(value), null, 2).split('\n');
  } catch {
    return value.split('\n');
  }
}

export interface LinePair {
  readonly before?: string;
  readonly after?: string;
}

/**
 * The product of the numbers of lines up to which a difference is computed; beyond that, the values are only shown side
 * by side.
 */
const cellsMax = 1_000_000;

/** Aligns two values: common lines are level, and so are replaced lines and their replacements. */
export function alignLines(before: readonly string[], after: readonly string[]): readonly LinePair[] {
  if (before.length * after.length > cellsMax) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => createRow(before[index], after[index]));
  }
  const common = computeCommonLengths(before, after);
  const rows: LinePair[] = [];
  let [left, right] = [0, 0];
  let [gone, come]: [string[], string[]] = [[], []];
  const flush = (): void => {
    const length = Math.max(gone.length, come.length);
    for (let index = 0; index < length; index += 1) rows.push(createRow(gone[index], come[index]));
    [gone, come] = [[], []];
  };
  while (left < before.length || right < after.length) {
    if (left < before.length && before[left] === after[right]) {
      flush();
      rows.push(createRow(before[left], after[right]));
      left += 1;
      right += 1;
    } else if (right < after.length && (common[left]?.[right + 1] ?? 0) >= (common[left + 1]?.[right] ?? 0)) {
      come.push(after[right]!);
      right += 1;
    } else {
      gone.push(before[left]!);
      left += 1;
    }
  }
  flush();
  return rows;
}

function createRow(before: string | undefined, after: string | undefined): LinePair {
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

/** The length of the longest common subsequence after each pair of positions. */
function computeCommonLengths(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    for (let right = after.length - 1; right >= 0; right -= 1) {
      lengths[left]![right] =
        before[left] === after[right]
          ? lengths[left + 1]![right + 1]! + 1
          : Math.max(lengths[left + 1]![right]!, lengths[left]![right + 1]!);
    }
  }
  return lengths;
}
