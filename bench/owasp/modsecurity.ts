/**
 * nginx with libmodsecurity and the OWASP Core Rule Set, from the packages of Debian, downloaded and unpacked without
 * root. The packages are kept in the folder for temporary files.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NginxFirewall } from '../edge/children.ts';
import { findInCache } from '../../tools/cache-folder.ts';

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

const cache = findInCache('modsecurity');

/** The folder with everything unpacked. */
export function unpackModsecurity(): string {
  const root = join(cache, 'root');
  if (existsSync(root)) return root;
  mkdirSync(cache, { recursive: true });
  execFileSync('apt-get', ['download', ...packages], { cwd: cache, stdio: ['ignore', 'ignore', 'pipe'] });
  for (const name of readdirSync(cache).filter((each) => each.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', join(cache, name), root]);
  return root;
}

/** The package of the rules, with their set-up file. */
export function findRulesPackage(): string {
  const name = readdirSync(cache).find((each) => each.startsWith('modsecurity-crs_'));
  if (name === undefined)
    throw new Error(`${cache} has no package modsecurity-crs: remove it, and start again`);
  return join(cache, name);
}

/** The changes to the package's own settings. */
export interface ModsecuritySettings {
  readonly engine: 'On' | 'DetectionOnly';
  /** Values of TX that are set behind the set-up file. */
  readonly values: ReadonlyMap<string, string>;
  /** A directory with rules and their set-up file, in place of those of the package. */
  readonly rules?: string;
  /** Where each request is written with the rules that matched, one JSON text a line. */
  readonly auditLog?: string;
}

/** The rules up to a paranoia level, and a threshold that nothing reaches. */
export function settingsForLevel(level: number): ModsecuritySettings {
  const names = [
    'paranoia_level',
    'executing_paranoia_level',
    'blocking_paranoia_level',
    'detection_paranoia_level',
  ];
  const values = new Map(names.map((name) => [name, String(level)]));
  return { engine: 'On', values: values.set('inbound_anomaly_score_threshold', '100000') };
}

/** libmodsecurity 3.0.9 does not read a rule without actions if the next one follows without an empty line. */
export function copyRelease(release: string, to: string): string {
  cpSync(release, to, { recursive: true });
  const rules = join(to, 'rules');
  for (const name of readdirSync(rules).filter((each) => each.endsWith('.conf'))) {
    const file = join(rules, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/^Sec/gm, '\nSec'));
  }
  return to;
}

function findSetup(rules: string): string {
  const found = ['crs-setup.conf', 'crs-setup.conf.example']
    .map((name) => join(rules, name))
    .find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${rules} has no crs-setup.conf`);
  return found;
}

export function configureModsecurity(
  root: string,
  rulesFile: string,
  { engine, values, auditLog, rules }: ModsecuritySettings,
): NginxFirewall {
  const settings = readFileSync(join(root, 'etc/nginx/modsecurity.conf'), 'utf8')
    .replace(/^SecRuleEngine .*/m, `SecRuleEngine ${engine}`)
    .replace(/^SecAudit.*/gm, '')
    .replace(/^SecUnicodeMapFile .*/m, `SecUnicodeMapFile ${join(root, 'etc/nginx/unicode.mapping')} 20127`);
  const assignments = Array.from(values, ([name, value]) => `setvar:tx.${name}=${value}`);
  const lines = [
    settings,
    ...(auditLog === undefined
      ? ['SecAuditEngine Off']
      : [
          'SecAuditEngine On',
          'SecAuditLogType Serial',
          'SecAuditLogFormat JSON',
          'SecAuditLogParts AHZ',
          `SecAuditLog ${auditLog}`,
        ]),
    `Include ${rules === undefined ? join(root, 'etc/modsecurity/crs/crs-setup.conf') : findSetup(rules)}`,
    `SecAction "id:900000,phase:1,nolog,pass,t:none,${assignments.join(',')}"`,
    `Include ${join(rules ?? join(root, 'usr/share/modsecurity-crs'), 'rules')}/*.conf`,
  ];
  writeFileSync(rulesFile, `${lines.join('\n')}\n`);
  return {
    module: join(root, 'usr/lib/nginx/modules/ngx_http_modsecurity_module.so'),
    libraries: join(root, 'usr/lib/x86_64-linux-gnu'),
    rulesFile,
  };
}
