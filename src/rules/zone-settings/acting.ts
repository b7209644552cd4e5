/** The settings that have an effect, in display order. */
import type { ActingSetting, SettingPlan } from './acting-setting.ts';
import { cipherNames } from './ciphers.ts';
import { oneOf, onOff, secondsAsText, someOf, strictTransport } from './kinds.ts';

const megabytes = [
  100, 125, 150, 175, 200, 225, 250, 275, 300, 325, 350, 375, 400, 425, 450, 475, 500,
] as const;

const challengeSeconds = [
  300, 900, 1_800, 2_700, 3_600, 7_200, 10_800, 14_400, 28_800, 57_600, 86_400, 604_800, 2_592_000,
  31_536_000,
] as const;

/** Keeps the exact type of each setting, and checks it. */
function describe<const T>(setting: ActingSetting<T>): ActingSetting<T> {
  return setting;
}

export const actingSettings = {
  ssl: describe({
    title: 'Encryption',
    kind: oneOf('off', 'flexible', 'full', 'strict'),
    fallback: 'strict',
    fallbackThere: 'full',
    about:
      'How visitors and the origin are reached: `off` redirects HTTPS to HTTP, `off` and `flexible` use HTTP to the origin, `full` HTTPS whatever its certificate, `strict` HTTPS with a certificate that is valid. Until it is set, the URL and `verify_tls` of the origin decide, and its value shows their meaning.',
    unserved: { origin_pull: 'encryption to the origin is chosen for HTTP and HTTPS alike: use strict' },
  }),
  always_use_https: describe({
    title: 'Always use HTTPS',
    kind: onOff,
    fallback: 'off',
    about:
      'Redirects HTTP to HTTPS with 301, before rules are evaluated. Not while `ssl` is `off`, and not for requests of certificate authorities.',
  }),
  min_tls_version: describe({
    title: 'Oldest TLS version',
    kind: oneOf('1.2', '1.3'),
    fallback: '1.2',
    fallbackThere: '1.0',
    about: 'Refuses handshakes of clients that offer only older versions.',
    unserved: {
      '1.0': 'TLS 1.0 is broken and not served',
      1.1: 'TLS 1.1 is broken and not served',
    },
  }),
  tls_1_3: describe({
    title: 'TLS 1.3',
    kind: onOff,
    fallback: 'on',
    about: 'Off: handshakes end with TLS 1.2.',
    unserved: { zrt: 'Node.js accepts no early data, so there is no 0-RTT' },
  }),
  ciphers: describe({
    title: 'Cipher suites of TLS 1.2',
    kind: someOf(...cipherNames),
    fallback: [],
    about:
      'The only cipher suites for TLS 1.2, in order of preference; an empty array means those with ECDHE and GCM or ChaCha20-Poly1305. TLS 1.3 has its own.',
  }),
  http2: describe({
    title: 'HTTP/2',
    kind: onOff,
    fallback: 'on',
    plan: 'pro',
    about: 'Whether HTTP/2 is offered to visitors over TLS.',
  }),
  security_header: describe({
    title: 'HTTP Strict Transport Security',
    kind: strictTransport,
    fallback: {
      strict_transport_security: {
        enabled: false,
        max_age: 0,
        include_subdomains: false,
        preload: false,
        nosniff: false,
      },
    },
    about:
      'Adds `Strict-Transport-Security` to every response over HTTPS, instead of that of the origin, and with `nosniff` also `X-Content-Type-Options: nosniff`.',
  }),
  websockets: describe({
    title: 'WebSockets',
    kind: onOff,
    fallback: 'on',
    about: 'Off: a request to open a WebSocket reaches the origin as an ordinary request.',
  }),
  ip_geolocation: describe({
    title: 'Country of visitors',
    kind: onOff,
    fallback: 'on',
    about:
      'Sends the country of the visitor to the origin as `CF-IPCountry`, `XX` if it is unknown; without a country database (`--geoip-city`) nothing is sent.',
  }),
  true_client_ip_header: describe({
    title: 'True-Client-IP',
    kind: onOff,
    fallback: 'off',
    plan: 'enterprise',
    about: 'Sends the address of the visitor to the origin as `True-Client-IP`.',
  }),
  pseudo_ipv4: describe({
    title: 'Pseudo IPv4',
    kind: oneOf('off', 'add_header', 'overwrite_header'),
    fallback: 'off',
    about:
      'Gives origins that support only IPv4 an address of 240.0.0.0/4 for each IPv6 /64 network: as `Cf-Pseudo-IPv4`, or instead of the address in `CF-Connecting-IP` and `X-Forwarded-For`, with the real one in `CF-Connecting-IPv6`.',
  }),
  browser_check: describe({
    title: 'Browser integrity check',
    kind: onOff,
    fallback: 'off',
    fallbackThere: 'on',
    about:
      'Blocks requests without a user agent, and those of vulnerability scanners that identify themselves. Custom rules can skip it (product `bic`).',
  }),
  hotlink_protection: describe({
    title: 'Hotlink protection',
    kind: onOff,
    fallback: 'off',
    about:
      'Blocks requests for images (gif, ico, jpg, jpeg, png) that come from pages of other sites, by their `Referer`; not below a folder `hotlink-ok`. Custom rules can skip it (product `hot`).',
  }),
  security_level: describe({
    title: 'Security level',
    kind: oneOf('off', 'essentially_off', 'low', 'medium', 'high', 'under_attack'),
    fallback: 'medium',
    about:
      '`under_attack`: every visitor must solve a managed challenge first. The other levels compare the threat score of the visitor, which is always 0, here and at Cloudflare, so they stop no visitor. Custom rules can skip it (product `securityLevel`).',
  }),
  challenge_ttl: describe({
    title: 'Challenge passage',
    kind: oneOf(...challengeSeconds),
    fallback: 1_800,
    about: 'For how many seconds a visitor who has solved a challenge gets no other.',
  }),
  max_upload: describe({
    title: 'Largest upload',
    kind: oneOf(...megabytes),
    fallback: 100,
    about: 'Bodies of more megabytes are answered with 413.',
    planOf(value): SettingPlan | undefined {
      return value > 200 ? 'enterprise' : value > 100 ? 'business' : undefined;
    },
  }),
  proxy_read_timeout: describe({
    title: 'Time for the origin to answer',
    kind: secondsAsText({ min: 1, max: 6_000 }),
    fallback: '100',
    plan: 'enterprise',
    about:
      'For how many seconds the origin may be silent, before and during its response. Then the visitor gets 504.',
  }),
  brotli: describe({
    title: 'Compression',
    kind: onOff,
    fallback: 'off',
    fallbackThere: 'on',
    about:
      'Compresses text in a format that the client accepts (zstd, br, gzip), with `Vary`; not if the response is already compressed, partial, or `no-transform`.',
  }),
  development_mode: describe({
    title: 'Development mode',
    kind: onOff,
    fallback: 'off',
    about:
      'For three hours, responses of the origin pass unchanged: nothing is compressed. Nothing is ever cached.',
  }),
  tls_client_auth: describe({
    title: 'Authenticated origin pulls',
    kind: onOff,
    fallback: 'off',
    about:
      'Presents a client certificate with the name of the zone to the origin, so that it can refuse other clients. The origin trusts the local authority of the edge, `tls/ca.crt` in its data directory.',
  }),
  waf: describe({
    title: 'Legacy managed rules',
    kind: onOff,
    fallback: 'off',
    plan: 'pro',
    about: 'Turns the legacy managed rules on or off. A zone that has migrated has none.',
  }),
} as const;

export type ActingId = keyof typeof actingSettings;

export function isActing(id: string): id is ActingId {
  return Object.hasOwn(actingSettings, id);
}

/** Page rules have actions with the same names and values. */
export const settingsOfPageRules = [
  'ssl',
  'security_level',
  'browser_check',
  'ip_geolocation',
  'true_client_ip_header',
] as const satisfies readonly ActingId[];
