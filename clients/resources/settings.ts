/** Every setting of a zone that acts, as providers 4 and 5 have them. */
import type { Facts, ResourceCase } from '../case.ts';

type Values = Readonly<Record<string, string>>;

/** As HCL; other values than the defaults. `proxy_read_timeout` is a text. */
const chosen: Values = {
  ssl: '"full"',
  always_use_https: '"on"',
  min_tls_version: '"1.3"',
  tls_1_3: '"on"',
  ciphers: '["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256"]',
  http2: '"off"',
  websockets: '"off"',
  ip_geolocation: '"off"',
  true_client_ip_header: '"on"',
  pseudo_ipv4: '"add_header"',
  browser_check: '"on"',
  hotlink_protection: '"on"',
  security_level: '"under_attack"',
  challenge_ttl: '2700',
  max_upload: '500',
  proxy_read_timeout: '"30"',
  brotli: '"on"',
  development_mode: '"on"',
  tls_client_auth: '"on"',
};

/** Back to the defaults, as far as a configuration sets them, and other values again. */
const changed: Values = {
  ssl: '"strict"',
  always_use_https: '"off"',
  min_tls_version: '"1.2"',
  tls_1_3: '"off"',
  ciphers: '["ECDHE-ECDSA-AES128-GCM-SHA256"]',
  http2: '"on"',
  websockets: '"on"',
  ip_geolocation: '"on"',
  true_client_ip_header: '"off"',
  pseudo_ipv4: '"overwrite_header"',
  browser_check: '"off"',
  hotlink_protection: '"off"',
  security_level: '"medium"',
  challenge_ttl: '1800',
  max_upload: '100',
  proxy_read_timeout: '"100"',
  brotli: '"off"',
  development_mode: '"off"',
  tls_client_auth: '"off"',
};

function header(isEnabled: boolean, maxAge: number): Values {
  return {
    enabled: String(isEnabled),
    max_age: String(maxAge),
    include_subdomains: 'true',
    preload: 'false',
    nosniff: 'true',
  };
}

function writeLines(values: Values, indent: string): string {
  return Object.entries(values)
    .map(([name, value]) => `${indent}${name} = ${value}`)
    .join('\n');
}

function writeOverride({ zone }: Facts, values: Values, strict: Values): string {
  return `resource "cloudflare_zone_settings_override" "settings" {
  zone_id = "${zone.id}"
  settings {
${writeLines(values, '    ')}
    security_header {
${writeLines(strict, '      ')}
    }
  }
}
`;
}

/** Terraform changes resources in parallel, but `off` must come after a lower minimum. */
const afterLowerMinimum = '  depends_on = [cloudflare_zone_setting.min_tls_version]\n';

function writeSettings({ zone }: Facts, values: Values, strict: Values): string {
  const all = {
    ...values,
    security_header: `{\n    strict_transport_security = {\n${writeLines(strict, '      ')}\n    }\n  }`,
  };
  return Object.entries(all)
    .map(
      ([id, value]) => `resource "cloudflare_zone_setting" "${id}" {
  zone_id    = "${zone.id}"
  setting_id = "${id}"
  value      = ${value}
${id === 'tls_1_3' ? afterLowerMinimum : ''}}
`,
    )
    .join('\n');
}

export const settingCases: readonly ResourceCase[] = [
  {
    name: 'cloudflare_zone_settings_override, every setting that acts',
    provider: 'provider-4',
    plan: 'enterprise',
    configurations: (facts) => [
      writeOverride(facts, chosen, header(true, 86_400)),
      writeOverride(facts, changed, header(false, 0)),
    ],
  },
  {
    name: 'cloudflare_zone_setting, every setting that acts',
    provider: 'provider-5',
    plan: 'enterprise',
    configurations: (facts) => [
      writeSettings(facts, chosen, header(true, 86_400)),
      writeSettings(facts, changed, header(false, 0)),
    ],
    imports: Object.fromEntries(
      [...Object.keys(chosen), 'security_header'].map((id) => [
        `cloudflare_zone_setting.${id}`,
        (_: unknown, { zone }: Facts) => `${zone.id}/${id}`,
      ]),
    ),
  },
];
