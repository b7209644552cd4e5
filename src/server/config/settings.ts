/**
 * Every setting of the program. Its name in the code says all the others: `httpsPort` is `https_port` in a file,
 * `GATEHOUSE_HTTPS_PORT` in the environment and `--https-port` on the command line. Help, documentation, `--print-config`
 * and the checks are made from this table; a listener that is added brings its rows here and nothing else.
 */
import { isNetwork } from '#edge';
import { isCertificateName } from '../tls/certificate.ts';
import {
  address,
  choice,
  duration,
  email,
  flag,
  httpUrl,
  type Kind,
  listOf,
  path,
  port,
  portOrOff,
  text,
  wholeNumber,
} from './kinds.ts';

export interface Setting<Value = unknown> {
  readonly kind: Kind<NonNullable<Value>>;
  readonly help: string;
  /** In force when nobody gives one. */
  readonly fallback: Value;
  /** Never shown, and not taken from the command line, where every process of the machine can read it. */
  readonly isSecret: boolean;
}

function setting<Value extends {}>(
  kind: Kind<Value>,
  fallback: NoInfer<Value>,
  help: string,
): Setting<Value> {
  return { kind, help, fallback, isSecret: false };
}

function optional<Value extends {}>(kind: Kind<Value>, help: string): Setting<Value | undefined> {
  return { kind, help, fallback: undefined, isSecret: false };
}

function secret(help: string, { min = 1 } = {}): Setting<string | undefined> {
  return { ...optional(text({ min, max: 1_000 }), help), isSecret: true };
}

const network = { rule: 'addresses or networks such as 10.0.0.0/8', accepts: isNetwork, max: 200 };
const tlsName = { rule: 'host names or addresses', accepts: isCertificateName, max: 50 };

const settings = {
  data: setting(path('DIRECTORY'), 'data', 'where everything is kept'),
  host: setting(address, '127.0.0.1', 'address to listen on'),
  port: setting(port, 8787, 'port of the API over HTTP, 0 for any free one'),
  httpsPort: setting(portOrOff, 'off', 'port of the API over HTTPS, 0 for any free one'),
  tlsCert: optional(path('FILE'), 'certificate chain for HTTPS (PEM), instead of one of the local authority'),
  tlsKey: optional(path('FILE'), 'private key of tls_cert (PEM)'),
  tlsKeyPassphrase: secret('passphrase of tls_key'),
  tlsNames: setting(listOf('NAME,...', tlsName), [], 'further names that the local authority certifies'),
  adminPort: setting(portOrOff, 'off', 'port of health and metrics by themselves, 0 for any free one'),
  adminHost: setting(address, '127.0.0.1', 'address of the admin port'),
  control: optional(httpUrl, 'base URL of the API that gatehouse edge is fed by'),
  controlToken: secret('token for it, with the permission Account Edge Write'),
  edgePort: setting(
    portOrOff,
    8080,
    'port of the edge, which judges and passes on traffic, over HTTP; any free one where port is 0 and this is not given',
  ),
  edgeHttpsPort: setting(portOrOff, 'off', 'port of the edge over HTTPS, 0 for any free one'),
  edgeHost: setting(address, '127.0.0.1', 'address of the edge'),
  edgeCertificates: optional(
    path('DIRECTORY'),
    'certificates for the edge: ZONE.pem has the chain and the key; zones without one get one of the local authority',
  ),
  edgeSecret: secret(
    'signs challenges, for edges that serve the same zones; one is made and kept if not given',
    {
      min: 32,
    },
  ),
  trustedProxies: setting(
    listOf('NETWORK,...', network),
    [],
    'peers whose X-Forwarded-For and X-Forwarded-Proto are believed',
  ),
  allowPrivateOrigins: setting(flag, false, 'let origins have loopback and private addresses'),
  geoipCity: optional(path('FILE'), 'MaxMind database of cities or countries'),
  geoipAsn: optional(path('FILE'), 'MaxMind database of autonomous systems'),
  edgeInspectionBytes: setting(
    wholeNumber({ min: 1, max: 131_072 }),
    131_072,
    'how much of a body rules can look at',
  ),
  edgeBodyBytes: setting(
    wholeNumber({ min: 0, max: 1_099_511_627_776 }),
    104_857_600,
    'longest body of a request',
  ),
  edgeConnections: setting(wholeNumber({ min: 1, max: 1_000_000 }), 16_384, 'connections at the same time'),
  edgeRequests: setting(wholeNumber({ min: 1, max: 1_000_000 }), 2_048, 'requests at the same time'),
  edgeZoneRequests: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    1_024,
    'requests at the same time to one zone',
  ),
  readyFile: optional(
    path('FILE'),
    'write addresses and credentials there as JSON once requests are accepted',
  ),
  ownerEmail: setting(email, 'owner@gatehouse.local', 'e-mail address of the owner made at the first start'),
  accountName: setting(text(), 'Gatehouse', 'name of the account made at the first start'),
  durability: setting(
    choice(['disk', 'os']),
    'disk',
    'disk: an answer waits until its writes are on disk; os: until the system has them',
  ),
  rateLimit: setting(flag, true, 'limit how often each user may call'),
  rateLimitRequests: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    1_200,
    'calls within rate_limit_window',
  ),
  rateLimitWindow: setting(duration({ maxMs: 86_400_000 }), 300_000, 'time that calls are counted over'),
  logLevel: setting(
    choice(['debug', 'info', 'warn', 'error']),
    'info',
    'least important kind of line to log',
  ),
  logFormat: setting(
    choice(['auto', 'json', 'text']),
    'auto',
    'auto: text on a terminal, JSON lines elsewhere',
  ),
  accessLog: setting(flag, false, 'log each request'),
  shutdownGrace: setting(
    duration({ maxMs: 3_600_000 }),
    10_000,
    'time for answers under way when told to stop',
  ),
};

export type SettingName = keyof typeof settings;

export type Settings = { readonly [Name in SettingName]: (typeof settings)[Name]['fallback'] };

export const settingNames = Object.keys(settings) as readonly SettingName[];

export function settingOf(name: SettingName): Setting {
  return settings[name];
}

/** In a file. */
export function keyOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function variableOf(name: string): string {
  return `GATEHOUSE_${keyOf(name).toUpperCase()}`;
}

/** Without the dashes before it. */
export function flagOf(name: string): string {
  return keyOf(name).replaceAll('_', '-');
}
