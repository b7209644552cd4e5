/**
 * Conditions in the builder: groups joined by `or`, the conditions of a group by `and`. Every list of groups can be
 * converted to text; a tree that the server parsed from text can be converted back if it has exactly this form.
 */
export interface Condition {
  readonly field: string;
  readonly type: ScalarType;
  readonly operator: string;
  /** As typed: several values are separated by commas. */
  readonly value: string;
}

export type Groups = readonly (readonly Condition[])[];

export const scalarTypes = ['Bytes', 'Int', 'Ip', 'Bool'] as const;
export type ScalarType = (typeof scalarTypes)[number];

interface Operator {
  readonly name: string;
  readonly label: string;
  readonly types: readonly ScalarType[];
  /** In the JSON form of the tree. */
  readonly op: string;
  readonly isNegated?: true;
  readonly values: 'one' | 'many' | 'list' | 'none';
}

const ordered = ['Bytes', 'Int', 'Ip'] as const;

export const operators: readonly Operator[] = [
  { name: 'eq', label: 'equals', types: ordered, op: 'Equal', values: 'one' },
  { name: 'ne', label: 'does not equal', types: ordered, op: 'NotEqual', values: 'one' },
  { name: 'contains', label: 'contains', types: ['Bytes'], op: 'Contains', values: 'one' },
  {
    name: 'not contains',
    label: 'does not contain',
    types: ['Bytes'],
    op: 'Contains',
    isNegated: true,
    values: 'one',
  },
  { name: 'wildcard', label: 'matches wildcard', types: ['Bytes'], op: 'Wildcard', values: 'one' },
  { name: 'matches', label: 'matches regex', types: ['Bytes'], op: 'Matches', values: 'one' },
  { name: 'lt', label: 'is less than', types: ['Int'], op: 'LessThan', values: 'one' },
  { name: 'le', label: 'is at most', types: ['Int'], op: 'LessThanEqual', values: 'one' },
  { name: 'gt', label: 'is greater than', types: ['Int'], op: 'GreaterThan', values: 'one' },
  { name: 'ge', label: 'is at least', types: ['Int'], op: 'GreaterThanEqual', values: 'one' },
  { name: 'in', label: 'is one of', types: ordered, op: 'OneOf', values: 'many' },
  { name: 'not in', label: 'is none of', types: ordered, op: 'OneOf', isNegated: true, values: 'many' },
  { name: 'in list', label: 'is in list', types: ordered, op: 'InList', values: 'list' },
  {
    name: 'not in list',
    label: 'is not in list',
    types: ordered,
    op: 'InList',
    isNegated: true,
    values: 'list',
  },
  { name: 'true', label: 'is true', types: ['Bool'], op: 'IsTrue', values: 'none' },
  { name: 'false', label: 'is false', types: ['Bool'], op: 'IsTrue', isNegated: true, values: 'none' },
];

export function findOperator(name: string): Operator {
  return operators.find((each) => each.name === name) ?? operators[0]!;
}

/** Whether a value is missing: an expression that matches everything because of an empty field must not be saved. */
export function isIncomplete({ operator, type, value }: Condition): boolean {
  const { values } = findOperator(operator);
  if (values === 'none' || value.trim() !== '') return false;
  return !(type === 'Bytes' && (operator === 'eq' || operator === 'ne'));
}

export function writeGroups(groups: Groups): string {
  return groups.map((group) => group.map(writeCondition).join(' and ')).join(' or ');
}

function writeCondition(condition: Condition): string {
  const { field, operator, value } = condition;
  const { name, values, isNegated = false } = findOperator(operator);
  const negation = isNegated ? 'not ' : '';
  const word = isNegated ? name.slice('not '.length) : name;
  switch (values) {
    case 'none':
      return `${negation}${field}`;
    case 'list':
      return `${negation}${field} in $${value.trim().replace(/^\$/, '')}`;
    case 'many':
      return `${negation}${field} in {${splitValues(value)
        .map((each) => writeValue(each, condition))
        .join(' ')}}`;
    default:
      return `${negation}${field} ${word} ${isIncomplete(condition) ? '' : writeValue(value, condition)}`;
  }
}

function splitValues(value: string): string[] {
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function writeValue(value: string, { type, operator }: Condition): string {
  if (type !== 'Bytes') return value.trim();
  const isPattern = operator === 'matches' || operator === 'wildcard';
  return isPattern && /["\\]/.test(value) ? writeRaw(value) : quote(value);
}

function quote(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are written as escapes
  const escaped = text.replaceAll(/["\\\0-\x1f\x7f]/g, (character) =>
    character === '"' || character === '\\'
      ? `\\${character}`
      : `\\x${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
  return `"${escaped}"`;
}

/** With as many `#` as the text needs. */
function writeRaw(text: string): string {
  const longest = Math.max(-1, ...Array.from(text.matchAll(/"(#*)/g), ([, hashes]) => hashes!.length));
  const hashes = '#'.repeat(longest + 1);
  return `r${hashes}"${text}"${hashes}`;
}

interface TreeNode {
  readonly op?: unknown;
  readonly items?: readonly unknown[];
  readonly arg?: unknown;
  readonly lhs?: unknown;
  readonly rhs?: unknown;
}

/** Returns undefined if the builder could not show all of it. */
export function readGroups(tree: unknown, types: ReadonlyMap<string, string>): Groups | undefined {
  const { op, items } = (tree ?? {}) as TreeNode;
  const groups = (op === 'Or' ? items! : [tree]).map((group) => readGroup(group, types));
  return groups.every((group) => group !== undefined) ? groups : undefined;
}

function readGroup(tree: unknown, types: ReadonlyMap<string, string>): readonly Condition[] | undefined {
  const { op, items } = (tree ?? {}) as TreeNode;
  const conditions = (op === 'And' ? items! : [tree]).map((each) => readCondition(each, types));
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined;
}

function readCondition(tree: unknown, types: ReadonlyMap<string, string>): Condition | undefined {
  const node = (tree ?? {}) as TreeNode;
  const isNegated = node.op === 'Not';
  const { lhs, op, rhs } = isNegated ? ((node.arg ?? {}) as TreeNode) : node;
  if (typeof lhs !== 'string') return undefined;
  const type = scalarTypes.find((each) => each === types.get(lhs));
  const operator = operators.find((each) => each.op === op && (each.isNegated ?? false) === isNegated);
  if (type === undefined || operator === undefined || !operator.types.includes(type)) return undefined;
  const value = readValue(rhs, operator);
  return value === undefined ? undefined : { field: lhs, type, operator: operator.name, value };
}

function readValue(rhs: unknown, { values }: Operator): string | undefined {
  if (values === 'none') return '';
  if (values !== 'many') return typeof rhs === 'string' || typeof rhs === 'number' ? String(rhs) : undefined;
  const items = (rhs as readonly unknown[]).map(readItem);
  return items.every((item) => item !== undefined) ? items.join(', ') : undefined;
}

/** The builder cannot represent a text that would be split at its commas or trimmed. */
function readItem(item: unknown): string | undefined {
  if (typeof item === 'string') return item === '' || /,|^\s|\s$/.test(item) ? undefined : item;
  if (Array.isArray(item) || typeof item !== 'object' || item === null) return undefined;
  const { start, end } = item as { readonly start: unknown; readonly end: unknown };
  return start === end ? String(start) : `${String(start)}..${String(end)}`;
}
