/** A zone at the edge: compiled rules, and the origin of its requests. */
import type { CompiledZone, ConfiguredOrigin } from '#firewall';
import { fillSettings, type ZoneSettings } from '#zone-settings';
import type { Origin } from '../wire/exchange.ts';

export interface EdgeZone {
  readonly rules: CompiledZone;
  readonly origin: Origin | undefined;
  /** The client's claims that the origin gets, in lower case. */
  readonly claims: ReadonlySet<string>;
  readonly settings: ZoneSettings;
  /** The digest of its whole configuration. */
  readonly digest: string;
}

export interface EdgeZoneParts {
  readonly digest: string;
  readonly before: EdgeZone | undefined;
}

/** Keeps the origin object of `before` if it is equal, because connections are found by it. */
export function createEdgeZone(rules: CompiledZone, { digest, before }: EdgeZoneParts): EdgeZone {
  const { configuration } = rules;
  const { origin } = configuration.edge;
  const isSameOrigin =
    before !== undefined && JSON.stringify(before.rules.configuration.edge.origin) === JSON.stringify(origin);
  return {
    rules,
    claims: new Set(configuration.edge.forwardedFields),
    settings: fillSettings(configuration.settings),
    origin: isSameOrigin ? before.origin : origin && toOrigin(origin),
    digest,
  };
}

function toOrigin(configured: ConfiguredOrigin): Origin {
  if ('worker' in configured) {
    const { worker } = configured;
    return { scheme: 'http', host: `worker:${worker}`, port: 0, worker };
  }
  const { url, connectTo, verifyTls } = configured;
  const { protocol, hostname, port } = new URL(url);
  const scheme = protocol === 'https:' ? 'https' : 'http';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return {
    scheme,
    host,
    port: port === '' ? (scheme === 'https' ? 443 : 80) : Number(port),
    verifyTls,
    ...(connectTo === undefined ? {} : { connectTo }),
  };
}
