/**
 * The rules of an application: its own rules, written as in the rulesets API, and managed rules; or the whole
 * configuration of a zone. Both become a compiled zone, or a `TypeError` that says what is wrong and where.
 */
import { coreRulesFrom, readRuleDirectory } from '#seclang';
import { replaceCoreRules, findDeployable, managedParts, managedRulesets, rulesetIds } from '#managed';
import {
  type BlockParameters,
  checkEntryPointChange,
  createRuleset,
  entryPointDraft,
  type Overrides,
  type Problem,
  type Ruleset,
  type RulesetContext,
  type SkipParameters,
  type UrlNormalization,
  type VerdictAction,
} from '#rulesets';
import {
  CompiledZone,
  type ConfiguredList,
  unconfirmedScoresDefault,
  type ZoneConfiguration,
} from '#firewall';

export type FirewallRules = RuleSettings | { readonly configuration: ZoneConfiguration };

export interface RuleSettings {
  /** In evaluation order. They run before managed rules. */
  readonly rules?: readonly EmbeddedRule[];
  /** Signatures of attacks on any web application and on common software. */
  readonly managed?: boolean | ManagedSettings;
  /** The OWASP Core Rule Set, whose rules add up to a score: see `useCoreRules`. */
  readonly owasp?: boolean | ManagedSettings;
  /** The lists that expressions refer to as `$name`. */
  readonly lists?: readonly ConfiguredList[];
  /**
   * What to do with a request whose body rules cannot read because it exceeds the inspection limit or cannot be
   * decoded: by default the firewall blocks it if managed rules inspect bodies, and otherwise logs it.
   */
  readonly overInspectionLimit?: 'default' | 'log' | 'block';
  /**
   * What to do with a request whose OWASP score reaches the threshold while no detector is sure of an attack: `act` as
   * the rules say (the default), or `log`.
   */
  readonly unconfirmedScores?: 'act' | 'log';
  /** How paths are normalised for rules; the scope `none` turns it off. The application gets the path unchanged. */
  readonly urlNormalization?: UrlNormalization;
}

/** A rule of the phase `http_request_firewall_custom`. */
export interface EmbeddedRule {
  readonly expression: string;
  readonly action: VerdictAction | 'skip';
  /** For `block`: the response. For `skip`: what is skipped. */
  readonly action_parameters?: BlockParameters | SkipParameters;
  readonly description?: string;
  /** A name of your own, which every event contains. */
  readonly ref?: string;
  readonly enabled?: boolean;
  /** For `skip`. */
  readonly logging?: { readonly enabled: boolean };
}

export interface ManagedSettings {
  /** The requests that the ruleset applies to; all by default. */
  readonly expression?: string;
  readonly overrides?: Overrides;
}

/** `version` is that of the settings; a zone configuration has its own. */
export function compileRules(rules: FirewallRules, version: number): CompiledZone {
  const zone = new CompiledZone(
    'configuration' in rules ? rules.configuration : createConfiguration(rules, version),
    managedParts,
  );
  if (zone.problems.length === 0) return zone;
  throw createUnusableError(zone.problems.map(({ ruleId, message }) => `rule ${ruleId}: ${message}`));
}

function createConfiguration(settings: RuleSettings, version: number): ZoneConfiguration {
  const {
    rules = [],
    managed,
    owasp,
    lists = [],
    overInspectionLimit = 'default',
    unconfirmedScores = unconfirmedScoresDefault,
    urlNormalization,
  } = settings;
  checkCoreRules(owasp);
  const context = createContext(lists);
  const deployments = [
    ...createDeployment(rulesetIds.managed, managed),
    ...createDeployment(rulesetIds.owasp, owasp),
  ];
  return {
    version,
    zone: {
      id: 'embedded',
      name: 'embedded',
      plan: 'enterprise',
      accountId: 'embedded',
      isPaused: false,
    },
    migration: 'complete',
    firewallRules: [],
    entryPoints: [buildRuleset('custom', rules, context), buildRuleset('managed', deployments, context)],
    customRulesets: [],
    previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] },
    lists,
    edge: {
      origin: undefined,
      overInspectionLimit,
      unconfirmedScores,
      ...(urlNormalization === undefined ? {} : { urlNormalization }),
    },
  };
}

/** A ruleset that does nothing gives no protection. */
function checkCoreRules(owasp: RuleSettings['owasp']): void {
  if (owasp === undefined || owasp === false) return;
  if (managedRulesets.get(rulesetIds.owasp)?.content?.state === 'installed') return;
  throw createUnusableError(['the OWASP rules are not loaded: await useCoreRules(directory) first']);
}

function createDeployment(id: string, settings: boolean | ManagedSettings | undefined): readonly object[] {
  if (settings === undefined || settings === false) return [];
  const { expression = 'true', overrides } = settings === true ? {} : settings;
  const parameters = { id, ...(overrides === undefined ? {} : { overrides }) };
  return [{ action: 'execute', expression, action_parameters: parameters }];
}

/** Ids are positions, so that they are equal in every process with the same rules: `custom-1` is the first rule. */
function buildRuleset(
  name: 'custom' | 'managed',
  rules: readonly object[],
  context: RulesetContext,
): Ruleset {
  const phase = `http_request_firewall_${name}`;
  const checked = checkEntryPointChange({ rules }, { phase, current: undefined }, context);
  if (!checked.ok) throw createUnusableError(checked.problems.map((problem) => formatProblem(name, problem)));
  let count = 0;
  return createRuleset(entryPointDraft({ level: 'zone', phase }, checked.value), {
    now: '1970-01-01T00:00:00.000000Z',
    newId: () => `${name}-${count++}`,
  });
}

function formatProblem(name: string, { pointer, message }: Problem): string {
  return `${name} ${pointer}: ${message}`;
}

function createUnusableError(problems: readonly string[]): TypeError {
  return new TypeError(`cannot activate the rules: ${problems.join('\n')}`);
}

function createContext(lists: readonly ConfiguredList[]): RulesetContext {
  return {
    level: 'zone',
    plan: 'enterprise',
    lists: new Map(lists.map(({ name, kind }) => [name, kind])),
    managed: findDeployable,
    custom: () => undefined,
    hasEntryPoint: () => false,
  };
}

/**
 * Loads the OWASP Core Rule Set from an unpacked directory, for all firewalls of this process that are created or
 * updated from then on. Resolves to its version; throws with file and line if it cannot be used.
 */
export async function useCoreRules(directory: string): Promise<string> {
  const found = readRuleDirectory(directory);
  const rules = coreRulesFrom(found.version ?? 'unknown', found, new Date().toISOString());
  await replaceCoreRules(rules);
  return rules.version;
}
