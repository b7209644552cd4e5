/**
 * Compiled rules of the catalogue, each list once for all zones of a process, when the first zone needs it. Compiling a
 * list takes half a second; loading a list with a stored summary takes a tenth of that, and compiles a rule when its
 * guard first holds.
 */
import { hash } from 'node:crypto';
import { assert } from '#base';
import { runAtOnce } from '#work';
import type { CataloguePackage, CataloguePackageRule } from '../managed-catalogue.ts';
import {
  compileRules,
  loadRules,
  type RuleProblem,
  type RuleProgram,
  type RulesSummary,
} from './rule-program.ts';

/** Summaries by the digest of the rules that they were created from: a summary is never used for others. */
export type StoredSummaries = Readonly<Record<string, RulesSummary>>;

interface ExpressionRule {
  readonly id: string;
  readonly expression: string;
}

/** From the catalogue, where rules that an engine judges have no expression. */
type ListedRule = Pick<ExpressionRule, 'id'> & Partial<ExpressionRule>;

export class ManagedPrograms {
  readonly #summaries: StoredSummaries;
  readonly #programs = new Map<readonly object[], RuleProgram<object>>();
  readonly #byDigest = new Map<string, RuleProgram<object>>();
  readonly #ignoringSwitch = new Map<CataloguePackage, readonly CataloguePackageRule[]>();

  constructor(summaries: StoredSummaries = {}) {
    this.#summaries = summaries;
  }

  get<Given extends ListedRule>(given: readonly Given[]): RuleProgram<Given> {
    const known = this.#programs.get(given);
    if (known !== undefined) return known as RuleProgram<Given>;
    const rules = requireExpressions(given);
    const digest = digestRules(rules);
    const twin = this.#byDigest.get(digest);
    const program = twin === undefined ? this.#compile(rules, digest) : renameRules(twin, rules);
    this.#programs.set(given, program);
    this.#byDigest.set(digest, program);
    return program;
  }

  /** For the few rules of a package that are in force even where the zone's switch is off. */
  getIgnoringSwitch(given: CataloguePackage): RuleProgram<CataloguePackageRule> {
    let rules = this.#ignoringSwitch.get(given);
    if (rules === undefined) {
      rules = given.rules.filter(({ ignoresSwitch }) => ignoresSwitch);
      this.#ignoringSwitch.set(given, rules);
    }
    return this.get(rules);
  }

  #compile<Given extends ExpressionRule>(rules: readonly Given[], digest: string): RuleProgram<Given> {
    if (Object.hasOwn(this.#summaries, digest)) return loadRules(rules, this.#summaries[digest]!);
    const problems: RuleProblem[] = [];
    const program = runAtOnce(compileRules(rules, { options: {}, problems }));
    assert(problems.length === 0, `rule ${problems[0]?.ruleId} of the catalogue can be read`);
    return program;
  }
}

function requireExpressions<Given extends ListedRule>(
  rules: readonly Given[],
): readonly (Given & ExpressionRule)[] {
  assert(
    rules.every(({ expression }) => expression !== undefined),
    'a list without an engine has only rules with expressions',
  );
  return rules as readonly (Given & ExpressionRule)[];
}

export function digestRules(rules: readonly Pick<ExpressionRule, 'expression'>[]): string {
  return hash('sha256', JSON.stringify(rules.map(({ expression }) => expression)));
}

/** Legacy rules are copies of the rules that replace them, with other ids. */
function renameRules<Given extends ExpressionRule>(
  program: RuleProgram<object>,
  rules: readonly Given[],
): RuleProgram<Given> {
  const bodyReaders = rules.filter((_, position) => program.bodyReaders.has(program.rules[position]!));
  return { ...program, rules, bodyReaders: new Set(bodyReaders) };
}
