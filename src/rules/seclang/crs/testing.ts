/** For tests: a small rule set of this project, which is not the OWASP Core Rule Set. */
import { fileURLToPath } from 'node:url';
import { coreRulesFrom, type CoreRules } from './rule-files.ts';
import { readRuleDirectory } from './sources/directory.ts';

export const testRulesDirectory = fileURLToPath(new URL('testdata/core-rules', import.meta.url));

export function readTestRules(): CoreRules {
  const found = readRuleDirectory(testRulesDirectory);
  return coreRulesFrom('1.0.0', found, '2026-01-01T00:00:00.000Z');
}
