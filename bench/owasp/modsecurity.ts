/**
 * nginx with libmodsecurity and the OWASP Core Rule Set, from the packages of Debian, downloaded and unpacked without
 * root. The packages are kept in the folder for temporary files.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NginxFirewall } from '../edge/children.ts';

const packages = [
  'libnginx-mod-http-modsecurity',
  'libmodsecurity3',
  'modsecurity-crs',
  'libgeoip1',
  'liblua5.3-0',
  'libmaxminddb0',
  'libfuzzy2',
  'libyajl2',
];

/** The folder with everything unpacked. */
export function unpackModsecurity(): string {
  const cache = join(tmpdir(), 'gatehouse-modsecurity');
  const root = join(cache, 'root');
  if (existsSync(root)) return root;
  mkdirSync(cache, { recursive: true });
  execFileSync('apt-get', ['download', ...packages], { cwd: cache, stdio: ['ignore', 'ignore', 'pipe'] });
  for (const name of readdirSync(cache).filter((each) => each.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', join(cache, name), root]);
  return root;
}

/** The package's own settings, with the rules up to a paranoia level and a threshold that nothing reaches. */
export function configureModsecurity(root: string, directory: string, level: number): NginxFirewall {
  const settings = readFileSync(join(root, 'etc/nginx/modsecurity.conf'), 'utf8')
    .replace(/^SecRuleEngine .*/m, 'SecRuleEngine On')
    .replace(/^SecAuditEngine .*/m, 'SecAuditEngine Off')
    .replace(/^SecUnicodeMapFile .*/m, `SecUnicodeMapFile ${join(root, 'etc/nginx/unicode.mapping')} 20127`);
  const set = ['paranoia_level', 'executing_paranoia_level'].map((name) => `setvar:tx.${name}=${level}`);
  const rulesFile = join(directory, `modsecurity-${level}.conf`);
  const lines = [
    settings,
    `Include ${join(root, 'etc/modsecurity/crs/crs-setup.conf')}`,
    `SecAction "id:900000,phase:1,nolog,pass,t:none,${set.join(',')}"`,
    'SecAction "id:900110,phase:1,nolog,pass,t:none,setvar:tx.inbound_anomaly_score_threshold=100000"',
    `Include ${join(root, 'usr/share/modsecurity-crs/rules')}/*.conf`,
  ];
  writeFileSync(rulesFile, `${lines.join('\n')}\n`);
  return {
    module: join(root, 'usr/lib/nginx/modules/ngx_http_modsecurity_module.so'),
    libraries: join(root, 'usr/lib/x86_64-linux-gnu'),
    rulesFile,
  };
}
