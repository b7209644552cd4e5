import { deepEqual, equal, match, throws } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { keepLines, registryLines } from '../../clients/services.ts';
import { cloneRelease } from '../../clients/sources.ts';

const main = fileURLToPath(new URL('../../clients/clients.ts', import.meta.url));

/** Without Go, whatever this machine has. */
function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [main, ...args], { env: { PATH: '/nonexistent' }, encoding: 'utf8' });
}

test('npm run clients without Go says what to install and fails', () => {
  const { status, stdout, stderr } = run();
  equal(status, 2);
  equal(stdout, '');
  match(stderr, /^clients: Go is not installed: .* Install Go 1\.24 or newer/);
});

test('npm run clients explains its options, and refuses programs it does not know', () => {
  const help = run('--help');
  equal(help.status, 0);
  for (const option of ['--only', '--without', '--from', '--write'])
    match(help.stdout, new RegExp(`  ${option} `));
  const unknown = run('--without', 'terraform');
  equal(unknown.status, 2);
  match(
    unknown.stderr,
    /--without takes one of tofu, provider-4, provider-5, provider-3, cf-terraforming: terraform/,
  );
  equal(run('--from', 'tofu').status, 2);
});

const registry = `package internal

import (
	"context"

	"github.com/cloudflare/terraform-provider-cloudflare/internal/services/account"
	"github.com/cloudflare/terraform-provider-cloudflare/internal/services/zone"
	"github.com/cloudflare/terraform-provider-cloudflare/internal/services/zone_setting"
)

func (p *CloudflareProvider) Resources(ctx context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		account.NewResource,
		zone.NewResource,
		zone_setting.NewResource,
	}
}

func (p *CloudflareProvider) DataSources(ctx context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		zone.NewZoneDataSource,
		zone_setting.NewZoneSettingDataSource, // deprecated.
	}
}
`;

test('keepLines leaves only the services that are named, and names those that are not there', () => {
  const kept = keepLines(registry, ['zone'], registryLines);
  deepEqual(
    kept.split('\n').filter((line) => /zone|account/.test(line)),
    [
      '\t"github.com/cloudflare/terraform-provider-cloudflare/internal/services/zone"',
      '\t\tzone.NewResource,',
      '\t\tzone.NewZoneDataSource,',
    ],
  );
  equal(keepLines(registry, ['account', 'zone', 'zone_setting'], registryLines), registry);
  throws(() => keepLines(registry, ['zone', 'waf'], registryLines), /have no service waf/);
});

test('cloneRelease fetches the sources of a tag with its commit, and says why where it cannot', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-release-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const repository = join(directory, 'provider');
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
    const { status, stdout, stderr } = spawnSync('git', ['-C', repository, ...identity, ...args], {
      encoding: 'utf8',
    });
    equal(status, 0, stderr);
    return stdout.trim();
  };
  mkdirSync(repository);
  git('init', '--quiet');
  for (const version of ['v4.52.8', 'v5.22.0']) {
    writeFileSync(join(repository, 'version'), version);
    git('add', '.');
    git('commit', '--quiet', '-m', version);
    git('tag', version);
  }
  const from = { repository: `file://${repository}`, tag: 'v4.52.8' };
  const cloned = cloneRelease(from, join(directory, 'src'));
  equal(readFileSync(join(cloned.directory, 'version'), 'utf8'), 'v4.52.8');
  equal(cloned.commit, git('rev-parse', 'v4.52.8'));
  throws(() => cloneRelease({ ...from, tag: 'v3.35.0' }, join(directory, 'src')), /v3\.35\.0 not found/);
});
