/** Every operator, by its name after `@` in rules, in lower case. */
import { aboutAddresses, ipMatchFromFile } from './addresses.ts';
import { comparisons } from './compare.ts';
import { detectSQLi, detectXSS } from './detect.ts';
import type { OperatorDefinition } from './operator.ts';
import { pm, pmFromFile } from './pm.ts';
import { rx } from './rx.ts';
import { validations } from './validate.ts';

const all: readonly OperatorDefinition[] = [
  ...aboutAddresses,
  ...comparisons,
  detectSQLi,
  detectXSS,
  pm,
  pmFromFile,
  rx,
  ...validations,
];

export const operators: ReadonlyMap<string, OperatorDefinition> = new Map([
  ...all.map((operator) => [operator.name, operator] as const),
  // Short names that rules also use.
  ['pmf', pmFromFile] as const,
  ['ipmatchf', ipMatchFromFile] as const,
]);
