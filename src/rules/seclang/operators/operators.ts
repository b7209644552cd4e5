/** Every operator, by its name after `@` in rules, in lower case. */
import { findScript, signsOfMarkup } from '../detect/markup.ts';
import { findSqlInjection, signsOfSql } from '../detect/sql.ts';
import { aboutAddresses, ipMatchFromFile } from './addresses.ts';
import { comparisons } from './compare.ts';
import type { OperatorDefinition } from './operator.ts';
import { pm, pmFromFile } from './pm.ts';
import { rx } from './rx.ts';
import { validations } from './validate.ts';

/** Captures the shape of the tokens. */
const detectSQLi: OperatorDefinition = {
  name: 'detectsqli',
  prepare: () => ({
    literals: { literals: signsOfSql, ignoreCase: true },
    test: (value) => findSqlInjection(value) !== undefined,
    capture: (value) => [findSqlInjection(value)],
  }),
};

const detectXSS: OperatorDefinition = {
  name: 'detectxss',
  prepare: () => ({
    literals: { literals: signsOfMarkup, ignoreCase: false },
    test: (value) => findScript(value) !== undefined,
    capture: (value) => [findScript(value)],
  }),
};

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
