/**
 * Builds the Debian package from the single executable: the program, its systemd unit, a configuration file that later
 * upgrades do not change, completion for shells, the documentation.
 *
 *     node tools/build-debian.ts                      writes out/gatehouse_<version>_<architecture>.deb
 *     node tools/build-debian.ts --compression none   faster, for inspection
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildExecutable, executable, notices } from './build-executable.ts';
import { readOptions } from './read-options.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version, description, license } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Readonly<Record<string, string>>;
const architecture = ({ x64: 'amd64', arm64: 'arm64' } as Readonly<Record<string, string>>)[process.arch]!;

/** The libraries that the dynamic loader needs, by package. */
const dependencies = ['libc6 (>= 2.28)', 'libstdc++6 (>= 8)', 'libgcc-s1', 'libatomic1'];

const configuration = `# Settings of the service: /usr/share/doc/gatehouse/docs/reference/configuration.md lists all of them.
edge_host = "0.0.0.0"
edge_port = 80
edge_https_port = 443
admin_port = 9090
`;

/** An upgrade replaces the file from which a running server starts processes, so the server is restarted. */
const scripts = {
  postinst: `#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d "$DPKG_ROOT/run/systemd/system" ]; then
  systemctl daemon-reload
  systemctl try-restart gatehouse.service
  [ -n "$2" ] || echo 'Gatehouse is installed. To start it, now and at each boot: systemctl enable --now gatehouse'
fi
`,
  prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d "$DPKG_ROOT/run/systemd/system" ]; then
  systemctl disable --now gatehouse.service
fi
`,
  postrm: `#!/bin/sh
set -e
if [ -d "$DPKG_ROOT/run/systemd/system" ]; then systemctl daemon-reload; fi
# The data stays, purged or not: it is events, rules and objects of users.
if [ "$1" = purge ] && [ -d "$DPKG_ROOT/var/lib/private/gatehouse" ]; then
  echo 'The data of Gatehouse is still in /var/lib/private/gatehouse.'
fi
`,
};

function writeControl(bytes: number): string {
  return `Package: gatehouse
Version: ${version}
Architecture: ${architecture}
Maintainer: Gatehouse maintainers <gatehouse@localhost>
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: ${dependencies.join(', ')}
Section: httpd
Priority: optional
Description: web application firewall and its API
 ${description}
`;
}

/** Returns the built file. The executable is built first if it does not exist. */
async function buildDebian(compression: string): Promise<string> {
  if (statSync(executable, { throwIfNoEntry: false }) === undefined) await buildExecutable();
  const tree = mkdtempSync(join(tmpdir(), 'gatehouse-debian-'));
  try {
    const add = (path: string, content: string | Buffer, mode = 0o644): void => {
      const file = join(tree, path);
      mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
      writeFileSync(file, content);
      chmodSync(file, mode);
    };
    chmodSync(tree, 0o755);
    add('usr/bin/gatehouse', readFileSync(executable), 0o755);
    const unit = readFileSync(join(root, 'examples/systemd/gatehouse.service'), 'utf8');
    add(
      'usr/lib/systemd/system/gatehouse.service',
      unit
        .replace('/usr/local/bin/gatehouse', '/usr/bin/gatehouse')
        .replace('/usr/local/lib/node_modules/gatehouse/docs', '/usr/share/doc/gatehouse/docs'),
    );
    add('etc/gatehouse/gatehouse.toml', configuration);
    for (const [shell, path] of [
      ['bash', 'bash-completion/completions/gatehouse'],
      ['zsh', 'zsh/vendor-completions/_gatehouse'],
      ['fish', 'fish/vendor_completions.d/gatehouse.fish'],
    ] as const)
      add(`usr/share/${path}`, execFileSync(executable, ['completion', shell]));
    for (const path of globSync('docs/**/*.md', { cwd: root }))
      add(`usr/share/doc/gatehouse/${path}`, readFileSync(join(root, path)));
    add(
      'usr/share/doc/gatehouse/copyright',
      `License: ${license}\n\n${readFileSync(join(root, 'LICENSE'), 'utf8')}\n${readFileSync(notices, 'utf8')}`,
    );
    for (const [name, text] of Object.entries(scripts)) add(`DEBIAN/${name}`, text, 0o755);
    add('DEBIAN/conffiles', '/etc/gatehouse/gatehouse.toml\n');
    add('DEBIAN/control', writeControl(statSync(executable).size));
    const file = join(dirname(executable), `gatehouse_${version}_${architecture}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', tree, file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return file;
  } finally {
    rmSync(tree, { recursive: true });
  }
}

if (import.meta.main) {
  const usage = 'npm run build:debian -- [--compression xz|gzip|zstd|none]';
  const { compression } = readOptions(usage, { compression: { type: 'string', default: 'xz' } });
  process.stderr.write('Building the Debian package; compressing takes a minute or two … ');
  process.stderr.write(`${await buildDebian(compression)}\n`);
}
