/** The search parameters in the URL. The names are those of the API's parameters. */
export interface TimeRange {
  /** RFC 3339, or an age: `15m`, `24h`. */
  readonly since?: string;
  readonly until?: string;
}

export interface ActivitySearch extends TimeRange {
  /** In the rules language. */
  readonly expression?: string;
  /** Each is `field:operator:value`. */
  readonly where?: readonly string[];
  /** The length of a bar in the chart: `1m`, `1h`, `1d`. */
  readonly interval?: string;
  /** `before`: the chart also shows the preceding period. */
  readonly compare?: string;
  /** The id of the open event. */
  readonly event?: string;
}

/** Undefined removes a part of the search. */
export type SearchChanges = { readonly [Name in keyof ActivitySearch]?: ActivitySearch[Name] | undefined };

export function changeSearch(before: ActivitySearch, changes: SearchChanges): ActivitySearch {
  return readActivitySearch({ ...before, ...changes });
}

type GivenSearch = Readonly<Record<string, unknown>>;

/** A URL can contain anything: values that are not text are ignored. */
export function readActivitySearch(given: GivenSearch): ActivitySearch {
  const where = [given['where']].flat().filter((each) => typeof each === 'string');
  return {
    ...readTimeRange(given),
    ...pickText(given, 'expression'),
    ...(where.length === 0 ? {} : { where }),
    ...pickText(given, 'interval'),
    ...pickText(given, 'compare'),
    ...pickText(given, 'event'),
  };
}

export function readTimeRange(given: GivenSearch): TimeRange {
  return { ...pickText(given, 'since'), ...pickText(given, 'until') };
}

function pickText<Name extends string>(given: GivenSearch, name: Name): { readonly [Each in Name]?: string } {
  const value = given[name];
  const isText = typeof value === 'string' || typeof value === 'number';
  return isText && value !== '' ? ({ [name]: String(value) } as { [Each in Name]: string }) : {};
}

export interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
}

export function parseCondition(text: string): Condition {
  const [, field = '', operator = '', value = ''] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? [];
  return { field, operator, value };
}

/** Removes contradicting conditions: a value that was excluded and is now searched for, or vice versa. */
export function addCondition(where: readonly string[], { field, operator, value }: Condition): string[] {
  const opposite = `${field}:${operator === 'eq' ? 'neq' : 'eq'}:${value}`;
  const text = `${field}:${operator}:${value}`;
  return [...where.filter((each) => each !== opposite && each !== text), text];
}
