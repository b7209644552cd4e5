/**
 * The checks of visitors by the settings `browser_check`, `hotlink_protection` and `security_level`. Firewall rules and
 * custom rules come before, so that they can skip them (products `bic`, `hot` and `securityLevel`), managed rules
 * after. A zone without such checks has no such step.
 */
import { type ChosenSettings, fillSettings } from '#zone-settings';
import type { VerdictAction } from '#rulesets';
import { listConfigured } from './changes/configurations.ts';
import type { ZoneConfiguration } from './configuration.ts';
import type { Source, Triggered } from './judgement.ts';
import { compileExpression, compilePattern, type RequestPredicate } from './request-predicate.ts';
import type { JudgingStep, JudgingRun } from './run.ts';

/** Tools that search for vulnerabilities and identify themselves. */
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

interface VisitorCheck {
  readonly source: Source;
  /** The product name with which a rule skips it. */
  readonly product: string;
  readonly description: string;
  readonly action: VerdictAction;
  isAsked(settings: ChosenSettings): boolean;
  /** For the zone with this name. */
  createMatch(zoneName: string): RequestPredicate;
}

interface AskedCheck extends VisitorCheck {
  readonly isMatch: RequestPredicate;
}

/** Compiled for the first zone with the check. */
let isTool: RequestPredicate | undefined;

function compileTools(): RequestPredicate {
  const named = tools.map((tool) => `lower(http.user_agent) contains "${tool}"`);
  return compileExpression(['http.user_agent eq ""', ...named].join(' or '));
}

/** Images whose `Referer` is a page outside of the zone. */
function compileForeignPages(zoneName: string): RequestPredicate {
  const own = String.raw`^https?://([^/]+\.)?${zoneName.replaceAll('.', String.raw`\.`)}(:[0-9]+)?(/|$)`;
  return compileExpression(
    [
      'http.request.uri.path.extension in {"gif" "ico" "jpg" "jpeg" "png"}',
      'http.referer ne ""',
      `not lower(http.referer) matches r"${own}"`,
      'not http.request.uri.path contains "/hotlink-ok/"',
    ].join(' and '),
  );
}

const checks: readonly VisitorCheck[] = [
  {
    source: 'bic',
    product: 'bic',
    description: 'Browser integrity check: no user agent, or that of a vulnerability scanner',
    action: 'block',
    isAsked: ({ browser_check }) => browser_check === 'on',
    createMatch: () => (isTool ??= compileTools()),
  },
  {
    source: 'hot',
    product: 'hot',
    description: 'Hotlink protection: an image, requested by a page of another site',
    action: 'block',
    isAsked: ({ hotlink_protection }) => hotlink_protection === 'on',
    createMatch: compileForeignPages,
  },
  {
    source: 'securitylevel',
    product: 'securityLevel',
    description: 'The security level of the zone is under_attack',
    action: 'managed_challenge',
    isAsked: ({ security_level }) => security_level === 'under_attack',
    createMatch: () => () => true,
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
  /** The checks that the zone or one of its page rules enables. */
  readonly #checks: readonly AskedCheck[];

  private constructor(
    settings: ChosenSettings,
    pages: readonly PageSettings[],
    asked: readonly AskedCheck[],
  ) {
    this.#settings = settings;
    this.#pages = pages;
    this.#checks = asked;
  }

  static create({ settings, pageRules = [], entryPoints, zone }: ZoneConfiguration): VisitorStep[] {
    const all = [settings ?? {}, ...pageRules.map((rule) => rule.settings), ...listConfigured(entryPoints)];
    const asked = checks.filter(({ isAsked }) => all.some(isAsked));
    if (asked.length === 0) return [];
    const pages = pageRules.map((rule) => ({
      isMatch: compilePattern(rule.pattern),
      settings: rule.settings,
    }));
    const compiled = asked.map((check) => ({ ...check, isMatch: check.createMatch(zone.name) }));
    return [new VisitorStep(fillSettings(settings), pages, compiled)];
  }

  run(run: JudgingRun): void {
    const page = this.#pages.find(({ isMatch }) => isMatch(run.view));
    const settings =
      page === undefined && run.settings === undefined
        ? this.#settings
        : { ...this.#settings, ...page?.settings, ...run.settings };
    for (const check of this.#checks) {
      if (check.isAsked(settings)) runCheck(run, check);
      if (run.isOver) return;
    }
  }
}

function runCheck(run: JudgingRun, { source, product, description, action, isMatch }: AskedCheck): void {
  const skippedBy = run.skippedProducts.get(product);
  // A passed check is not an event: there would be one for every request.
  const hasPassed = action === 'managed_challenge' && run.hasSolved(action);
  const matches = skippedBy === undefined && !hasPassed && isMatch(run.view);
  const rule: Omit<Triggered, 'action'> = { source, ruleId: source, rulesetId: '', ref: '', description };
  if (matches) run.act(action, rule);
  run.report({ source }, { ruleCount: 1, skippedBy, ruleId: matches ? source : undefined });
}
