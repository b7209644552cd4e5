/** The predicate of a comparison as JavaScript, for a named value that is not nil. Always in parentheses, or a call. */
import type { Predicate } from '../../ast.ts';
import { toBits, sharesBits } from '../../values.ts';
import { compareIp, isEqualIp, type Ip, IpSet } from '#addresses';
import { suspectSteps } from '#work';
import { matchesWildcard } from '../../wildcard.ts';
import { containsText } from '../charges.ts';
import type { RunOptions } from '../options.ts';
import type { Constants } from './constants.ts';
import { IntSet } from './sets/int-set.ts';

const symbols = { eq: '===', ne: '!==', lt: '<', le: '<=', gt: '>', ge: '>=' } as const;

/** Up to this many items, a chain of comparisons is faster than a lookup. */
const chainItemsMax = 4;

export function emitPredicate(
  value: string,
  test: Predicate,
  constants: Constants,
  options: RunOptions,
): string {
  switch (test.operator) {
    case 'eq':
    case 'ne':
    case 'lt':
    case 'le':
    case 'gt':
    case 'ge':
      if (test.value.kind === 'Ip') return emitIpOrder(value, test.operator, test.value.value, constants);
      return `(${value} ${symbols[test.operator]} ${constants.name(test.value.value)})`;
    case 'bitwise_and':
      return `${constants.name(sharesBits)}(${value}, ${constants.name(toBits(test.value.exact))})`;
    case 'contains':
      return `${constants.name(containsText)}(${value}, ${constants.name(test.value.value)})`;
    case 'matches':
      return emitMatches(value, test, constants);
    case 'wildcard':
    case 'strict wildcard':
      return `${constants.name(matchesWildcard)}(${constants.name(test.value.wildcard)}, ${value})`;
    case 'in':
      return emitIn(value, test.set, constants);
    default: {
      const list = options.lists?.get(test.list);
      return list === undefined ? '(false)' : `${constants.name(list)}.has(${value})`;
    }
  }
}

function emitIpOrder(
  value: string,
  operator: keyof typeof symbols,
  literal: Ip,
  constants: Constants,
): string {
  const family = `${value}.family === ${literal.family}`;
  if (operator === 'eq' || operator === 'ne') {
    const code =
      literal.family === 4
        ? `(${value}.w0 === ${constants.name(literal.w0)} && ${family})`
        : `${constants.name(isEqualIp)}(${value}, ${constants.name(literal)})`;
    return operator === 'eq' ? code : `(!${code})`;
  }
  return `(${family} && ${constants.name(compareIp)}(${value}, ${constants.name(literal)}) ${symbols[operator]} 0)`;
}

/**
 * V8 chooses its search by the letters of the first value that a pattern is run on; a value that matches as a whole
 * makes it three times slower on all others. So we provide the first value.
 */
const ordinaryValue =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 /index.html?id=10&page=2';

/** V8's engine is called directly for values that are cheap for it; the pattern handles all others. */
function emitMatches(
  value: string,
  test: Extract<Predicate, { operator: 'matches' }>,
  constants: Constants,
): string {
  const { pattern } = test.value;
  const any = `${constants.name(pattern)}.test(${value})`;
  if (pattern.native === undefined || pattern.nativeLengthMax <= 0) return any;
  if (ordinaryValue.length <= pattern.nativeLengthMax) pattern.native.test(ordinaryValue);
  const charge = `${constants.name(suspectSteps)}(${value}.length * ${constants.name(pattern.nativeStepsPerByte)})`;
  const native = `(${charge}, ${constants.name(pattern.native)}.test(${value}))`;
  if (pattern.nativeLengthMax === Infinity) return native;
  return `(${value}.length <= ${constants.name(pattern.nativeLengthMax)} ? ${native} : ${any})`;
}

function emitIn(
  value: string,
  set: Extract<Predicate, { operator: 'in' }>['set'],
  constants: Constants,
): string {
  if (set.items.length === 0) return '(false)';
  if (set.kind === 'Ip') return `${constants.name(new IpSet(set.items))}.hasIp(${value})`;
  if (set.kind === 'Bytes') {
    if (set.items.length > chainItemsMax)
      return `${constants.name(new Set(set.items.map((item) => item.value)))}.has(${value})`;
    return `(${set.items.map((item) => `${value} === ${constants.name(item.value)}`).join(' || ')})`;
  }
  const ranges = set.items.map(({ first, last }) => ({ first: first.value, last: last.value }));
  if (ranges.length > chainItemsMax) return `${constants.name(new IntSet(ranges))}.has(${value})`;
  const tests = ranges.map(({ first, last }) =>
    first === last
      ? `${value} === ${constants.name(first)}`
      : `(${constants.name(first)} <= ${value} && ${value} <= ${constants.name(last)})`,
  );
  return `(${tests.join(' || ')})`;
}

/** `lower(value) eq literal` without the lower-case copy. */
export function emitLowerEquality(value: string, literal: string, constants: Constants): string {
  return `${constants.name(isEqualLowered)}(${value}, ${constants.name(literal)})`;
}

function isEqualLowered(value: string, literal: string): boolean {
  if (value.length !== literal.length) return false;
  for (let index = 0; index < literal.length; index++) {
    const byte = value.charCodeAt(index);
    const lowered = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
    if (lowered !== literal.charCodeAt(index)) return false;
  }
  return true;
}
