/**
 * Runs h2spec against the edge: `npm run verify -- h2spec`. It is found on PATH, or built from its Go module, which
 * needs Go and a module proxy. The command exits with 1 if a case fails that is not accepted here, or if h2spec is not
 * available.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { http2UnderTest } from './http2-under-test.ts';

/** The newest version on the module proxy. */
const module = 'github.com/summerwind/h2spec/cmd/h2spec@v2.2.1+incompatible';

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-h2spec-'));
try {
  process.exitCode = await run(findProgram());
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function findProgram(): string | undefined {
  const isOnPath = spawnSync('h2spec', ['--version']).status === 0;
  if (isOnPath) return 'h2spec';
  const built = spawnSync('go', ['install', module], {
    env: { ...process.env, GOBIN: directory },
    encoding: 'utf8',
  });
  const path = join(directory, 'h2spec');
  if (existsSync(path)) return path;
  const reason = built.error?.message ?? built.stderr.trim();
  process.stderr.write(`h2spec is not on PATH and could not be built (go install ${module}): ${reason}\n`);
  return undefined;
}

async function run(program: string | undefined): Promise<number> {
  if (program === undefined) return 1;
  await using under = await http2UnderTest();
  // Long enough for the cases that send a part of it.
  under.origin.reply = (_, socket) =>
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n${'x'.repeat(100)}`);
  const report = join(directory, 'report.xml');
  const { promise, resolve } = Promise.withResolvers<void>();
  spawn(program, ['-t', '-k', '-h', '127.0.0.1', '-p', String(under.port), '-j', report], {
    stdio: ['ignore', 'ignore', 'inherit'],
  }).once('close', () => resolve());
  await promise;
  const xml = readFileSync(report, 'utf8');
  const cases = [
    ...xml.matchAll(/<testcase package="([^"]*)" classname="([^"]*)"[^>]*>\s*(<failure|<error|<skipped)?/g),
  ];
  const failed = cases.filter(([, , , outcome]) => outcome === '<failure' || outcome === '<error');
  const skipped = cases.filter(([, , , outcome]) => outcome === '<skipped');
  for (const [, where, what] of skipped) process.stdout.write(`skipped: ${where}: ${what}\n`);
  for (const [, where, what] of failed) process.stdout.write(`failed: ${where}: ${what}\n`);
  process.stdout.write(`${cases.length} cases, ${failed.length} failed, ${skipped.length} skipped\n`);
  return cases.length === 0 || failed.length > 0 ? 1 : 0;
}
