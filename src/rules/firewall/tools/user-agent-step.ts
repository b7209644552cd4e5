/** User agent rules: actions for clients that send exactly this `User-Agent`. */
import { bytesOf } from '#text';
import { getSlot, scheme } from '#expressions';
import type { ConfiguredUserAgentRule } from '../configuration.ts';
import type { JudgingStep, JudgingRun } from '../run.ts';

const userAgentSlot = getSlot(scheme.fields.get('http.user_agent')!);

export class UserAgentStep implements JudgingStep {
  readonly readsBody = false;
  /** By the value of the field as a binary string. */
  readonly #rules: ReadonlyMap<string, ConfiguredUserAgentRule>;

  private constructor(rules: readonly ConfiguredUserAgentRule[]) {
    this.#rules = new Map(rules.map((rule) => [bytesOf(rule.userAgent), rule]));
  }

  /** Empty for a zone without such rules. */
  static create(rules: readonly ConfiguredUserAgentRule[] = []): UserAgentStep[] {
    return rules.length === 0 ? [] : [new UserAgentStep(rules)];
  }

  run(run: JudgingRun): void {
    const skippedBy = run.skippedProducts.get('uaBlock');
    const rule = skippedBy === undefined ? this.#rules.get(run.view.get(userAgentSlot) as string) : undefined;
    run.report({ source: 'uablock' }, { ruleCount: this.#rules.size, skippedBy, ruleId: rule?.id });
    if (rule === undefined) return;
    const { id, mode, description } = rule;
    run.act(mode, { source: 'uablock', ruleId: id, rulesetId: '', ref: '', description });
  }
}
