/** A zone at the edge: compiled rules, the origin of its requests, and how its settings serve them. */
import { isDeepStrictEqual } from 'node:util';
import type { CompiledZone, ZoneConfiguration } from '#firewall';
import { compilePagePattern, type PageUrl } from '#rulesets';
import { Balancers } from '../balancing/balancers.ts';
import type { ForwardDirective, IncomingRequest } from '../wire/exchange.ts';
import { splitTarget } from '../judging/target-readings.ts';
import { createServing, type Serving } from './serving.ts';
import { createTlsChoice, type TlsChoice } from './tls-choice.ts';
import { WorkerRoutes } from './worker-routes.ts';

export interface EdgeZone {
  readonly rules: CompiledZone;
  /** From the settings of the zone. */
  readonly serving: Serving;
  /** Page rules, the strongest first; undefined if none of them changes a setting. */
  readonly pages: readonly PageServing[] | undefined;
  /** TLS settings of connections. */
  readonly tls: TlsChoice;
  /** Undefined if no Worker answers requests of the zone. */
  readonly workers: WorkerRoutes | undefined;
  /** Undefined if the zone has no load balancers. */
  readonly balancers: Balancers | undefined;
  /** The names of the client's claim fields that the origin receives, in lower case. */
  readonly claims: ReadonlySet<string>;
  /** The directive for every request with an unambiguous path; undefined if the directive depends on the request. */
  readonly plain: ForwardDirective | undefined;
  /** The digest of the whole configuration. */
  readonly digest: string;
}

interface PageServing {
  readonly isMatch: (url: PageUrl) => boolean;
  readonly serving: Serving;
}

export interface EdgeZoneParts {
  readonly digest: string;
  readonly before: EdgeZone | undefined;
}

/** Reuses equal parts of `before` that serve requests, because connections are looked up by origin object. */
export function createEdgeZone(rules: CompiledZone, { digest, before }: EdgeZoneParts): EdgeZone {
  const { configuration } = rules;
  const isSame = before !== undefined && isServedAlike(before.rules.configuration, configuration);
  const serving = isSame ? before.serving : createServing(configuration);
  const zone: Omit<EdgeZone, 'plain'> = {
    rules,
    tls: createTlsChoice(serving.settings),
    workers: configuration.workerRoutes && new WorkerRoutes(configuration.workerRoutes, before?.workers),
    balancers: isBalancedAlike(before, rules)
      ? before?.balancers
      : configuration.loadBalancers && new Balancers(configuration.loadBalancers),
    claims: new Set(configuration.edge.forwardedFields),
    serving,
    pages: isSame
      ? before.pages
      : configuration.pageRules?.map(({ pattern, settings }) => ({
          isMatch: compilePagePattern(pattern),
          serving: createServing(configuration, settings),
        })),
    digest,
  };
  return { ...zone, plain: createPlainDirective(zone) };
}

/**
 * If no rule of a zone inspects requests and no setting applies to only some of them, all requests share one directive
 * object. The setting for the country of the visitor applies only at an edge that has a database of countries.
 */
function createPlainDirective({
  rules,
  serving: { origin, settings, secureFields, forwarding },
  pages,
  workers,
  balancers,
  claims,
}: Omit<EdgeZone, 'plain'>): ForwardDirective | undefined {
  const { always_use_https, ssl, true_client_ip_header, pseudo_ipv4, developmentModeEndsAtMs } = settings;
  const { zone, acmeThumbprint } = rules.configuration;
  const isAlike =
    rules.isPlain &&
    [pages, workers, balancers, secureFields, developmentModeEndsAtMs, acmeThumbprint].every(
      (each) => each === undefined,
    ) &&
    always_use_https !== 'on' &&
    ssl !== 'off' &&
    true_client_ip_header !== 'on' &&
    pseudo_ipv4 === 'off';
  if (!isAlike || origin === undefined) return undefined;
  const about = { zone, verdict: 'forwarded', hasEvents: false } as const;
  return { kind: 'forward', origin, zone: zone.id, claims, ...forwarding, about };
}

/** Connections are looked up by origin object. */
function isBalancedAlike(before: EdgeZone | undefined, { configuration }: CompiledZone): boolean {
  const old = before?.rules.configuration.loadBalancers;
  return before !== undefined && isDeepStrictEqual(old, configuration.loadBalancers);
}

function isServedAlike(a: ZoneConfiguration, b: ZoneConfiguration): boolean {
  return (
    isDeepStrictEqual(a.edge.origin, b.edge.origin) &&
    isDeepStrictEqual(a.settings, b.settings) &&
    isDeepStrictEqual(a.pageRules, b.pageRules)
  );
}

/** How a request is served: by the first page rule that matches it, or else by the zone. */
export function findServing({ serving, pages }: EdgeZone, request: IncomingRequest): Serving {
  if (pages === undefined) return serving;
  const { path, query } = splitTarget(request.target);
  const url: PageUrl = {
    scheme: request.isSecure ? 'https' : 'http',
    host: request.host,
    port: request.connection.serverPort,
    path,
    query,
  };
  return pages.find(({ isMatch }) => isMatch(url))?.serving ?? serving;
}
