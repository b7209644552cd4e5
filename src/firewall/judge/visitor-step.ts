/**
 * What the settings `browser_check` and `security_level` ask of visitors. Firewall rules and custom rules come before, so
 * that they can skip it (products `bic` and `securityLevel`), managed rules after. A zone that asks nothing has no such
 * step.
 */
import { type ChosenSettings, fillSettings } from '#zone-settings';
import type { VerdictAction } from '../actions.ts';
import type { ZoneConfiguration } from './configuration.ts';
import type { Source, Triggered } from './judgement.ts';
import { compileExpression, compilePattern, type RequestPredicate } from './request-predicate.ts';
import type { JudgingStep, Run } from './run.ts';

/** Tools that look for weaknesses and name themselves. */
const tools = [
  'acunetix',
  'dirbuster',
  'fimap',
  'gobuster',
  'havij',
  'jorgee',
  'masscan',
  'morfeus',
  'muieblackcat',
  'nessus',
  'netsparker',
  'nikto',
  'nmap scripting engine',
  'nuclei',
  'openvas',
  'sqlmap',
  'w3af',
  'wpscan',
  'zgrab',
  'zmeu',
];

interface Check {
  readonly source: Source;
  /** What a rule names to skip it. */
  readonly product: string;
  readonly description: string;
  readonly action: VerdictAction;
  isAsked(settings: ChosenSettings): boolean;
  readonly isMatch: RequestPredicate;
}

/** Compiled for the first zone that asks. */
let isTool: RequestPredicate | undefined;

function compileTools(): RequestPredicate {
  const named = tools.map((tool) => `lower(http.user_agent) contains "${tool}"`);
  return compileExpression(['http.user_agent eq ""', ...named].join(' or '));
}

const checks: readonly Check[] = [
  {
    source: 'bic',
    product: 'bic',
    description: 'Browser integrity check: no user agent, or that of a tool that looks for weaknesses',
    action: 'block',
    isAsked: ({ browser_check }) => browser_check === 'on',
    isMatch: (view) => (isTool ??= compileTools())(view),
  },
  {
    source: 'securitylevel',
    product: 'securityLevel',
    description: 'The security level of the zone is under_attack',
    action: 'managed_challenge',
    isAsked: ({ security_level }) => security_level === 'under_attack',
    isMatch: () => true,
  },
];

interface PageSettings {
  readonly isMatch: RequestPredicate;
  readonly settings: ChosenSettings;
}

export class VisitorStep implements JudgingStep {
  readonly readsBody = false;
  readonly #settings: ChosenSettings;
  readonly #pages: readonly PageSettings[];

  private constructor(settings: ChosenSettings, pages: readonly PageSettings[]) {
    this.#settings = settings;
    this.#pages = pages;
  }

  static create({ settings, pageRules = [] }: ZoneConfiguration): VisitorStep[] {
    const all = [settings ?? {}, ...pageRules.map((rule) => rule.settings)];
    if (!checks.some(({ isAsked }) => all.some(isAsked))) return [];
    const pages = pageRules.map((rule) => ({
      isMatch: compilePattern(rule.pattern),
      settings: rule.settings,
    }));
    return [new VisitorStep(fillSettings(settings), pages)];
  }

  run(run: Run): void {
    const page = this.#pages.find(({ isMatch }) => isMatch(run.view));
    const settings = page === undefined ? this.#settings : { ...this.#settings, ...page.settings };
    for (const check of checks) {
      if (check.isAsked(settings)) runCheck(run, check);
      if (run.isOver) return;
    }
  }
}

function runCheck(run: Run, { source, product, description, action, isMatch }: Check): void {
  const skippedBy = run.skippedProducts.get(product);
  // A visitor who has passed is no event: there would be one for every request.
  const hasPassed = action === 'managed_challenge' && run.hasSolved(action);
  const matches = skippedBy === undefined && !hasPassed && isMatch(run.view);
  const rule: Omit<Triggered, 'action'> = { source, ruleId: source, rulesetId: '', ref: '', description };
  if (matches) run.act(action, rule);
  run.reports.push({
    source,
    phase: '',
    rulesetId: '',
    version: '',
    level: 'zone',
    reached: skippedBy === undefined ? 1 : 0,
    ruleCount: 1,
    matched: matches ? [source] : [],
    end:
      skippedBy !== undefined
        ? { kind: 'skipped', by: skippedBy }
        : matches
          ? { kind: 'decided', by: source }
          : { kind: 'complete' },
  });
}
