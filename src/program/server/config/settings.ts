/**
 * Every setting of the program. All its names are derived from its name in the code: `httpsPort` is `https_port` in a file,
 * `GATEHOUSE_HTTPS_PORT` in the environment and `--https-port` on the command line. Help, documentation, `--print-config`
 * and the checks are generated from this table; a new listener only adds rows here.
 */
import { heapBytesMaxDefault } from '#processes';
import { edgeChallenges } from '#certificates';
import {
  address,
  choice,
  clusterName,
  databaseUrl,
  domain,
  duration,
  email,
  flag,
  headerFields,
  hostAndPort,
  httpUrl,
  type Kind,
  listOf,
  namedPaths,
  path,
  pathOr,
  port,
  portOrOff,
  processCount,
  share,
  text,
  wholeNumber,
} from './kinds.ts';
import { challenge, directoryUrl, network, networkSource, tlsName, worker } from './list-items.ts';

export interface Setting<Value = unknown> {
  readonly kind: Kind<NonNullable<Value>>;
  readonly help: string;
  /** The default. */
  readonly fallback: Value;
  /** Never shown, and not accepted on the command line, where every process of the machine can read it. */
  readonly isSecret: boolean;
  /** A secret that may nevertheless be on the command line, because it need not contain one. */
  readonly hasFlag?: boolean;
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

function secret(
  help: string,
  { min = 1, kind = text({ min, max: 1_000 }) } = {},
): Setting<string | undefined> {
  return { ...optional(kind, help), isSecret: true };
}

const settings = {
  data: setting(path('DIRECTORY'), 'data', 'data directory'),
  host: setting(address, '127.0.0.1', 'address to listen on'),
  port: setting(port, 8787, 'port of the API over HTTP, 0 for any free one'),
  httpsPort: setting(portOrOff, 'off', 'port of the API over HTTPS, 0 for any free one'),
  tlsCert: optional(path('FILE'), 'certificate chain for HTTPS (PEM), instead of one of the local authority'),
  tlsKey: optional(path('FILE'), 'private key of tls_cert (PEM)'),
  tlsKeyPassphrase: secret('passphrase of tls_key'),
  tlsNames: setting(
    listOf('NAME,...', tlsName),
    [],
    'additional names in the certificate of the local authority',
  ),
  dashboardHosts: setting(
    listOf('NAME,...', tlsName),
    [],
    'host names of the dashboard, besides addresses and localhost',
  ),
  objectWrites: setting(
    flag,
    false,
    'let tokens with Account Objects Write change rows and values in the objects of zones, bypassing the checks of the API',
  ),
  objectHosts: optional(
    processCount({ min: 1, max: 64 }),
    'number of processes for accounts and zones, and as many for the objects of each Worker; 1: the process of the API, or of the Worker; cores: one for each core, at most 8; by default the number that the directory was created with: 2 if there are two cores',
  ),
  objectHostStuck: setting(
    duration({ maxMs: 86_400_000 }),
    30_000,
    'CPU time that an object, or the server, may use without a pause before its process is ended and replaced',
  ),
  objectStatementStuck: setting(
    duration({ maxMs: 86_400_000 }),
    1_000,
    'CPU time that an SQL statement may use in an object before its process is ended and replaced, and the object paused; in elapsed time, three times as long',
  ),
  objectHostBytes: setting(
    wholeNumber({ min: 67_108_864, max: 1_099_511_627_776 }),
    1_073_741_824,
    'JavaScript memory of each of several object hosts, beyond which the host is ended and replaced',
  ),
  watchdog: setting(
    flag,
    true,
    'run the program under a small supervisor process that restarts it when it hangs or crashes, for gatehouse serve, run and edge',
  ),
  cluster: {
    ...secret('PostgreSQL database that stores everything, for hosts on several machines', {
      kind: databaseUrl,
    }),
    hasFlag: true,
  },
  clusterFile: optional(path('FILE'), 'file that contains the value for cluster, and nothing else'),
  clusterName: setting(clusterName, 'gatehouse-serve', 'name of the cluster; a database holds one'),
  clusterListen: setting(
    hostAndPort,
    '127.0.0.1:0',
    'address on which this host answers the other hosts of the cluster, port 0 for any free one',
  ),
  clusterAdvertise: optional(
    hostAndPort,
    'address at which the other hosts reach this one, if not cluster_listen',
  ),
  clusterLease: setting(
    duration({ minMs: 200, maxMs: 60_000 }),
    5_000,
    'how long a silent host keeps its accounts and zones',
  ),
  adminPort: setting(
    portOrOff,
    'off',
    'port of a separate listener for health and metrics, 0 for any free one',
  ),
  adminHost: setting(address, '127.0.0.1', 'address of the admin port'),
  control: optional(httpUrl, 'base URL of the API that feeds gatehouse edge'),
  controlToken: secret('token for control, with the permission Account Edge Write'),
  edgePort: setting(
    portOrOff,
    8080,
    'port of the edge, which judges and forwards traffic, over HTTP; any free one if port is 0 and this is not set',
  ),
  edgeHttpsPort: setting(portOrOff, 'off', 'port of the edge over HTTPS, 0 for any free one'),
  edgeHost: setting(address, '127.0.0.1', 'address of the edge'),
  edgeWorkers: setting(
    processCount({ min: 0, max: 64 }),
    'cores',
    'number of processes that serve the edge; 0: the process of the API serves it',
  ),
  edgeWorkerStuck: setting(
    duration({ maxMs: 600_000 }),
    500,
    'CPU time after which an edge worker that does not respond is ended and replaced',
  ),
  edgeWorkerBytes: setting(
    wholeNumber({ min: 67_108_864, max: 1_099_511_627_776 }),
    heapBytesMaxDefault,
    'memory of an edge worker beyond which it is ended and replaced',
  ),
  edgeCertificates: optional(
    path('DIRECTORY'),
    'certificates for the edge: ZONE.pem contains the chain and the key; other zones get one from the local authority',
  ),
  acmeDirectories: setting(
    listOf('URL,...', directoryUrl),
    ['https://acme-v02.api.letsencrypt.org/directory'],
    'certificate authorities for zones with universal SSL, by the addresses of their ACME directories; after a failure the next one is tried',
  ),
  acmeStaging: optional(
    httpUrl,
    'ACME directory for attempts after a failure, so that the rate limits of the others are not used up',
  ),
  acmeTrust: optional(path('FILE'), 'certificates (PEM) to trust when connecting to acme_directories'),
  acmeKeyId: optional(
    text(),
    'id of the key from the authority for opening an account (external account binding)',
  ),
  acmeHmacKey: secret('key of acme_key_id, as base64url'),
  acmeProfile: optional(
    text(),
    'certificate profile, if the authorities offer several: shortlived, tlsserver',
  ),
  acmeChallenges: setting(
    listOf('KIND,...', challenge),
    [...edgeChallenges],
    'how names are validated: over HTTP on port 80 (http-01), or in a TLS handshake on port 443 (tls-alpn-01); after a failure the next one is tried',
  ),
  acmeDns: optional(
    text({ max: 1_000 }),
    'validate names, including wildcards, over DNS instead of HTTP: path of a program, https:// address of a webhook, or dns:// address of a name server that accepts updates (RFC 2136)',
  ),
  acmeDnsKey: secret('key of acme_dns: USER:PASSWORD of a webhook, ALGORITHM:NAME:SECRET of a name server'),
  acmeDnsWait: setting(
    duration({ maxMs: 600_000 }),
    5_000,
    'time until a record changed by acme_dns has reached all name servers',
  ),
  edgeSecret: secret(
    'secret that signs challenges, the same for all edges that serve the same zones; created and stored if not set',
    {
      min: 32,
    },
  ),
  trustedProxies: setting(
    listOf('NETWORK,...', network),
    [],
    'peers whose X-Forwarded-For and X-Forwarded-Proto are trusted',
  ),
  trustedProxiesFrom: setting(
    listOf('FILE|URL,...', networkSource),
    [],
    'lists of additional networks for trusted_proxies, such as those that a CDN publishes, read every hour',
  ),
  proxyProtocol: setting(
    listOf('NETWORK,...', network),
    [],
    'peers whose connections to the edge must start with a PROXY protocol header, version 1 or 2; without it they are closed',
  ),
  workers: setting(namedPaths(worker), {}, 'Workers that zones can have as their origin, by name'),
  scriptUploads: setting(flag, true, 'let tokens with Workers Scripts Write upload code that runs here'),
  workersDomain: optional(domain, 'domain of the host names of uploaded Workers, in one of the zones'),
  allowPrivateOrigins: setting(
    flag,
    false,
    'allow origins, and connections of Workers, with loopback and private addresses',
  ),
  geoipCity: optional(path('FILE'), 'MaxMind database of cities or countries'),
  geoipAsn: optional(path('FILE'), 'MaxMind database of autonomous systems'),
  geoipCityFrom: optional(
    httpUrl,
    'where the database of cities or countries is downloaded from, once a day',
  ),
  geoipAsnFrom: optional(httpUrl, 'where the database of autonomous systems is downloaded from, once a day'),
  geoipCredentials: secret('name and password for these downloads, as name:password'),
  edgeInspectionBytes: setting(
    wholeNumber({ min: 1, max: 1_048_576 }),
    131_072,
    'how much of a body rules can inspect',
  ),
  edgeBodyBytes: setting(
    wholeNumber({ min: 0, max: 1_099_511_627_776 }),
    104_857_600,
    'maximum size of a request body, if the zone does not set `max_upload`',
  ),
  edgeUploadBytes: setting(
    wholeNumber({ min: 0, max: 1_099_511_627_776 }),
    4_294_967_296,
    'total disk space that forms with files may use until rules have judged them; each worker can store at least one body',
  ),
  edgeConnections: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    16_384,
    'maximum number of open connections',
  ),
  edgeAddressConnections: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    1_024,
    'maximum number of open connections of one client address; an IPv6 /64 counts as one address',
  ),
  edgeRequests: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    2_048,
    'maximum number of concurrent requests',
  ),
  edgeZoneRequests: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    1_024,
    'maximum number of concurrent requests to one zone',
  ),
  edgeAddressRequests: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    512,
    'maximum number of concurrent requests of one client address',
  ),
  edgeMinimumRate: setting(
    wholeNumber({ min: 0, max: 1_000_000 }),
    500,
    'slowest rate of a request body, in bytes per second; 0 for none',
  ),
  edgeAccessLog: setting(
    pathOr(['data', 'stdout', 'off']),
    'data',
    'access log of the edge; data: logs/edge-access.log in the data directory',
  ),
  edgeAccessLogFormat: setting(
    choice(['json', 'combined', 'requests']),
    'json',
    'format of the access log: JSON lines, the combined format of Apache, or requests to rehearse with',
  ),
  edgeAccessLogSample: setting(
    share,
    1,
    'share of the requests in the access log; stopped and failed requests are always logged',
  ),
  edgeAccessLogQuery: setting(flag, true, 'log paths with their query strings'),
  edgeAccessLogBody: setting(
    wholeNumber({ min: 0, max: 131_072 }),
    16_384,
    'bytes of each request body that the format requests keeps, with secrets masked; 0 for none',
  ),
  edgeAccessLogBytes: setting(
    wholeNumber({ min: 0, max: 1_099_511_627_776 }),
    16_777_216,
    'size at which the file of the access log is rotated, 0 for never',
  ),
  edgeAccessLogFiles: setting(
    wholeNumber({ min: 0, max: 1_000 }),
    4,
    'number of rotated files of the access log that are kept',
  ),
  edgeMetricsZones: setting(
    wholeNumber({ min: 0, max: 1_000 }),
    100,
    'number of zones with metrics of their own; all other zones are counted together',
  ),
  readyFile: optional(
    path('FILE'),
    'file for addresses and credentials, written as JSON when the server accepts requests',
  ),
  ownerEmail: setting(
    email,
    'owner@gatehouse.local',
    'e-mail address of the owner created at the first start',
  ),
  accountName: setting(text(), 'Gatehouse', 'name of the account created at the first start'),
  durability: setting(
    choice(['disk', 'os']),
    'disk',
    'disk: a response waits until its writes are on disk; os: until they are in the kernel',
  ),
  historyDays: setting(
    wholeNumber({ min: 1, max: 3_650 }),
    30,
    'days that the history of zones and the account is kept, so that they can be restored to a moment',
  ),
  eventDays: setting(
    wholeNumber({ min: 1, max: 30 }),
    30,
    'maximum days that events are kept, whatever the plan of their zone allows',
  ),
  dataBytes: setting(
    wholeNumber({ min: 0, max: 1_125_899_906_842_624 }),
    0,
    'size of the data directory beyond which the oldest events, then the oldest history, are dropped; 0 for no limit',
  ),
  rateLimit: setting(flag, true, 'limit the API calls of each user'),
  rateLimitRequests: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    1_200,
    'maximum number of calls within rate_limit_window',
  ),
  rateLimitGraphql: setting(
    wholeNumber({ min: 1, max: 1_000_000 }),
    300,
    'maximum number of GraphQL queries among these calls',
  ),
  rateLimitWindow: setting(duration({ maxMs: 86_400_000 }), 300_000, 'time window of the rate limit'),
  logLevel: setting(choice(['debug', 'info', 'warn', 'error']), 'info', 'lowest level to log'),
  logFormat: setting(
    choice(['auto', 'json', 'text']),
    'auto',
    'auto: text on a terminal, JSON lines elsewhere',
  ),
  accessLog: setting(flag, false, 'log each request'),
  otlpEndpoint: optional(
    httpUrl,
    'OpenTelemetry collector for traces and metrics over OTLP/HTTP, such as http://127.0.0.1:4318',
  ),
  mailServer: optional(text(), 'mail server for notifications, such as smtp://user@mail.example:587'),
  mailFrom: optional(text(), 'sender address of mail'),
  mailTrust: optional(
    path('FILE'),
    'PEM certificates to trust for the mail server, besides those of the system',
  ),
  mailPassword: secret('password for mail_server, sent over TLS only'),
  otlpHeaders: secret('headers for the collector, such as a token', { kind: headerFields }),
  otlpServiceName: setting(text(), 'gatehouse', 'name of this service in traces and metrics'),
  otlpTraceSample: setting(share, 0.01, 'share of the requests that are traced'),
  otlpMetricsInterval: setting(
    duration({ maxMs: 3_600_000 }),
    60_000,
    'time between exports of metrics, 0s for none',
  ),
  shutdownGrace: setting(
    duration({ maxMs: 3_600_000 }),
    10_000,
    'time for requests in progress to finish when the server stops',
  ),
};

export type SettingName = keyof typeof settings;

export type Settings = { readonly [Name in SettingName]: (typeof settings)[Name]['fallback'] };

export const settingNames = Object.keys(settings) as readonly SettingName[];

export function getSetting(name: SettingName): Setting {
  return settings[name];
}

/** The key in a file. */
export function toKey(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export function toVariable(name: string): string {
  return `GATEHOUSE_${toKey(name).toUpperCase()}`;
}

/** The flag, without dashes. */
export function toFlag(name: string): string {
  return toKey(name).replaceAll('_', '-');
}
