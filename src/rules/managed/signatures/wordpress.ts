/** Known vulnerabilities of WordPress, its plugins and themes. */
import { body, matchAny, path, query, rawQuery, type Signature } from './signature.ts';

const group = 'Cloudflare WordPress';

export const wordpress: readonly Signature[] = [
  {
    legacyId: 'WP0025B',
    description: 'WordPress - content injection through the REST API (CVE-2017-1001000)',
    categories: ['wordpress', 'cve-2017-1001000'],
    group,
    expression: `(${matchAny(String.raw`/wp-json/wp/v2/(?:posts|pages)/\d+`, path)} or ${matchAny(String.raw`rest_route=/wp/v2/(?:posts|pages)/\d+`, query)}) and (${matchAny(String.raw`(?:^|&)id=\d+[^\d&]`, query)} or ${matchAny(String.raw`"id"\s*:\s*"\d+[^\d"]`, body)})`,
  },
  {
    legacyId: 'WP0001',
    description: 'WordPress - many calls in one XML-RPC request',
    categories: ['wordpress', 'xmlrpc', 'brute-force'],
    group,
    expression: `${matchAny(String.raw`/xmlrpc\.php$`, path)} and ${matchAny(String.raw`system\.multicall`, body)}`,
  },
  {
    legacyId: 'WP0002',
    description: 'WordPress - pingback that makes the site call others',
    categories: ['wordpress', 'xmlrpc', 'ssrf'],
    group,
    expression: `${matchAny(String.raw`/xmlrpc\.php$`, path)} and ${matchAny(String.raw`pingback\.ping`, body)}`,
  },
  {
    legacyId: 'WP0003',
    description: 'WordPress - names of users by number',
    categories: ['wordpress', 'information-disclosure'],
    group,
    action: 'log',
    expression: `(${matchAny(String.raw`(?:^|&)author=\d+(?:&|$)`, query)} or ${matchAny(String.raw`/wp-json/wp/v2/users/?$`, path)})`,
  },
  {
    legacyId: 'WP0004',
    description: 'WordPress - scripts packed into one answer (CVE-2018-6389)',
    categories: ['wordpress', 'dos', 'cve-2018-6389'],
    group,
    expression: `${matchAny(String.raw`/wp-admin/load-(?:scripts|styles)\.php$`, path)} and ${matchAny(String.raw`load(?:\[\]|%5b%5d|\[\d*\])=(?:[^,&]*,){60}`, rawQuery)}`,
  },
  {
    legacyId: 'WP0005',
    description: 'WordPress - file of settings by way of a plugin (Slider Revolution, CVE-2014-9734)',
    categories: ['wordpress', 'lfi', 'cve-2014-9734'],
    group,
    expression: matchAny(
      String.raw`action=(?:revslider_show_image|duplicator_download|wpdm_\w+|kbslider_show_image|getfile)&[^#]*(?:\.\./|wp-config)`,
      query,
    ),
  },
  {
    legacyId: 'WP0006',
    description: 'WordPress - upload through a plugin (File Manager, CVE-2020-25213)',
    categories: ['wordpress', 'upload', 'cve-2020-25213'],
    group,
    expression: matchAny(
      String.raw`/wp-content/plugins/(?:wp-file-manager/lib/php/connector\.minimal\.php|work-the-flow-file-upload/.*index\.php|gravityforms/.*upload\.php|wp-symposium/server/php|reflex-gallery/admin/scripts/fileuploader|formcraft/file-upload/server/php|asset-manager/upload\.php|cherry-plugin/admin/import-export/upload\.php)`,
      path,
    ),
  },
  {
    legacyId: 'WP0007',
    description: 'WordPress - script run straight from the folder of uploads',
    categories: ['wordpress', 'web-shell'],
    group,
    expression: matchAny(
      String.raw`/wp-content/(?:uploads|upgrade|cache)/.*\.(?:php\d?|phtml|phar)(?:$|/)|/wp-includes/(?:images|css|fonts|js)/.*\.php$`,
      path,
    ),
  },
  {
    legacyId: 'WP0008',
    description: 'WordPress - thumbnail script that fetches code (TimThumb, CVE-2011-4106)',
    categories: ['wordpress', 'rfi', 'cve-2011-4106'],
    group,
    expression: `${matchAny(String.raw`/(?:tim)?thumb\.php$`, path)} and ${matchAny(String.raw`src=https?://[^&]*\.php|webshot=1&src=[^&]*\$\(`, query)}`,
  },
  {
    legacyId: 'WP0009',
    description: 'WordPress - settings changed without a login (GDPR Compliance and others)',
    categories: ['wordpress', 'privilege-escalation', 'cve-2018-19207'],
    group,
    expression: `${matchAny(String.raw`/wp-admin/admin-(?:ajax|post)\.php$`, path)} and ${matchAny(String.raw`(?:option(?:_name|\\?"\s*:\s*\\?")?[=:]?\s*\\?"?(?:users_can_register|default_role|siteurl)\b.{0,80}(?:administrator|value|1|http)|"type"\s*:\s*"save_setting".{0,120}(?:default_role|users_can_register))`, body)}`,
  },
  {
    legacyId: 'WP0010',
    description: 'WordPress - installation started again',
    categories: ['wordpress'],
    group,
    action: 'managed_challenge',
    expression: matchAny(String.raw`/wp-admin/(?:install|setup-config)\.php$`, path),
  },
  {
    legacyId: 'WP0011',
    description: 'WordPress - role of an administrator at registration (Ultimate Member, CVE-2023-3460)',
    categories: ['wordpress', 'privilege-escalation', 'cve-2023-3460'],
    group,
    expression: matchAny(
      String.raw`(?:^|&|name=\\?")wp_?[^a-z0-9=&\[]{0,6}capabilities(?:\[|-\d+\[)[^=&]*administrator`,
      body,
    ),
  },
  {
    legacyId: 'WP0012',
    description: 'WordPress - code in the editor of a builder (Bricks, CVE-2024-25600)',
    categories: ['wordpress', 'rce', 'cve-2024-25600'],
    group,
    expression: `(${matchAny(String.raw`/bricks/v1/render_element`, path)} or ${matchAny(String.raw`rest_route=/bricks/v1/render_element`, query)}) and ${matchAny(String.raw`queryeditor|"code"\s*:`, body)}`,
  },
  {
    legacyId: 'WP0013',
    description: 'WordPress - login as any user by a parameter of a plugin (CVE-2024-10924)',
    categories: ['wordpress', 'authentication-bypass', 'cve-2024-10924'],
    group,
    expression: `(${matchAny(String.raw`/reallysimplessl/v1/two_fa/skip_onboarding`, path)} or ${matchAny(String.raw`rest_route=/reallysimplessl/v1/two_fa/skip_onboarding`, query)}) and http.request.method eq "POST"`,
  },
];
