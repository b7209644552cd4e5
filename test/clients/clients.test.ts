import { equal, match } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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
