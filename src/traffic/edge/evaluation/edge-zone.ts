/** A zone at the edge: compiled rules, the origin of its requests, and how its settings serve them. */
import { isDeepStrictEqual } from 'node:util';
import { type CompiledZone, compilePagePattern, type PageUrl, type ZoneConfiguration } from '#firewall';
import { Balancers } from '../balancing/balancers.ts';
import type { ForwardDirective, IncomingRequest } from '../wire/exchange.ts';
import { splitTarget } from '../judging/target-readings.ts';
import { createServing, type Serving } from './serving.ts';
import { createTlsChoice, type TlsChoice } from './tls-choice.ts';
import { WorkerRoutes } from './worker-routes.ts';

export interface EdgeZone {
  readonly rules: CompiledZone;
  /** By the settings of the zone. */
  readonly serving: Serving;
  /** Of page rules, the strongest first; undefined if none of them changes a setting. */
  readonly pages: readonly PageServing[] | undefined;
  /** What its settings choose for TLS connections. */
  readonly tls: TlsChoice;
  /** Undefined if no Worker answers requests of the zone. */
  readonly workers: WorkerRoutes | undefined;
  /** Undefined if the zone has none. */
  readonly balancers: Balancers | undefined;
  /** The client's claims that the origin gets, in lower case. */
  readonly claims: ReadonlySet<string>;
  /** What is done with every request that has an unambiguous path; undefined if that depends on the request. */
  readonly plain: ForwardDirective | undefined;
  /** The digest of its whole configuration. */
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

/** Keeps what serves the requests of `before` if it is equal, because connections are found by the origin object. */
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
 * In a zone where no rule looks at requests and no setting acts on some of them only, all are passed on alike, by one
 * object. The country of the visitor is a setting that acts only at an edge that knows countries.
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

/** Connections are found by the objects of origins. */
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

/** How a request is served: by the first page rule that matches it, or by the zone. */
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
