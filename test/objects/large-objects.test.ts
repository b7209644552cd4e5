/** The memory for operations on a large object does not grow with the object. */
import { ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findTestCluster } from '../cluster/test-cluster.ts';

const child = join(import.meta.dirname, 'large-objects-child.ts');
const megabyte = 1_000_000;
/**
 * The data in flight on a database connection is about 100 MB, whatever the object's size: a small object would hide
 * that.
 */
const sizes =
  process.env['GATEHOUSE_TEST_DATABASE'] === undefined
    ? { small: 32, large: 160 }
    : { small: 160, large: 320 };
/** Holding the whole object in memory would make a difference of at least this. */
const differenceMax = ((sizes.large - sizes.small) * megabyte) / 2;

async function measure(work: string, megabytes: number): Promise<number> {
  const cluster = await findTestCluster();
  const args = [child, work, String(megabytes), ...(cluster === undefined ? [] : [cluster.url])];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  await cluster?.remove();
  return (JSON.parse(stdout) as { growth: number }).growth;
}

for (const work of ['wake', 'export', 'import', 'scrub']) {
  test(`${work} of a large object takes memory that does not grow with it`, async () => {
    const small = await measure(work, sizes.small);
    const large = await measure(work, sizes.large);
    const megabytes = (bytes: number): number => Math.round(bytes / megabyte);
    ok(large - small < differenceMax, `${megabytes(small)} MB, then ${megabytes(large)} MB`);
    ok(large < 300 * megabyte, `${megabytes(large)} MB`);
  });
}
