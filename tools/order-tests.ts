/** The order in which `run-tests.ts` starts test files. */

/**
 * Files that take more than about five seconds of CPU time with the processes that they start, the longest first. A
 * missing file only starts later.
 */
export const longTests: readonly string[] = [
  'test/server/pages.test.ts',
  'test/kill-steps/kill-steps.test.ts',
  'test/package/package.test.ts',
  'test/dashboard/walk/widths.test.ts',
  'test/dashboard/offered-commands.test.ts',
  'test/wrangler/deploy.test.ts',
  'test/cluster/uploads.test.ts',
  'test/dashboard/walk/tour.test.ts',
  'test/wrangler/move-in.test.ts',
  'test/control/universal-ssl.test.ts',
  'test/edge/workers.test.ts',
  'test/dashboard/activity.test.ts',
  'test/control/authorization-matrix.test.ts',
  'test/rehearsal/rehearse.test.ts',
  'test/objects/large-objects.test.ts',
  'test/dashboard/dev-objects.test.ts',
  'test/realm/vandals.test.ts',
  'src/program/cli/dev/dev-watchdog.test.ts',
  'test/dashboard/objects.test.ts',
  'src/program/cli/dev/dev-hosts.test.ts',
  'test/cluster/control.test.ts',
  'test/dashboard/migration.test.ts',
  'test/simulator/mistakes.test.ts',
  'test/server/serve.test.ts',
  'test/cluster/rules.test.ts',
  'test/control/objects-api.test.ts',
  'test/cluster/cluster.test.ts',
  'test/dashboard/managed-rules.test.ts',
  'test/cluster/faults.test.ts',
  'test/server/watchdog.test.ts',
  'test/server/object-hosts.test.ts',
  'test/objects/recovery-model.test.ts',
  'test/cluster/hosts.test.ts',
  'test/hosts/hosts.test.ts',
  'test/dashboard/firewall-rules.test.ts',
  'test/wrangler/transfer.test.ts',
  'test/cli/lost-reader.test.ts',
  'test/edge/access-log.test.ts',
  'test/simulator/planted.test.ts',
  'src/runtime/simulator/simulate.test.ts',
  'test/cluster/activity.test.ts',
  'test/dashboard/workers.test.ts',
  'test/detection/gate.test.ts',
  'test/edge/core-rules.test.ts',
  'test/neighbours/objects.test.ts',
  'test/cluster/serve.test.ts',
  'test/edge/worker-origin.test.ts',
  'test/dashboard/walk/every-page.test.ts',
  'test/hosts/move.test.ts',
  'test/crash/api-kill.test.ts',
  'test/simulator/own-objects.test.ts',
  'test/edge/serve.test.ts',
  'test/cluster/databases.test.ts',
  'test/cluster/busy-hosts.test.ts',
  'test/control/bad-input.test.ts',
  'test/dashboard/session-end.test.ts',
  'test/dashboard/settings.test.ts',
  'test/detection/items.test.ts',
  'test/crash/kill-loop.test.ts',
  'test/dashboard/overview.test.ts',
  'tools/worked-example.test.ts',
  'test/cli/refusals.test.ts',
  'test/edge/rate-limits.test.ts',
  'test/server/telemetry.test.ts',
  'test/edge/budgets.test.ts',
  'test/vitest/projects.test.ts',
];

/**
 * Short files that start after each long one: so long ones have started before the short ones run out, but do not all
 * start at once.
 */
const shortPerLong = 6;

export function orderTests(files: readonly string[]): string[] {
  const given = new Set(files);
  const long = longTests.filter((file) => given.delete(file));
  const short = [...given].toSorted();
  return [...long.flatMap((file) => [file, ...short.splice(0, shortPerLong)]), ...short];
}
