/**
 * The effect of the settings of a zone on its requests: prepared once for the zone, and once for each page rule that
 * changes a setting. A zone with the defaults adds nothing to a request.
 *
 * Settings act in this order: `ssl: off` and `always_use_https` redirect before any rule runs; `browser_check` and
 * `security_level` act between custom and managed rules (room `firewall`); the others when the request goes to the
 * origin, or its response to the visitor.
 */
import type { ConfiguredOrigin, ZoneConfiguration } from '#firewall';
import { type ChosenSettings, fillSettings, type ZoneSettings } from '#zone-settings';
import { type AddedFields, checkAddedFields } from '../wire/added-fields.ts';
import type { Member } from '../balancing/balancer.ts';
import type { ForwardDirective, HeaderField, Origin } from '../wire/exchange.ts';
import { Variants } from './variants.ts';

export interface Serving {
  /** Settings that replace those of the zone for these requests. */
  readonly page: ChosenSettings;
  readonly settings: ZoneSettings;
  readonly origin: Origin | undefined;
  /** Added to responses over HTTPS. */
  readonly secureFields: AddedFields | undefined;
  /** The forwarding options that differ from the defaults of the proxy. */
  readonly forwarding: Pick<
    ForwardDirective,
    'requestBodyBytesMax' | 'originReadMs' | 'refusesUpgrade' | 'compresses'
  >;
}

/** A megabyte in Cloudflare's limits. */
const megabyte = 1024 * 1024;

export function createServing(configuration: ZoneConfiguration, page: ChosenSettings = {}): Serving {
  const { settings: own, zone } = configuration;
  // A paused zone only forwards to its origin.
  const chosen: ChosenSettings = zone.isPaused ? chooseSsl(own) : { ...own, ...page };
  const settings = fillSettings(chosen);
  const { origin } = configuration.edge;
  return {
    page,
    settings,
    origin: origin && toOrigin(origin, settings, zone.name),
    secureFields: createSecureFields(settings),
    forwarding: {
      ...(chosen.max_upload === undefined ? {} : { requestBodyBytesMax: chosen.max_upload * megabyte }),
      ...(chosen.proxy_read_timeout === undefined
        ? {}
        : { originReadMs: Number(chosen.proxy_read_timeout) * 1_000 }),
      ...(settings.websockets === 'off' ? { refusesUpgrade: true } : {}),
      ...(settings.brotli === 'on' ? { compresses: true } : {}),
    },
  };
}

const configured = new Variants<Serving>();

/** How a request is served if rules chose other settings for it. */
export function configureServing(
  serving: Serving,
  configuration: ZoneConfiguration,
  settings: ChosenSettings | undefined,
): Serving {
  if (settings === undefined) return serving;
  return configured.find(serving, settings, () =>
    createServing(configuration, { ...serving.page, ...settings }),
  );
}

function chooseSsl({ ssl }: ChosenSettings = {}): ChosenSettings {
  return ssl === undefined ? {} : { ssl };
}

/** A chosen `ssl` setting decides about scheme and certificate; a port in the URL stays. */
function toOrigin(
  configured: ConfiguredOrigin,
  { ssl, tls_client_auth }: ZoneSettings,
  zoneName: string,
): Origin {
  if ('worker' in configured) {
    const { worker } = configured;
    return { scheme: 'http', host: `worker:${worker}`, port: 0, worker };
  }
  const { url, connectTo, verifyTls } = configured;
  const { protocol, hostname, port } = new URL(url);
  const isPlain = ssl === undefined ? protocol === 'http:' : ssl === 'off' || ssl === 'flexible';
  const scheme = isPlain ? 'http' : 'https';
  return {
    scheme,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    verifyTls: ssl === undefined ? verifyTls : ssl === 'strict',
    ...(connectTo === undefined ? {} : { connectTo }),
    ...(tls_client_auth === 'on' && !isPlain ? { clientName: zoneName } : {}),
  };
}

const members = new Variants<Origin>();

/**
 * An origin of a pool, with the scheme that the settings of the zone choose, or else the scheme of the zone's origin.
 */
export function toPoolOrigin(
  { base }: Member,
  { settings: { ssl, tls_client_auth }, origin: own }: Serving,
  zoneName: string,
): Origin {
  const isPlain =
    ssl === undefined ? base.port !== 443 && own?.scheme !== 'https' : ssl === 'off' || ssl === 'flexible';
  const choice = {
    scheme: isPlain ? 'http' : 'https',
    port: base.port === 0 ? (isPlain ? 80 : 443) : base.port,
    verifyTls: ssl === undefined ? (own?.verifyTls ?? true) : ssl === 'strict',
    ...(tls_client_auth === 'on' && !isPlain ? { clientName: zoneName } : {}),
  } as const;
  return members.find(base, choice, () => ({ ...base, ...choice }));
}

function createSecureFields({ security_header }: ZoneSettings): AddedFields | undefined {
  const { enabled, max_age, include_subdomains, preload, nosniff } =
    security_header.strict_transport_security;
  if (!enabled) return undefined;
  const value = `max-age=${max_age}${include_subdomains ? '; includeSubDomains' : ''}${preload ? '; preload' : ''}`;
  const fields: HeaderField[] = [['strict-transport-security', value]];
  if (nosniff) fields.push(['x-content-type-options', 'nosniff']);
  return checkAddedFields(fields);
}
