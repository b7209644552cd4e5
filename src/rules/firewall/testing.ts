/** For tests: a zone with a few rules of each kind, judged in one line. */
import { requestFrom, type RequestDescription } from '#request';
import type { ChallengeKind, RulesetRule, Ruleset } from '#rulesets';
import { CompiledZone } from './compiled-zone.ts';
import type {
  ConfiguredFirewallRule,
  ConfiguredLegacyWaf,
  ZoneConfiguration,
  ConfiguredZone,
} from './configuration.ts';
import type { Judgement } from './judgement.ts';
import type { CatalogueRule, ManagedCatalogue } from './managed-catalogue.ts';
import { ManagedPrograms } from './programs/managed-programs.ts';

export const managedId = 'managed';
export const scoredId = 'scored';

/** Rules that match a word in the path: `/sql`, `/xss` … */
function signature(id: string, more: Partial<CatalogueRule> = {}): CatalogueRule {
  return {
    id,
    description: `finds ${id}`,
    categories: [],
    action: 'block',
    enabled: true,
    expression: `http.request.uri.path contains "${id}"`,
    ref: id,
    ...more,
  };
}

const catalogue: ManagedCatalogue = {
  rulesets: new Map([
    [
      managedId,
      {
        id: managedId,
        version: '7',
        rules: [
          signature('sql', { categories: ['injection'] }),
          signature('xss', { categories: ['injection', 'browser'] }),
          signature('scan', { action: 'log' }),
          signature('noisy', { enabled: false }),
          signature('query', { expression: 'http.request.uri.query contains "drop"' }),
        ],
      },
    ],
    [
      scoredId,
      {
        id: scoredId,
        version: '3',
        rules: [
          signature('odd', { action: 'score', scoreIncrement: 20, categories: ['paranoia-level-1'] }),
          signature('queer', { action: 'score', scoreIncrement: 25, categories: ['paranoia-level-2'] }),
          signature('total', { expression: 'true', scoreThreshold: 40 }),
        ],
      },
    ],
  ]),
  legacyPackages: [
    {
      id: 'traditional',
      detectionMode: 'traditional',
      groups: [
        { id: 'specials', defaultMode: 'on' },
        { id: 'drupal', defaultMode: 'off' },
      ],
      rules: [
        createLegacyRule('100', 'sql', 'block'),
        createLegacyRule('101', 'xss', 'challenge'),
        createLegacyRule('102', 'drupal', 'block', { groupId: 'drupal' }),
        createLegacyRule('103', 'always', 'block', { ignoresSwitch: true }),
        createLegacyRule('104', 'quiet', 'disable'),
      ],
    },
    {
      id: 'anomaly',
      detectionMode: 'anomaly',
      groups: [{ id: 'odd', defaultMode: 'on' }],
      rules: [
        { ...createLegacyRule('900', 'odd', 'on', { groupId: 'odd' }), kind: 'anomaly', score: 20 },
        { ...createLegacyRule('901', 'queer', 'on', { groupId: 'odd' }), kind: 'anomaly', score: 25 },
      ],
    },
  ],
};

function createLegacyRule(
  id: string,
  word: string,
  defaultMode: 'disable' | 'block' | 'challenge' | 'on',
  more: { readonly groupId?: string; readonly ignoresSwitch?: boolean } = {},
) {
  return {
    id,
    description: `found ${word}`,
    groupId: 'specials',
    kind: 'deny' as 'deny' | 'anomaly',
    defaultMode,
    expression: `http.request.uri.path contains "${word}"`,
    ignoresSwitch: false,
    ...more,
  };
}

export interface ZoneParts {
  readonly firewallRules?: readonly (Partial<ConfiguredFirewallRule> &
    Pick<ConfiguredFirewallRule, 'id' | 'action'>)[];
  /** Rules of the zone, by phase: `custom`, `managed`. */
  readonly custom?: readonly Partial<RulesetRule>[];
  readonly managed?: readonly Partial<RulesetRule>[];
  readonly accountManaged?: readonly Partial<RulesetRule>[];
  readonly customRulesets?: readonly Ruleset[];
  readonly previous?: Partial<ConfiguredLegacyWaf>;
  readonly more?: Partial<ZoneConfiguration>;
}

export function zoneOf(parts: ZoneParts): CompiledZone {
  const {
    firewallRules = [],
    custom,
    managed,
    accountManaged,
    customRulesets = [],
    previous: changed,
    more,
  } = parts;
  const configuration = configurationOf({
    migration: 'start',
    firewallRules: firewallRules.map((rule) => ({
      products: [],
      description: '',
      ref: '',
      expression: 'true',
      ...rule,
    })),
    entryPoints: [
      rulesetOf('root', 'http_request_firewall_managed', accountManaged),
      rulesetOf('zone', 'http_request_firewall_custom', custom),
      rulesetOf('zone', 'http_request_firewall_managed', managed),
    ].filter((ruleset) => ruleset !== undefined),
    customRulesets,
    previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [], ...changed },
    edge: { origin: undefined, overInspectionLimit: 'log' },
    ...more,
  });
  return new CompiledZone(configuration, { catalogue, programs: new ManagedPrograms() });
}

function rulesetOf(
  kind: Ruleset['kind'],
  phase: string,
  rules: readonly Partial<RulesetRule>[] | undefined,
): Ruleset | undefined {
  return (
    rules && {
      id: `${kind} ${phase}`,
      name: 'default',
      description: '',
      kind,
      version: '1',
      last_updated: '',
      phase,
      rules: rules.map((rule, index) => ({
        id: `rule ${index}`,
        version: '1',
        action: 'block',
        expression: 'true',
        last_updated: '',
        ref: '',
        enabled: true,
        ...rule,
      })),
    }
  );
}

export function judged(
  zone: CompiledZone,
  request: string | RequestDescription,
  settings: { readonly clearance?: ChallengeKind } = {},
): Judgement {
  const description = typeof request === 'string' ? { url: `https://example.com${request}` } : request;
  return zone.judge({
    view: requestFrom(description),
    ...settings,
  });
}

/** `block by sql`, or `pass`. */
export function verdictOf(
  zone: CompiledZone,
  request: string | RequestDescription,
  settings: { readonly clearance?: ChallengeKind } = {},
): string {
  const { verdict } = judged(zone, request, settings);
  return verdict.kind === 'pass' ? 'pass' : `${verdict.kind} by ${verdict.by.ruleId}`;
}

/** The actions of rules: `log scan`, `block sql`. */
export function triggersOf(zone: CompiledZone, request: string | RequestDescription): readonly string[] {
  return judged(zone, request).triggered.map(({ action, ruleId }) => `${action} ${ruleId}`);
}

/** As many patterns on the body as one rule may have, each slow on texts of `createCostlyText`. */
export const costlyExpression = Array.from(
  { length: 64 },
  (_, index) => `http.request.body.raw matches "[ab]*a[ab]{${400 + index}}[c-z]"`,
).join(' or ');

/** Drives every automaton of `costlyExpression` to a new state at every byte. */
export function createCostlyText(length: number): string {
  let [state, text] = [7, ''];
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    text += 'ab'[(state >>> 16) & 1];
  }
  return text;
}

type ConfigurationChange = Partial<Omit<ZoneConfiguration, 'zone'>> & {
  readonly zone?: Partial<ConfiguredZone>;
};

/** A migrated zone without rules and without an origin, except for the given changes. */
export function configurationOf({ zone, ...more }: ConfigurationChange = {}): ZoneConfiguration {
  return {
    version: 1,
    zone: {
      ...{ id: 'zone', name: 'example.com', plan: 'enterprise', accountId: 'account', isPaused: false },
      ...zone,
    },
    migration: 'complete',
    firewallRules: [],
    entryPoints: [],
    customRulesets: [],
    previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] },
    lists: [],
    edge: { origin: undefined, overInspectionLimit: 'default' },
    ...more,
  };
}
