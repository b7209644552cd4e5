/**
 * Everything that judging requests of a zone depends on, as plain data: the control plane writes it, the edge compiles
 * it. A configuration has a version and is immutable.
 */
import type {
  ChallengeKind,
  Plan,
  FirewallRuleAction,
  ListKind,
  Ruleset,
  AccessMode,
  AccessTarget,
} from '#rulesets';
import type { UrlNormalization } from '#request';
import type { LearnedProfile, LearningMode } from '#learning';
import type { ConfiguredLoadBalancer } from './load-balancers.ts';
import type { ChosenSettings } from '#zone-settings';

export interface ZoneConfiguration {
  readonly version: number;
  readonly zone: ConfiguredZone;
  /** Whether the legacy managed rules, the ones that replace them, or both are in force. */
  readonly migration: MigrationState;
  /** Managed rulesets that the zone executes, except those of the account, only log what they would do. */
  readonly isWatched?: boolean;
  /** In order of evaluation. */
  readonly firewallRules: readonly ConfiguredFirewallRule[];
  /** The entry points of the phases that are in force, the account's before the zone's. */
  readonly entryPoints: readonly Ruleset[];
  /** Rulesets that entry points may execute in addition to managed ones. */
  readonly customRulesets: readonly Ruleset[];
  readonly previous: ConfiguredLegacyWaf;
  /** IP access rules of the zone; absent if there are none. */
  readonly accessRules?: readonly ConfiguredAccessRule[];
  /** Access rules of the account and of its users, which all zones share; absent if there are none. */
  readonly accountAccessRules?: readonly ConfiguredAccessRule[];
  /** In the order of evaluation; absent if there are none. */
  readonly lockdowns?: readonly ConfiguredLockdown[];
  /** Absent if there are none. */
  readonly userAgentRules?: readonly ConfiguredUserAgentRule[];
  readonly lists: readonly ConfiguredList[];
  readonly edge: EdgeSettings;
  /** What was learned about the values of its requests; absent while nothing is learned. */
  readonly learned?: LearnedProfile;
  /** Settings that differ from their defaults; absent if none does. */
  readonly settings?: ChosenSettings;
  /** The active ones, the strongest first, if any of them has an effect: only the first that matches applies. */
  readonly pageRules?: readonly ConfiguredPageSettings[];
  /** Rules that are not evaluated, wherever they come from. */
  readonly outOfForce?: readonly OutOfForce[];
  /** The requests that uploaded Workers answer; absent if there are none. */
  readonly workerRoutes?: readonly WorkerRoute[];
  /** Host names whose requests go to pools of origins; absent if there are none. */
  readonly loadBalancers?: readonly ConfiguredLoadBalancer[];
  /** Ids of the zones that report every request, for Logpush; absent if there are none. */
  readonly requestLogs?: readonly string[];
  /** The first that covers a name is served. */
  readonly certificates?: readonly ConfiguredCertificate[];
  /** The thumbprint of the account at certificate authorities: proves to them that the zone is served here. */
  readonly acmeThumbprint?: string;
  /**
   * The values that authorities look for in a certificate when a name is proven by TLS: SHA-256 as base64url, by name.
   */
  readonly acmeProofs?: Readonly<Record<string, string>>;
}

/** Requests that a Worker answers, after the rules: of two matching routes, the more specific one applies. */
export interface WorkerRoute {
  /** Undefined for a Worker's own host name, which belongs to whichever zone contains it. */
  readonly zoneId?: string;
  /** A name, possibly with the prefix `*`: `*.shop.example`. */
  readonly host: string;
  /** Starts with a slash, and can end with `*`. */
  readonly path: string;
  /** Null for requests that no Worker answers, although a less specific route matches. */
  readonly worker: string | null;
}

/** A rule that was taken out of force in a zone because judging it did not finish. */
export interface OutOfForce {
  readonly rule: string;
  /** In the form of `last_updated`. */
  readonly since: string;
}

/** The id that its event contains in place of a rule's. */
export const ruleOutOfForce = 'rule-out-of-force';

/** How a zone is served. */
export interface EdgeSettings {
  /** Without an origin, nothing is served. */
  readonly origin: ConfiguredOrigin | undefined;
  /**
   * What to do with a request that rules cannot judge in full: its body exceeds the inspection limit or cannot be
   * decoded, or judging it takes more steps than a request may. By default, a request that takes too many steps is
   * blocked; one that cannot be read is blocked if managed rules in force read the body, and otherwise logged.
   */
  readonly overInspectionLimit: (typeof overInspectionActions)[number];
  /** The default of the room `request` unless it is set. */
  readonly urlNormalization?: UrlNormalization;
  /** Fields of `withheldFields` that the origin receives nevertheless, in lower case. */
  readonly forwardedFields?: readonly string[];
  /** Whether the OWASP rules inspect responses, and what happens if the score is too high; off by default. */
  readonly responseRules?: (typeof responseRulesActions)[number];
  /** What happens if a score reaches its threshold while no detector is sure of an attack; `act` by default. */
  readonly unconfirmedScores?: (typeof unconfirmedScoresActions)[number];
  /** Whether the zone learns the usual values of its requests, and whether rules use them; off by default. */
  readonly learning?: LearningMode;
}

/** `act` applies the action of the rule that compares the score. */
export const unconfirmedScoresActions = ['act', 'log'] as const;

/** As CRS and the contract say: a score that reaches its threshold acts. */
export const unconfirmedScoresDefault: (typeof unconfirmedScoresActions)[number] = 'act';

export const responseRulesActions = ['off', 'log', 'block'] as const;

export const overInspectionActions = ['default', 'log', 'block'] as const;

/** A server on the network, or a Worker on this host. */
export type ConfiguredOrigin = ConfiguredServer | ConfiguredWorker;

interface ConfiguredWorker {
  /** The name that the Workers process uses. */
  readonly worker: string;
}

interface ConfiguredServer {
  /** `http` or `https`, a host, an optional port; no path. */
  readonly url: string;
  /** A name or address to connect to in place of the host. */
  readonly connectTo?: string;
  /** Whether the origin's certificate must be valid. */
  readonly verifyTls: boolean;
}

/** A certificate that was uploaded for names of the zone. */
export interface ConfiguredCertificate {
  /** PEM, the certificate of the server first. */
  readonly chain: string;
  /** PEM. Secret: only edges receive it. */
  readonly privateKey: string;
}

export interface ConfiguredZone {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly accountId: string;
  /** Requests of a paused zone are not judged. */
  readonly isPaused: boolean;
}

/** In the order in which a zone passes through them. */
export const migrationStates = ['start', 'validation', 'pending', 'complete'] as const;

export type MigrationState = (typeof migrationStates)[number];

export interface ConfiguredFirewallRule {
  readonly id: string;
  readonly action: FirewallRuleAction;
  readonly products: readonly string[];
  readonly description: string;
  readonly ref: string;
  readonly expression: string;
}

export interface ConfiguredAccessRule {
  readonly id: string;
  /** The owner of the rule. */
  readonly scope: 'zone' | 'account' | 'user';
  readonly target: AccessTarget;
  /** Its target, as `readAccessTarget` writes it. */
  readonly key: string;
  readonly mode: AccessMode;
  readonly notes: string;
}

export interface ConfiguredLockdown {
  readonly id: string;
  readonly description: string;
  /** Patterns like those of page rules. */
  readonly urls: readonly string[];
  /** Addresses and networks with access. */
  readonly networks: readonly string[];
}

export interface ConfiguredUserAgentRule {
  readonly id: string;
  readonly mode: 'block' | ChallengeKind;
  readonly userAgent: string;
  readonly description: string;
}

export const legacyActions = ['simulate', 'block', 'challenge'] as const;
export type LegacyAction = (typeof legacyActions)[number];

/** Rules that deny have the first kind of modes, rules that allow or add to a score the second. */
export const legacyDenyModes = ['disable', ...legacyActions] as const;
export const legacySwitchModes = ['on', 'off'] as const;
export type LegacyMode = 'default' | (typeof legacyDenyModes)[number] | (typeof legacySwitchModes)[number];

/** Only differences from the catalogue. */
export interface ConfiguredLegacyWaf {
  readonly waf: 'on' | 'off';
  readonly packages: Readonly<
    Record<string, { readonly sensitivity: Sensitivity; readonly action: LegacyAction }>
  >;
  /** By group id. */
  readonly groups: Readonly<Record<string, 'on' | 'off'>>;
  /** By rule id. */
  readonly rules: Readonly<Record<string, LegacyMode>>;
  /** The active ones, the strongest first. */
  readonly overrides: readonly UriOverride[];
  /** The active ones, the strongest first: only the first that matches applies, whatever its settings. */
  readonly pageRules: readonly ConfiguredPageRule[];
}

export const sensitivities = ['high', 'medium', 'low', 'default', 'off'] as const;

export type Sensitivity = (typeof sensitivities)[number];

export interface UriOverride {
  readonly id: string;
  readonly urls: readonly string[];
  readonly groups: Readonly<Record<string, string>>;
  readonly rules: Readonly<Record<string, string>>;
  readonly rewriteAction: Readonly<Record<string, string>>;
}

interface ConfiguredPageRule {
  readonly id: string;
  readonly pattern: string;
  /** `disable_security` counts as off; `unset` leaves the zone's own switch. */
  readonly waf: 'on' | 'off' | 'unset';
}

/** The settings of a page rule for the requests that it matches. */
export interface ConfiguredPageSettings {
  readonly id: string;
  readonly pattern: string;
  readonly settings: ChosenSettings;
  /** The target of a redirect. */
  readonly forward?: { readonly url: string; readonly statusCode: number };
  /** Another origin, or another name for it. */
  readonly route?: { readonly hostHeader?: string; readonly connectTo?: string };
}

export interface ConfiguredList {
  readonly name: string;
  readonly kind: ListKind;
  /** Empty for a list of redirects. */
  readonly items: readonly (string | number)[];
  readonly redirects?: readonly ConfiguredRedirect[];
}

/** An item of a list of redirects. */
export interface ConfiguredRedirect {
  /** An optional scheme, then a host and a path. */
  readonly source: string;
  readonly target: string;
  readonly status: number;
  readonly includesSubdomains: boolean;
  readonly matchesSubpaths: boolean;
  readonly keepsQuery: boolean;
  readonly keepsPathSuffix: boolean;
}
