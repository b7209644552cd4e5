/**
 * Zone lockdown: restricts some URLs to some addresses. Of the rules whose URLs match a request, the first by priority
 * decides. User agent rules do not apply to a request that it admits.
 */
import { Ip, IpSet, parseNetworkSet } from '#addresses';
import { getSlot, scheme } from '#expressions';
import type { ConfiguredLockdown } from '../configuration.ts';
import { compilePattern, type RequestPredicate } from '../request-predicate.ts';
import type { JudgingStep, JudgingRun } from '../run.ts';

const addressSlot = getSlot(scheme.fields.get('ip.src')!);

interface CompiledLockdown {
  readonly id: string;
  readonly description: string;
  readonly urls: readonly RequestPredicate[];
  readonly allowed: IpSet;
}

export class LockdownStep implements JudgingStep {
  readonly readsBody = false;
  readonly #rules: readonly CompiledLockdown[];

  private constructor(rules: readonly CompiledLockdown[]) {
    this.#rules = rules;
  }

  /** Empty for a zone without such rules. */
  static create(rules: readonly ConfiguredLockdown[] = []): LockdownStep[] {
    if (rules.length === 0) return [];
    const compiled = rules.map(({ id, description, urls, networks }) => ({
      id,
      description,
      urls: urls.map(compilePattern),
      allowed: parseNetworkSet(networks),
    }));
    return [new LockdownStep(compiled)];
  }

  run(run: JudgingRun): void {
    const skippedBy = run.skippedProducts.get('zoneLockdown');
    const rule = skippedBy === undefined ? this.#find(run) : undefined;
    run.report({ source: 'zonelockdown' }, { ruleCount: this.#rules.length, skippedBy, ruleId: rule?.id });
    if (rule === undefined) return;
    const { id, description, allowed } = rule;
    const address = run.view.get(addressSlot);
    if (address instanceof Ip && allowed.has(address)) {
      run.skippedProducts.set('uaBlock', id);
      return;
    }
    run.act('block', { source: 'zonelockdown', ruleId: id, rulesetId: '', ref: '', description });
  }

  #find({ view }: JudgingRun): CompiledLockdown | undefined {
    return this.#rules.find(({ urls }) => urls.some((isMatch) => isMatch(view)));
  }
}
