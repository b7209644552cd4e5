/**
 * Firewall rules, in their order. After `log` and `bypass`, the next rule runs; `allow`, a passed challenge, and every
 * action that stops the request end the list. `allow` ends nothing else.
 */
import type { Pieces } from '#work';
import type { ConfiguredFirewallRule } from './configuration.ts';
import { type Compiling, compileRules, type RuleProgram } from './programs/rule-program.ts';
import type { JudgingRun, JudgingStep } from './run.ts';

const source = 'firewallrules';

export class FirewallRulesStep implements JudgingStep {
  readonly readsBody: boolean;
  readonly #program: RuleProgram<ConfiguredFirewallRule>;

  private constructor(program: RuleProgram<ConfiguredFirewallRule>) {
    this.#program = program;
    this.readsBody = program.readsBody;
  }

  get isEmpty(): boolean {
    return this.#program.rules.length === 0;
  }

  static *compile(rules: readonly ConfiguredFirewallRule[], compiling: Compiling): Pieces<FirewallRulesStep> {
    return new FirewallRulesStep(yield* compileRules(rules, compiling));
  }

  run(run: JudgingRun): void {
    const { rules } = this.#program;
    const skippedBy = run.skippedProducts.get('firewallRules');
    if (skippedBy !== undefined) return run.report({ source }, { ruleCount: rules.length, skippedBy });
    const matched: string[] = [];
    const { length: decidedBefore } = run.deciders;
    let last = -1;
    run.runList(this.#program, { source, rulesetId: '' }, (position) => {
      matched.push(rules[position]!.id);
      last = position;
      return this.#act(run, position);
    });
    const isDecided = run.deciders.length > decidedBefore || this.#endsList(last);
    run.report({ source }, { ...run.resultOf(rules, isDecided ? last : -1), matched });
  }

  #act(run: JudgingRun, position: number): boolean {
    const { id, action, products, description, ref } = this.#program.rules[position]!;
    const filter = this.#program.getFilter(position);
    const rule = { source, ruleId: id, rulesetId: '', ref, description, filter } as const;
    if (action === 'allow' || action === 'bypass') {
      run.triggered.push({ ...rule, action });
      if (action === 'bypass') for (const product of products) run.skippedProducts.set(product, id);
    } else {
      const { length } = run.deciders;
      run.act(action, rule);
      if (run.deciders.length > length) return !run.isOver;
    }
    return !this.#endsList(position);
  }

  #endsList(position: number): boolean {
    const action = this.#program.rules[position]?.action;
    return action !== undefined && action !== 'log' && action !== 'bypass';
  }
}
