/**
 * The settings of Cloudflare that have no effect here: the actual behaviour, and the reason. Clients (Terraform) read
 * all settings before they change one, and set some of these: another value is stored and shown again, and the response
 * says that it has no effect. A value that would protect visitors or origins is refused instead.
 */
import { actingSettings } from './acting.ts';

export interface FixedSetting {
  readonly value: unknown;
  /** The end of a sentence. */
  readonly reason: string;
  /** Whether another value is refused, because users would rely on it. */
  readonly isRefused: boolean;
}

const relied: ReadonlySet<string> = new Set([
  'advanced_ddos',
  'ipv6',
  'sha1_support',
  'tls_1_2_only',
  'visitor_ip',
]);

const caching = 'nothing is cached here';
const rewriting = 'bodies of responses are not rewritten here';
const images = 'images are not changed here';
const dns = 'there is no DNS here';
const cloudflareOnly = 'it concerns the network of Cloudflare';

const byReason: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'Node.js accepts no early data': { '0rtt': 'off' },
  'Node.js has no QUIC: put a server with HTTP/3 in front of this one, and add it to trusted_proxies': {
    http3: 'off',
  },
  'origins are connected to over HTTP/1.1': { origin_max_http_version: '1', origin_h2_max_streams: 1 },
  'all streams of a connection have the same priority': { h2_prioritization: 'off' },
  'early hints (103) are not sent to visitors': { early_hints: 'off' },
  'min_tls_version and tls_1_3 choose the versions of TLS': { tls_1_2_only: 'off', sha1_support: 'off' },
  'HTTPS is not offered to clients that use HTTP': { opportunistic_encryption: 'off' },
  'ssl is not chosen automatically': { ssl_automatic_mode: 'custom' },
  'the address of the visitor is always sent to the origin': { visitor_ip: 'on' },
  'the edge serves IPv6 wherever it listens on such an address': { ipv6: 'on' },
  'responses stream to the visitor as they arrive, unless rules check them': { response_buffering: 'off' },
  'error pages of the origin reach the visitor unchanged': { origin_error_page_pass_thru: 'on' },
  'rules and limits of the edge do this; there is no other protection': { advanced_ddos: 'off' },
  'challenges here accept no tokens': { privacy_pass: 'off' },
  'events and logs stay here': {
    filter_logs_to_cloudflare: 'off',
    log_to_cloudflare: 'off',
    nel: { enabled: false },
  },
  [caching]: {
    always_online: 'off',
    browser_cache_ttl: 0,
    cache_level: 'bypass',
    edge_cache_ttl: 0,
    sort_query_string_for_cache: 'off',
    prefetch_preload: 'off',
    pre_render: 'off',
    speed_brain: 'off',
  },
  [rewriting]: {
    automatic_https_rewrites: 'off',
    automatic_platform_optimization: {
      enabled: false,
      cf: false,
      wordpress: false,
      wp_plugin: false,
      hostnames: [],
      cache_by_device_type: false,
    },
    binary_ast: 'off',
    content_converter: 'off',
    email_obfuscation: 'off',
    fonts: 'off',
    minify: { css: 'off', html: 'off', js: 'off' },
    replace_insecure_js: 'off',
    rocket_loader: 'off',
    server_side_exclude: 'off',
    webmcp_enabled: 'off',
    webmcp_packs: '',
  },
  [images]: {
    image_resizing: 'off',
    mirage: 'off',
    polish: 'off',
    transformations: 'off',
    transformations_allowed_origins: '',
    webp: 'off',
  },
  'visitors are redirected by always_use_https and by page rules only': {
    mobile_redirect: { status: 'off', mobile_subdomain: null, strip_uri: false },
    redirects_for_ai_training: 'off',
    search_for_agents: 'off',
  },
  [dns]: { cname_flattening: 'flatten_at_root' },
  [cloudflareOnly]: {
    aegis: { enabled: false, pool_id: '' },
    china_network_enabled: 'off',
    opportunistic_onion: 'off',
    orange_to_orange: 'off',
  },
};

export const fixedSettings: ReadonlyMap<string, FixedSetting> = new Map(
  Object.entries(byReason).flatMap(([reason, values]) =>
    Object.entries(values).map(([id, value]) => [id, { value, reason, isRefused: relied.has(id) }] as const),
  ),
);

/** All settings, in the order of responses. */
export const settingIds: readonly string[] = [
  ...Object.keys(actingSettings),
  ...fixedSettings.keys(),
].toSorted();
