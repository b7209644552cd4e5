/** Compares two versions: the rules that only one of them has, and those that differ. */
import { describeRules } from '../load-rules.ts';
import type { RuleDescription } from '../rule-description.ts';
import { type RuleFiles, toRuleSource } from './rule-files.ts';

export interface ChangedRule {
  readonly number: number;
  readonly description: string;
}

/** In the order of the numbers. */
export interface VersionChanges {
  readonly added: readonly ChangedRule[];
  readonly removed: readonly ChangedRule[];
  readonly changed: readonly ChangedRule[];
}

export function compareVersions(before: RuleFiles, after: RuleFiles): VersionChanges {
  const [old, young] = [listRules(before), listRules(after)];
  const pick = (rules: ReadonlyMap<number, RuleText>, isPicked: (number: number) => boolean): ChangedRule[] =>
    [...rules.keys()]
      .filter(isPicked)
      .toSorted((a, b) => a - b)
      .map((number) => ({ number, description: rules.get(number)!.description }));
  return {
    added: pick(young, (number) => !old.has(number)),
    removed: pick(old, (number) => !young.has(number)),
    changed: pick(young, (number) => old.has(number) && old.get(number)!.text !== young.get(number)!.text),
  };
}

interface RuleText {
  readonly description: string;
  readonly text: string;
}

function listRules(files: RuleFiles): ReadonlyMap<number, RuleText> {
  const data = new Map(files.data.map(({ name, text }) => [name, text]));
  return new Map(
    describeRules(toRuleSource(files)).map((rule) => [
      rule.id,
      { description: rule.message, text: writeText(rule, data) },
    ]),
  );
}

/** A list of words belongs to the rule that names it. The name of the version is in every rule, and does not count. */
function writeText({ text }: RuleDescription, data: ReadonlyMap<string, string>): string {
  const lists = [...text.matchAll(/@(?:pm|ipMatch)FromFile\s+(\S+)/gi)].map(
    ([, name]) => data.get(name!) ?? '',
  );
  return [text.replaceAll(/\bver:'[^']*'/g, ''), ...lists].join('\n');
}
